import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { ERROR_CODES, SANDBOX_KINDS, type SandboxDriver } from '@yuanbot/contract';
import { createDockerDriver, readManagerIdentity } from '@yuanbot/docker-sandbox';
import { type Config, formatAddress } from '@yuanbot/kit/config';
import { createCallMemory } from '@yuanbot/kit/idempotency';
import { createCallGate, systemTimer } from '@yuanbot/kit/lifecycle';
import type { Log } from '@yuanbot/kit/logging';
import { createCallMetrics, createMetricsRegistry, createPoolMetrics } from '@yuanbot/kit/metrics';
import { createOperationsServer, removeStaleSocket } from '@yuanbot/kit/operations-http';
import type { ServiceContext, ServiceEndpoints } from '@yuanbot/kit/service';
import { createReplayMemory, createTokenVerifier, readPublicKeys, TOKEN_AUDIENCE, TOKEN_ISSUER } from '@yuanbot/kit/token';
import { addHealth, addReflection, createServer } from '@yuanbot/proto';
import { file_yuanbot_sandbox_v1_sandbox, SandboxManagerService } from '@yuanbot/proto/sandbox';
import { createThreadDriver } from '@yuanbot/thread-sandbox';
import { createWasmDriver } from '@yuanbot/wasm-sandbox';
import { createArtifactStore } from './artifacts/artifact-store.ts';
import { createExecutables } from './artifacts/executables.ts';
import { createCallReport } from './execution/call-report.ts';
import { type CallOutcome, createCallRunner } from './execution/run-call.ts';
import { sandboxManagerHandlers } from './grpc/sandbox-manager-service.ts';

/** What only the process knows. */
export interface ProcessFacts {
  /** The Node binary that host processes run. */
  readonly nodePath: string;
  readonly pid: number;
}

const VERSION = '0.1.0';
const MIB = 1024 * 1024;

/** Keys of idempotent calls kept at most: ten minutes of 300 a second. */
const MAX_REMEMBERED_CALLS = 200_000;

/** Share of the artifact cache that is also held in memory, ready to run. */
const EXECUTABLES_SHARE = 4;

/** Composes the sandbox-manager from its parts and starts it. */
export async function startSandboxManager(context: ServiceContext, facts: ProcessFacts): Promise<ServiceEndpoints> {
  const { config, log, lifecycle, instance } = context;
  const now = () => Date.now();
  const settings = config.sandboxManager;

  const drivers = await openDrivers(config, log, instance, facts);
  await lifecycle.onClose('sandboxes', async () => {
    await Promise.all(drivers.map((driver) => driver.close()));
  });

  const metrics = createMetricsRegistry({ service: 'sandbox-manager' });
  createPoolMetrics({
    registry: metrics,
    async beforeScrape(pools) {
      for (const { kind, ...sizes } of await Promise.all(drivers.map((driver) => driver.describe())))
        pools.reportPool({ sandbox: kind, ...sizes });
    },
  });

  const artifacts = await createArtifactStore({
    folder: join(config.dataDir, 'artifacts'),
    maxBytes: settings.artifactCacheMb * MIB,
    newId: randomUUID,
    now: () => new Date(),
  });
  const calls = createCallRunner({
    drivers: new Map(drivers.map((driver) => [driver.kind, driver])),
    verifier: createTokenVerifier({
      keys: await readPublicKeys(config.dataDir),
      issuer: TOKEN_ISSUER,
      audience: TOKEN_AUDIENCE,
      now,
      replay: createReplayMemory(now),
      notIssuedBefore: now(),
    }),
    outcomes: createCallMemory<CallOutcome>({
      ttlMs: settings.idempotency.ttlMs,
      maxBytes: settings.idempotency.cacheMb * MIB,
      maxKeys: MAX_REMEMBERED_CALLS,
      now,
    }),
    executables: createExecutables({ artifacts, maxBytes: (settings.artifactCacheMb / EXECUTABLES_SHARE) * MIB }),
    observer: createCallReport(
      createCallMetrics({ registry: metrics, isKnownTool: () => true, sandboxes: SANDBOX_KINDS, codes: ['ok', ...ERROR_CODES] }),
      log,
    ),
    clock: () => performance.now(),
  });

  const server = createServer({
    maxReceiveBytes: settings.maxMessageMb * MIB,
    onInternalError: (error, method) => log.error({ err: error, method }, 'a request failed inside the platform'),
  });
  server.handle(
    SandboxManagerService,
    sandboxManagerHandlers({
      calls,
      drivers,
      artifacts,
      enter: createCallGate(lifecycle, settings.maxCallsInFlight),
      version: VERSION,
    }),
  );
  const health = addHealth(server.grpc, [SandboxManagerService.typeName]);
  addReflection(server.grpc, [file_yuanbot_sandbox_v1_sandbox]);
  if (settings.listen.kind === 'unix') await removeStaleSocket(settings.listen.path);
  const listen = await server.listen(formatAddress(settings.listen));
  await lifecycle.onClose('grpc', () => server.close(lifecycle.signal));
  const operations = createOperationsServer({ state: () => lifecycle.state, checks: {}, metrics, timer: systemTimer, log });
  const http = await operations.listen(settings.http);
  await lifecycle.onClose('http', () => operations.close());
  await lifecycle.onClose('health', () => health.setServing(false));
  health.setServing(true);
  return { listen, http: formatAddress(http) };
}

async function openDrivers(
  config: Config,
  log: Log,
  instance: string,
  { nodePath, pid }: ProcessFacts,
): Promise<readonly SandboxDriver[]> {
  const { docker, thread, wasm } = config.capabilities.sandbox;
  return [
    createDockerDriver({
      socketPath: docker.socket,
      manager: await readManagerIdentity(instance, pid),
      log: (level, message, fields) => log[level]({ ...fields }, message),
      maxContainers: docker.maxContainers,
      maxQueued: docker.queueLimit,
      buildLimitMs: docker.build.timeoutMs,
      buildMemoryMb: docker.build.memoryMb,
      buildNetwork: docker.build.network,
    }),
    createWasmDriver({ nodePath, hosts: wasm.hosts, workersPerHost: wasm.workersPerHost }),
    createThreadDriver({ nodePath, hosts: thread.hosts, workersPerHost: thread.workersPerHost }),
  ];
}
