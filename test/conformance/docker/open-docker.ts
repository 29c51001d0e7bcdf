import { randomUUID } from 'node:crypto';
import { createDockerDriver, type DockerDriver, type DockerDriverOptions, readManagerIdentity } from '@yuanbot/docker-sandbox';
import type Dockerode from 'dockerode';
import { containersOf, testDocker, testDockerSocket } from '../../fixtures/docker-engine.ts';
import { ensureBusybox } from '../../fixtures/images.ts';

export interface OpenDocker {
  readonly driver: DockerDriver;
  /** A client of the test's own. */
  readonly engine: Dockerode;
  readonly instanceId: string;
  /** The driver's containers, in any state. */
  containers(): Promise<string[]>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A driver on the tests' engine, under an instance id of its own. */
export async function openDocker(options: Partial<DockerDriverOptions> = {}): Promise<OpenDocker> {
  const engine = testDocker();
  await ensureBusybox(engine);
  const instanceId = `test-${randomUUID()}`;
  const manager = await readManagerIdentity(instanceId, process.pid);
  const driver = createDockerDriver({ socketPath: testDockerSocket(), manager, ...options });
  return {
    driver,
    engine,
    instanceId,
    containers: () => containersOf(engine, instanceId),
    [Symbol.asyncDispose]: () => driver.close(),
  };
}
