import type { ExecutorDescriptor, SandboxKind, SandboxStatus } from '@yuanbot/contract';
import { ToolCallError } from '@yuanbot/contract';
import { canonicalJson } from '@yuanbot/kit/canonical';
import { create, type MessageInitShape } from '@yuanbot/proto';
import {
  Disposition,
  type Executor,
  ExecutorKind,
  type SandboxSchema,
  type ToolExecutionRequest,
  type ToolExecutionResponse,
  ToolExecutionResponseSchema,
  ToolProtocol,
} from '@yuanbot/proto/sandbox';
import type { CallRequest } from '../execution/admission.ts';
import type { CallOutcome } from '../execution/run-call.ts';

/** The one translation between the link's messages and the domain. */

const KINDS: ReadonlyMap<ExecutorKind, SandboxKind> = new Map([
  [ExecutorKind.DOCKER, 'docker'],
  [ExecutorKind.WASM, 'wasm'],
  [ExecutorKind.LOCAL_THREAD, 'local_thread'],
]);

const KIND_MESSAGES: Readonly<Record<SandboxKind, ExecutorKind>> = {
  docker: ExecutorKind.DOCKER,
  wasm: ExecutorKind.WASM,
  local_thread: ExecutorKind.LOCAL_THREAD,
};

const DIGEST = /^sha256:[0-9a-f]{64}$/;

/** Throws ERR_TOKEN_INVALID for a message that no token of ours can be about. */
export function toCallRequest(message: ToolExecutionRequest): CallRequest {
  return {
    toolId: message.toolId,
    invocationId: message.invocationId,
    paramsJson: message.paramsJson === '' ? canonicalJson(message.params) : message.paramsJson,
    token: message.authToken,
    executor: toExecutor(message.executor),
  };
}

export function toExecutor(message: Executor | undefined): ExecutorDescriptor {
  const kind = message === undefined ? undefined : KINDS.get(message.kind);
  if (message === undefined || kind === undefined) throw new ToolCallError('ERR_TOKEN_INVALID', 'The request names no executor.');
  const digests = [message.artifactDigest, ...message.resources.map(({ digest }) => digest)];
  if (!digests.every((digest) => digest === '' || DIGEST.test(digest))) {
    throw new ToolCallError('ERR_TOKEN_INVALID', 'The request names code by something that is no digest.');
  }
  return {
    kind,
    image: message.image,
    artifact: message.artifactDigest,
    command: message.command,
    env: message.env,
    protocol: message.protocol === ToolProtocol.SERVE ? 'serve' : 'oneshot',
    network: message.network === 'proxy' ? 'proxy' : 'none',
    resources: message.resources.map(({ path, digest }) => ({ path, digest })),
  };
}

const DISPOSITIONS = {
  ran: Disposition.RAN,
  not_run: Disposition.NOT_RUN,
  conflict: Disposition.CONFLICT,
  forgotten: Disposition.FORGOTTEN,
} as const satisfies Record<CallOutcome['disposition'], Disposition>;

export function fromOutcome(
  invocationId: string,
  { disposition, contentJson, parts, error, stats }: CallOutcome,
): ToolExecutionResponse {
  return create(ToolExecutionResponseSchema, {
    invocationId,
    success: error === undefined,
    resultJson: contentJson ?? '',
    ...(error === undefined ? {} : { error: error.message, errorCode: error.code }),
    ...(stats === undefined ? {} : { stats: { ...stats, peakMemoryBytes: BigInt(stats.peakMemoryBytes) } }),
    parts: parts.map(({ data, ...part }) => ({ ...part, data: Buffer.from(data, 'base64') })),
    disposition: DISPOSITIONS[disposition],
  });
}

export function fromStatus({
  kind,
  available,
  isolation,
  reason,
  warm,
  busy,
  capacity,
}: SandboxStatus): MessageInitShape<typeof SandboxSchema> {
  return { kind: KIND_MESSAGES[kind], available, isolation, reason, warm, busy, capacity };
}
