import type { ExecutorDescriptor } from '@yuanbot/contract';
import { type ErrorCode, isErrorCode } from '@yuanbot/contract';
import type { RpcClient } from '@yuanbot/proto';
import { create } from '@yuanbot/proto';
import {
  Disposition,
  type Executor,
  ExecutorKind,
  ExecutorSchema,
  type SandboxManagerService,
  type SessionRequest,
  SessionRequestSchema,
  type SessionResponse,
  type ToolExecutionResponse,
  ToolProtocol,
} from '@yuanbot/proto/sandbox';
import type { LinkCall, LinkOutcome, PrepareOutcome, SandboxLink } from '../execution/sandbox-link.ts';

/** How long a call waits for the link to come up before it is answered ERR_SANDBOX_UNAVAILABLE, in ms: one reconnect. */
const CONNECT_WAIT_MS = 2_000;

/** Pause between attempts to connect, in ms: doubled from the first to the last. */
const RECONNECT_FIRST_MS = 50;
const RECONNECT_LAST_MS = 2_000;

/** Artifacts travel in pieces of this many bytes: well under any message limit. */
const ARTIFACT_CHUNK_BYTES = 256 * 1024;

/** The longest a tool is being made ready, in ms: an image build. */
const PREPARE_TIMEOUT_MS = 600_000;

export interface GrpcSandboxLinkOptions {
  readonly client: RpcClient<typeof SandboxManagerService>;
  readonly readArtifact: (digest: string) => Promise<Uint8Array | undefined>;
  readonly onConnected: () => void;
  readonly onDisconnected: (reason: string) => void;
}

export interface GrpcSandboxLink extends SandboxLink {
  readonly connected: boolean;
  /** Ends the stream; calls in flight are answered as lost. */
  close(): void;
}

type Session = ReturnType<RpcClient<typeof SandboxManagerService>['session']>;

/** One long bidirectional stream to the sandbox manager, kept up for as long as the process lives. */
export function createGrpcSandboxLink(options: GrpcSandboxLinkOptions): GrpcSandboxLink {
  const { client, readArtifact, onConnected, onDisconnected } = options;
  const pending = new Map<string, (outcome: LinkOutcome) => void>();
  const waiting = new Set<() => void>();
  let session: Session | undefined;
  let ready = false;
  let closed = false;
  let pauseMs = RECONNECT_FIRST_MS;

  function connect(): void {
    const opened = client.session();
    session = opened;
    // The manager answers the stream's headers at once: from then on it reads what we write.
    opened.once('metadata', () => {
      ready = true;
      pauseMs = RECONNECT_FIRST_MS;
      for (const resume of waiting) resume();
      onConnected();
    });
    opened.on('data', receive);
    // The status comes last and always; the error event only repeats it.
    opened.on('error', () => {});
    opened.once('status', ({ details }) => disconnected(opened, details));
  }

  function disconnected(old: Session, reason: string): void {
    if (session !== old) return;
    session = undefined;
    const wasReady = ready;
    ready = false;
    for (const settle of pending.values()) settle(LOST);
    pending.clear();
    if (closed) return;
    if (wasReady) onDisconnected(reason);
    setTimeout(() => {
      if (!closed) connect();
    }, pauseMs);
    pauseMs = Math.min(pauseMs * 2, RECONNECT_LAST_MS);
  }

  function receive({ message }: SessionResponse): void {
    switch (message.case) {
      case 'outcome': {
        const settle = pending.get(message.value.invocationId);
        pending.delete(message.value.invocationId);
        settle?.(toLinkOutcome(message.value));
        break;
      }
      case 'artifactWanted':
        void sendArtifact(message.value.digest);
        break;
    }
  }

  /** The manager waits for the bytes, or for the word that there are none; any failure here means there are none. */
  async function sendArtifact(digest: string): Promise<void> {
    const sent = await putArtifact(digest).catch(() => false);
    if (!sent) write({ case: 'artifactMissing', value: { $typeName: 'yuanbot.sandbox.v1.ArtifactMissing', digest } });
  }

  async function putArtifact(digest: string): Promise<boolean> {
    const data = await readArtifact(digest);
    if (data === undefined) return false;
    await client.putArtifact(chunks(digest, data));
    return true;
  }

  function write(message: SessionRequest['message']): void {
    session?.write(create(SessionRequestSchema, { message }));
  }

  function connectedWithin(signal: AbortSignal): Promise<void> {
    if (ready || closed) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        waiting.delete(done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, CONNECT_WAIT_MS);
      waiting.add(done);
      signal.addEventListener('abort', done, { once: true });
    });
  }

  connect();
  return {
    get connected() {
      return ready;
    },
    async execute(call, signal) {
      if (!ready) await connectedWithin(signal);
      if (signal.aborted) return CANCELLED_BEFORE;
      if (!ready) return DOWN;
      return new Promise((resolve) => {
        const cancel = () =>
          write({ case: 'cancel', value: { $typeName: 'yuanbot.sandbox.v1.Cancel', invocationId: call.invocationId } });
        pending.set(call.invocationId, (outcome) => {
          signal.removeEventListener('abort', cancel);
          resolve(outcome);
        });
        signal.addEventListener('abort', cancel, { once: true });
        write({ case: 'execute', value: toRequest(call) });
      });
    },
    async prepare(executor, token, signal): Promise<PrepareOutcome> {
      try {
        const request = { executor: toExecutor(executor), authToken: token };
        let answer = await client.prepare(request, { signal, timeoutMs: PREPARE_TIMEOUT_MS });
        if (answer.missingArtifacts.length > 0) {
          for (const digest of answer.missingArtifacts) {
            if (!(await putArtifact(digest))) return { ready: false, code: 'ERR_SANDBOX_START', message: CODE_GONE };
          }
          answer = await client.prepare(request, { signal, timeoutMs: PREPARE_TIMEOUT_MS });
        }
        return answer.ready ? { ready: true } : { ready: false, code: toCode(answer.errorCode), message: answer.error };
      } catch (error) {
        return { ready: false, code: 'ERR_SANDBOX_UNAVAILABLE', message: error instanceof Error ? error.message : String(error) };
      }
    },
    close() {
      closed = true;
      for (const resume of waiting) resume();
      session?.cancel();
    },
  };
}

