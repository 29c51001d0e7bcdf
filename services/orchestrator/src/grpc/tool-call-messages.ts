import type { SandboxKind } from '@yuanbot/contract';
import { type MessageInitShape, RpcError, RpcStatus } from '@yuanbot/proto';
import {
  type ExecuteToolRequest,
  SandboxKind as SandboxKindMessage,
  type ToolExecutionResultSchema,
} from '@yuanbot/proto/capability';
import type { CallRefused } from '../execution/call-refused.ts';
import type { ToolCallOutcome, ToolCallRequest } from '../execution/tool-call.ts';
import { toLocale } from '../messages/catalogue.ts';

/** The translation between ExecuteTool's messages and the domain's calls. */

export function toToolCallRequest(message: ExecuteToolRequest): ToolCallRequest {
  return {
    toolId: message.toolId,
    invocationId: message.invocationId,
    paramsJson: message.paramsJson,
    userId: message.userId,
    sessionId: message.sessionId,
    roles: message.roles,
    timeoutMs: message.timeoutMs,
    locale: toLocale(message.locale),
  };
}

export const SANDBOX_KIND_MESSAGES = {
  docker: SandboxKindMessage.DOCKER,
  wasm: SandboxKindMessage.WASM,
  local_thread: SandboxKindMessage.LOCAL_THREAD,
} as const satisfies Record<SandboxKind, SandboxKindMessage>;

export function fromToolCallOutcome(outcome: ToolCallOutcome): MessageInitShape<typeof ToolExecutionResultSchema> {
  const { invocationId, toolId, contentJson, parts, error, stats } = outcome;
  const { execution } = stats;
  return {
    invocationId,
    toolId,
    success: error === undefined,
    resultJson: contentJson ?? '',
    ...(error === undefined ? {} : { error: error.message, errorCode: error.code }),
    parts: parts.map(({ mediaType, data, uri, name }) => ({ mediaType, data: Buffer.from(data, 'base64'), uri, name })),
    stats: {
      sandbox: stats.sandbox === undefined ? SandboxKindMessage.UNSPECIFIED : SANDBOX_KIND_MESSAGES[stats.sandbox],
      totalMs: stats.totalMs,
      fallback: stats.fallback,
      ...(execution === undefined
        ? {}
        : {
            queueMs: execution.queueMs,
            startMs: execution.startMs,
            runMs: execution.runMs,
            peakMemoryBytes: BigInt(execution.peakMemoryBytes),
            warm: execution.warm,
            steps: execution.steps,
            isolation: execution.isolation,
          }),
    },
  };
}

const STATUSES = {
  invalid_argument: RpcStatus.INVALID_ARGUMENT,
  failed_precondition: RpcStatus.FAILED_PRECONDITION,
  resource_exhausted: RpcStatus.RESOURCE_EXHAUSTED,
  unavailable: RpcStatus.UNAVAILABLE,
} as const satisfies Record<CallRefused['reason'], RpcStatus>;

export function fromCallRefused(refused: CallRefused): RpcError {
  return new RpcError(STATUSES[refused.reason], refused.message, { cause: refused });
}
