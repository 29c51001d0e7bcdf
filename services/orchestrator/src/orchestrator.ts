import { randomUUID } from 'node:crypto';
import { ERROR_CODES, SANDBOX_KINDS } from '@yuanbot/contract';
import { formatAddress } from '@yuanbot/kit/config';
import { createCallMemory } from '@yuanbot/kit/idempotency';
import { createCallGate, systemTimer } from '@yuanbot/kit/lifecycle';
import { createCallMetrics, createIndexMetrics, createMetricsRegistry } from '@yuanbot/kit/metrics';
import { createOperationsServer, removeStaleSocket } from '@yuanbot/kit/operations-http';
import type { ServiceContext, ServiceEndpoints } from '@yuanbot/kit/service';
import { createTokenMinter, ensureKeys, readSigningKey, TOKEN_AUDIENCE, TOKEN_ISSUER } from '@yuanbot/kit/token';
import { addHealth, addReflection, createClient, createServer } from '@yuanbot/proto';
import { CapabilityService, file_yuanbot_capability_v1_capability } from '@yuanbot/proto/capability';
import { SandboxManagerService } from '@yuanbot/proto/sandbox';
import { createCallReport, SANDBOX_LABELS_BESIDE_KINDS } from './execution/call-report.ts';
import { lacksSandbox, prepareTools } from './execution/preparation.ts';
import { createSchemaValidators } from './execution/schema-validator.ts';
import type { ToolCallOutcome } from './execution/tool-call.ts';
import { createToolCalls } from './execution/tool-calls.ts';
import { createPluginFiles } from './files/create-plugin-files.ts';
import { capabilityHandlers } from './grpc/capability-service.ts';
import { createGrpcSandboxLink } from './grpc/sandbox-link.ts';
import { createLoadForIntent } from './loading/load-for-intent.ts';
import { createReadResource } from './loading/read-resource.ts';
import { rankById } from './matching/rank.ts';
import { createRegistry } from './registry/create-registry.ts';
import type { Tool } from './registry/model.ts';

const MIB = 1024 * 1024;

/** Keys of idempotent calls kept at most: ten minutes of 300 a second. */
const MAX_REMEMBERED_CALLS = 200_000;

/** How often a sandbox that was missing is looked for again, in ms, so that the listing follows an engine that comes. */
const LOOK_AGAIN_MS = 30_000;

