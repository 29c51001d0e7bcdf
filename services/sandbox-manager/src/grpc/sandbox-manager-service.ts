import { asToolCallError, type SandboxDriver } from '@yuanbot/contract';
import type { CallEntry } from '@yuanbot/kit/lifecycle';
import { type CallContext, type Handlers, RpcError, RpcStatus } from '@yuanbot/proto';
import type { PutArtifactRequest, SandboxManagerService } from '@yuanbot/proto/sandbox';
import type { ArtifactStore } from '../execution/artifacts.ts';
import type { CallRunner } from '../execution/run-call.ts';
import { answerCall } from './answer-call.ts';
import { fromStatus, toExecutor } from './messages.ts';
import { REFUSALS, serveSession } from './session.ts';
import { createUploadQueue } from './upload-queue.ts';

export interface SandboxManagerServiceDeps {
  readonly calls: CallRunner;
  readonly drivers: readonly SandboxDriver[];
  readonly artifacts: ArtifactStore;
  readonly enter: () => CallEntry;
  readonly version: string;
}

/** `yuanbot.sandbox.v1.SandboxManagerService`: messages in, domain calls, messages out. */
export function sandboxManagerHandlers(deps: SandboxManagerServiceDeps): Handlers<typeof SandboxManagerService> {
  const { calls, drivers, artifacts, enter, version } = deps;

  const uploads = createUploadQueue(MAX_UPLOADS);

  async function counted<T>(work: () => Promise<T>): Promise<T> {
    const { leave, refused } = enter();
    if (refused !== undefined) {
      throw new RpcError(refused === 'full' ? RpcStatus.RESOURCE_EXHAUSTED : RpcStatus.UNAVAILABLE, REFUSALS[refused].message);
    }
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
    session: (stream) => serveSession(stream, { calls, enter }),
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
    putArtifact: (requests: AsyncIterable<PutArtifactRequest>, { signal }: CallContext) =>
      uploads.run(signal, async () => {
        const { digest, data } = await collect(requests);
        return { digest, alreadyThere: await artifacts.put(digest, data).catch(refuseArtifact) };
      }),
    async describe() {
      return { sandboxes: (await Promise.all(drivers.map((driver) => driver.describe()))).map(fromStatus), version };
    },
  };
}

/** The largest artifact taken, in bytes: 64 MiB, the largest build context. */
const MAX_ARTIFACT_BYTES = 64 * 1024 * 1024;
/** Uploads read at one time; with the size above it bounds the memory that they take. */
const MAX_UPLOADS = 4;

async function collect(requests: AsyncIterable<PutArtifactRequest>): Promise<{ digest: string; data: Uint8Array }> {
  const chunks: Uint8Array[] = [];
  let digest = '';
  let size = 0;
  for await (const request of requests) {
    digest ||= request.digest;
    size += request.data.byteLength;
    if (size > MAX_ARTIFACT_BYTES) {
      throw new RpcError(RpcStatus.RESOURCE_EXHAUSTED, `An artifact may have ${MAX_ARTIFACT_BYTES} bytes at most.`);
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
