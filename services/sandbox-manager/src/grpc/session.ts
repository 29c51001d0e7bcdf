import type { CallEntry } from '@yuanbot/kit/lifecycle';
import { create, type DuplexCall, serveCallStream } from '@yuanbot/proto';
import {
  type SandboxManagerService,
  type SessionRequest,
  type SessionResponse,
  SessionResponseSchema,
  type ToolExecutionRequest,
} from '@yuanbot/proto/sandbox';
import type { CallRunner } from '../execution/run-call.ts';
import { answerCall, refusal } from './answer-call.ts';

export interface SessionDeps {
  readonly calls: CallRunner;
  readonly enter: () => CallEntry;
}

/**
 * One orchestrator's stream: many calls in flight, each answered when it ends. When the stream breaks, its calls are
 * cancelled: nobody would learn what came of them, and their effects are wanted by nobody.
 */
export function serveSession(
  stream: DuplexCall<typeof SandboxManagerService.method.session>,
  { calls, enter }: SessionDeps,
): void {
  /** Who waits for bytes that this peer was asked for, by digest. */
  const wanted = new Map<string, Set<() => void>>();
  const callStream = serveCallStream(stream, {
    // A peer's cancel and its word that bytes are missing must always be read; how many calls there may be, `enter` says.
    maxInFlight: Number.POSITIVE_INFINITY,
    onMessage: ({ message }: SessionRequest) => {
      if (message.case === 'execute') execute(message.value);
      else if (message.case === 'cancel') callStream.cancel(message.value.invocationId);
      else if (message.case === 'artifactMissing') missing(message.value.digest);
    },
  });

  function send(message: SessionResponse['message']): void {
    callStream.send(create(SessionResponseSchema, { message }));
  }

  function missing(digest: string): void {
    for (const tell of wanted.get(digest) ?? []) tell();
    wanted.delete(digest);
  }

  /** Resolves when the peer says that it does not have the bytes; having them, it puts them, which is seen elsewhere. */
  function want(digest: string): Promise<void> {
    return new Promise((resolve) => {
      wanted.set(digest, (wanted.get(digest) ?? new Set()).add(resolve));
      send({ case: 'artifactWanted', value: { $typeName: 'yuanbot.sandbox.v1.ArtifactWanted', digest } });
    });
  }

  function execute(message: ToolExecutionRequest): void {
    const { leave, refused } = enter();
    if (refused !== undefined) {
      send({ case: 'outcome', value: refusal(message.invocationId, REFUSALS[refused].code, REFUSALS[refused].message) });
      return;
    }
    callStream.run(message.invocationId, async (signal) => {
      try {
        send({ case: 'outcome', value: await answerCall(calls, message, signal, want) });
      } finally {
        leave();
      }
    });
  }
}

export const REFUSALS = {
  draining: { code: 'ERR_SANDBOX_UNAVAILABLE', message: 'The sandbox manager is shutting down and takes no new calls.' },
  full: {
    code: 'ERR_POOL_EXHAUSTED',
    message: 'As many calls are in flight as may be (sandbox_manager.max_calls_in_flight). Try again shortly.',
  },
} as const;