/** Composes the orchestrator from its parts and starts it. */
export async function startOrchestrator({ config, log, lifecycle }: ServiceContext): Promise<ServiceEndpoints> {
  const now = () => Date.now();
  const clock = () => performance.now();
  const settings = config.orchestrator;
  const { capabilities, plugins } = config;

  await ensureKeys(config.dataDir);
  const mint = createTokenMinter({
    key: await readSigningKey(config.dataDir),
    issuer: TOKEN_ISSUER,
    audience: TOKEN_AUDIENCE,
    now,
  });

  const registry = await createRegistry({
    sources: [
      { name: 'system', files: createPluginFiles(plugins.system) },
      { name: 'user', files: createPluginFiles(plugins.user) },
    ],
    defaults: {
      sandboxKind: capabilities.sandbox.defaultType,
      limits: { timeoutMs: capabilities.toolExecutionTimeoutMs, ...capabilities.defaultLimits },
    },
    log,
  });

  const metrics = createMetricsRegistry({ service: 'orchestrator' });
  const indexMetrics = createIndexMetrics({ registry: metrics });
  for (const kind of ['skill', 'tool'] as const) {
    indexMetrics.reportIndexSize(
      kind,
      registry
        .snapshot()
        .all()
        .filter((capability) => capability.kind === kind && capability.enabled).length,
    );
  }

  const validatorFor = createSchemaValidators();
  const preparing = new AbortController();
  await lifecycle.onClose('preparation', () => preparing.abort());
  const manager = createClient(SandboxManagerService, formatAddress(config.sandboxManager.listen));
  await lifecycle.onClose('manager client', () => manager.close());
  let roundsUnderWay = 0;
  const prepare = async (isDue?: (tool: Tool) => boolean): Promise<void> => {
    roundsUnderWay++;
    await prepareTools(
      {
        registry,
        link,
        mint,
        validatorFor,
        newId: randomUUID,
        clock,
        onPrepared({ id }, problem, ms) {
          if (problem === undefined) log.debug({ tool_id: id, ms }, 'tool ready');
          else log.warn({ tool_id: id, ms, problem }, 'tool not ready');
        },
      },
      preparing.signal,
      isDue,
    ).finally(() => roundsUnderWay--);
  };
  const link = createGrpcSandboxLink({
    client: manager,
    readArtifact: registry.readArtifact,
    onConnected() {
      log.info({}, 'connected to the sandbox manager');
      void prepare();
    },
    onDisconnected: (reason) => log.warn({ reason }, 'lost the sandbox manager; connecting again'),
  });
  await lifecycle.onClose('sandbox link', () => link.close());
  // A round that builds images outlasts the interval; it looks at the same tools itself.
  const lookingAgain = setInterval(() => {
    if (roundsUnderWay === 0) void prepare(lacksSandbox);
  }, LOOK_AGAIN_MS);
  await lifecycle.onClose('looking again', () => clearInterval(lookingAgain));

  const calls = createToolCalls({
    registry,
    link,
    mint,
    memory: createCallMemory<ToolCallOutcome>({
      ttlMs: settings.idempotency.ttlMs,
      maxBytes: settings.idempotency.cacheMb * MIB,
      maxKeys: MAX_REMEMBERED_CALLS,
      now,
    }),
    validatorFor,
    observer: createCallReport(
      createCallMetrics({
        registry: metrics,
        isKnownTool: (id) => registry.snapshot().tool(id) !== undefined,
        sandboxes: [...SANDBOX_KINDS, ...SANDBOX_LABELS_BESIDE_KINDS],
        codes: ['ok', ...ERROR_CODES],
      }),
      log,
    ),
    maxParamsBytes: capabilities.maxParamsBytes,
    clock,
  });

  const server = createServer({
    maxReceiveBytes: settings.maxMessageMb * MIB,
    onInternalError: (error, method) => log.error({ err: error, method }, 'a request failed inside the platform'),
  });
  server.handle(
    CapabilityService,
    capabilityHandlers({
      registry,
      loadForIntent: createLoadForIntent(
        {
          strategy: capabilities.loadingStrategy,
          maxSkills: capabilities.maxSkillsPerTurn,
          maxTools: capabilities.maxToolsPerTurn,
        },
        rankById,
      ),
      readResource: createReadResource(plugins.resourceCacheMb * MIB),
      calls,
      enter: createCallGate(lifecycle, settings.maxCallsInFlight),
      onInternalError: (error) => log.error({ err: error, method: 'ExecuteTools' }, 'a request failed inside the platform'),
    }),
  );
  const health = addHealth(server.grpc, [CapabilityService.typeName]);
  addReflection(server.grpc, [file_yuanbot_capability_v1_capability]);
  if (settings.listen.kind === 'unix') await removeStaleSocket(settings.listen.path);
  const listen = await server.listen(formatAddress(settings.listen));
  await lifecycle.onClose('grpc', () => server.close(lifecycle.signal));
  const operations = createOperationsServer({
    state: () => lifecycle.state,
    checks: { sandbox_manager: () => (link.connected ? undefined : 'The sandbox manager cannot be reached.') },
    metrics,
    timer: systemTimer,
    log,
  });
  const http = await operations.listen(settings.http);
  await lifecycle.onClose('http', () => operations.close());
  await lifecycle.onClose('health', () => health.setServing(false));
  health.setServing(true);
  return { listen, http: formatAddress(http) };
}