const CODE_GONE = "The tool's code is gone; it was changed or removed meanwhile.";

function failed(disposition: LinkOutcome['disposition'], code: ErrorCode, message: string): LinkOutcome {
  return { disposition, contentJson: '', parts: [], error: { code, message }, stats: undefined };
}

const DOWN = failed(
  'not_run',
  'ERR_SANDBOX_UNAVAILABLE',
  'The sandbox manager cannot be reached; nothing was run. Try again shortly.',
);
const CANCELLED_BEFORE = failed('not_run', 'ERR_CANCELLED', 'The call was cancelled before the tool started.');
const LOST = failed('lost', 'ERR_SANDBOX_CRASHED', 'The connection to the sandbox manager was lost while the call ran.');

const KINDS = {
  docker: ExecutorKind.DOCKER,
  wasm: ExecutorKind.WASM,
  local_thread: ExecutorKind.LOCAL_THREAD,
} as const satisfies Record<ExecutorDescriptor['kind'], ExecutorKind>;

/** Descriptors are frozen and few; their messages are made once. */
const executorMessages = new WeakMap<ExecutorDescriptor, Executor>();

function toExecutor(descriptor: ExecutorDescriptor): Executor {
  let message = executorMessages.get(descriptor);
  if (message === undefined) {
    const { kind, image, artifact, command, env, protocol, network, resources } = descriptor;
    message = create(ExecutorSchema, {
      kind: KINDS[kind],
      image,
      artifactDigest: artifact,
      protocol: protocol === 'serve' ? ToolProtocol.SERVE : ToolProtocol.ONESHOT,
      command: [...command],
      env: [...env],
      network,
      resources: resources.map(({ path, digest }) => ({ path, digest })),
    });
    executorMessages.set(descriptor, message);
  }
  return message;
}

function toRequest({ toolId, invocationId, paramsJson, token, executor }: LinkCall) {
  return {
    $typeName: 'yuanbot.sandbox.v1.ToolExecutionRequest' as const,
    toolId,
    invocationId,
    params: {},
    authToken: token,
    paramsJson,
    executor: toExecutor(executor),
  };
}

const DISPOSITIONS: Readonly<Record<Disposition, LinkOutcome['disposition']>> = {
  [Disposition.UNSPECIFIED]: 'lost',
  [Disposition.RAN]: 'ran',
  [Disposition.NOT_RUN]: 'not_run',
  [Disposition.CONFLICT]: 'conflict',
  [Disposition.FORGOTTEN]: 'forgotten',
};

function toLinkOutcome(answer: ToolExecutionResponse): LinkOutcome {
  const { stats } = answer;
  return {
    disposition: DISPOSITIONS[answer.disposition] ?? 'lost',
    contentJson: answer.resultJson,
    parts: answer.parts.map(({ mediaType, data, uri, name }) => ({
      mediaType,
      data: Buffer.from(data).toString('base64'),
      uri,
      name,
    })),
    error: answer.success ? undefined : { code: toCode(answer.errorCode), message: answer.error ?? '' },
    stats:
      stats === undefined
        ? undefined
        : {
            queueMs: stats.queueMs,
            startMs: stats.startMs,
            runMs: stats.runMs,
            peakMemoryBytes: Number(stats.peakMemoryBytes),
            warm: stats.warm,
            steps: stats.steps,
            isolation: stats.isolation,
          },
  };
}

function toCode(text: string): ErrorCode {
  return isErrorCode(text) ? text : 'ERR_INTERNAL';
}

function* chunks(digest: string, data: Uint8Array) {
  if (data.byteLength === 0) yield { digest, data };
  for (let at = 0; at < data.byteLength; at += ARTIFACT_CHUNK_BYTES)
    yield { digest, data: data.subarray(at, at + ARTIFACT_CHUNK_BYTES) };
}
