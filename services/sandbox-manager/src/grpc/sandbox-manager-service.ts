import { asToolCallError, type SandboxDriver } from '@yuanbot/contract';
import { type CallContext, type Handlers, RpcError, RpcStatus } from '@yuanbot/proto';
import type { PutArtifactRequest, SandboxManagerService } from '@yuanbot/proto/sandbox';
import type { ArtifactStore } from '../execution/artifacts.ts';
import type { CallRunner } from '../execution/run-call.ts';
import { answerCall } from './answer-call.ts';
import { fromStatus, toExecutor } from './messages.ts';
import { serveSession } from './session.ts';

export interface SandboxManagerServiceDeps {
  readonly calls: CallRunner;
  readonly drivers: readonly SandboxDriver[];
  readonly artifacts: ArtifactStore;
  /** Counts a call as in flight; undefined while the service drains. */
  readonly enter: () => (() => void) | undefined;
  /** Largest artifact taken, in bytes. */
  readonly maxArtifactBytes: number;
  readonly version: string;
}

/** `yuanbot.sandbox.v1.SandboxManagerService`: messages in, domain calls, messages out. */
export function sandboxManagerHandlers(deps: SandboxManagerServiceDeps): Handlers<typeof SandboxManagerService> {
  const { calls, drivers, artifacts, enter, maxArtifactBytes, version } = deps;

  async function counted<T>(work: () => Promise<T>): Promise<T> {
    const leave = enter();
    if (leave === undefined)
      throw new RpcError(RpcStatus.UNAVAILABLE, 'The sandbox manager is shutting down and takes no new calls.');
    try {
      return await work();
    } finally {
      leave();
    }
  }

  return {
    execute: ({ call }, { signal }) =>
      counted(async () => {
        if (call === undefined) throw new RpcError(RpcStatus.INVALID_ARGUMENT, 'The request carries no call.');
        return { outcome: await answerCall(calls, call, signal) };
      }),
    session: (stream) => serveSession(stream, { calls, enter, artifactMissing: artifacts.declareMissing }),
    prepare: ({ executor, authToken }, { signal }) =>
      counted(async () => {
        try {
          const missingArtifacts = await calls.prepare(toExecutor(executor), authToken, signal);
          return { ready: missingArtifacts.length === 0, missingArtifacts: [...missingArtifacts] };
        } catch (error) {
          const { code, message } = asToolCallError(error);
          return { ready: false, errorCode: code, error: message };
        }
      }),
    async putArtifact(requests: AsyncIterable<PutArtifactRequest>, _context: CallContext) {
      const { digest, data } = await collect(requests, maxArtifactBytes);
      if (await artifacts.has(digest).catch(refuseArtifact)) {
        await artifacts.get(digest);
        return { digest, alreadyThere: true };
      }
      await artifacts.put(digest, data).catch(refuseArtifact);
      return { digest };
    },
    async describe() {
      return { sandboxes: (await Promise.all(drivers.map((driver) => driver.describe()))).map(fromStatus), version };
    },
  };
}

async function collect(
  requests: AsyncIterable<PutArtifactRequest>,
  maxBytes: number,
): Promise<{ digest: string; data: Uint8Array }> {
  const chunks: Uint8Array[] = [];
  let digest = '';
  let size = 0;
  for await (const request of requests) {
    digest ||= request.digest;
    size += request.data.byteLength;
    if (size > maxBytes) {
      throw new RpcError(
        RpcStatus.RESOURCE_EXHAUSTED,
        `An artifact may have ${maxBytes} bytes at most (sandbox_manager.max_artifact_mb).`,
      );
    }
    chunks.push(request.data);
  }
  return { digest, data: Buffer.concat(chunks) };
}

function refuseArtifact(error: unknown): never {
  if (error instanceof RangeError)
    throw new RpcError(RpcStatus.INVALID_ARGUMENT, `The artifact was refused: ${error.message}.`, { cause: error });
  throw error;
}
