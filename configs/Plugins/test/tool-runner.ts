import { readFile } from 'node:fs/promises';
import type { SandboxDriver, SandboxKind } from '@yuanbot/contract';

/** Runs a shipped tool with parameters and resolves to its parsed result; rejects with the driver's `ToolCallError`. */
export type ToolRunner = (params: object) => Promise<unknown>;

/** Generous: what a tool's file grants is the registry's business, not these tests'. */
const LIMITS = { timeoutMs: 20_000, memoryMb: 64, cpus: 1, pids: 32, outputBytes: 4 * 1024 * 1024 };

/**
 * A tool in the sandbox it is shipped for, without the rest of the platform: `artifact` is the file that its
 * `entry` names. Parameters go through as they are, so tests give those that the schema would fill in.
 */
export async function createToolRunner(driver: SandboxDriver, kind: SandboxKind, artifact: URL): Promise<ToolRunner> {
  const executable = {
    descriptor: {
      kind,
      image: '',
      artifact: artifact.href,
      command: [],
      env: [],
      protocol: 'oneshot',
      network: 'none',
      resources: [],
    },
    digest: `test:${artifact.href}`,
    artifact: await readFile(artifact),
    resources: new Map<string, Uint8Array>(),
  } as const;
  await driver.prepare(executable, new AbortController().signal);
  let calls = 0;
  return async (params) => {
    calls += 1;
    const { contentJson } = await driver.run({
      executable,
      call: { paramsJson: JSON.stringify(params), approved: true, userId: 'user', invocationId: `call-${calls}` },
      permissionLevel: 'readonly',
      limits: LIMITS,
      signal: new AbortController().signal,
      performStep: () => Promise.reject(new Error('A shipped tool took a step.')),
      onStarted: () => undefined,
    });
    return JSON.parse(contentJson);
  };
}
