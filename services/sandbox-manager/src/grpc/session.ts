import { create, type DuplexCall } from '@yuanbot/proto';
import {
  type SandboxManagerService,
  type SessionRequest,
  type SessionResponse,
  SessionResponseSchema,
  type ToolExecutionRequest,
  type ToolExecutionResponse,
} from '@yuanbot/proto/sandbox';
import type { CallRunner } from '../execution/run-call.ts';
import { answerCall, refusal } from './answer-call.ts';

export interface SessionDeps {
  readonly calls: CallRunner;
  /** Counts a call as in flight; undefined while the service drains and takes no new ones. */
  readonly enter: () => (() => void) | undefined;
  readonly artifactMissing: (digest: string) => void;
}

/**
 * One orchestrator's stream: many calls in flight, each answered when it ends. When the stream breaks, its calls are
 * cancelled: nobody would learn what came of them, and their effects are wanted by nobody.
 */
export function serveSession(
  stream: DuplexCall<typeof SandboxManagerService.method.session>,
  { calls, enter, artifactMissing }: SessionDeps,
): void {
  const running = new Map<string, Set<AbortController>>();
  let inFlight = 0;
  let halfClosed = false;

  function send(message: SessionResponse['message']): void {
    if (!stream.cancelled && !stream.destroyed) stream.write(create(SessionResponseSchema, { message }));
  }

  function answer(value: ToolExecutionResponse): void {
    send({ case: 'outcome', value });
  }

  async function execute(message: ToolExecutionRequest): Promise<void> {
    const { invocationId } = message;
    const leave = enter();
    if (leave === undefined) {
      answer(refusal(invocationId, 'ERR_SANDBOX_UNAVAILABLE', 'The sandbox manager is shutting down and takes no new calls.'));
      return;
    }
    const controller = new AbortController();
    const sameId = running.get(invocationId) ?? new Set();
    running.set(invocationId, sameId.add(controller));
    inFlight++;
    try {
      const want = (digest: string) =>
        send({ case: 'artifactWanted', value: { $typeName: 'yuanbot.sandbox.v1.ArtifactWanted', digest } });
      answer(await answerCall(calls, message, controller.signal, want));
    } finally {
      inFlight--;
      sameId.delete(controller);
      if (sameId.size === 0) running.delete(invocationId);
      leave();
      if (halfClosed && inFlight === 0) stream.end();
    }
  }

  stream.on('data', ({ message }: SessionRequest) => {
    switch (message.case) {
      case 'execute':
        void execute(message.value);
        break;
      case 'cancel':
        for (const controller of running.get(message.value.invocationId) ?? []) controller.abort();
        break;
      case 'artifactMissing':
        artifactMissing(message.value.digest);
        break;
    }
  });
  stream.on('end', () => {
    halfClosed = true;
    if (inFlight === 0) stream.end();
  });
  const abandon = () => {
    for (const sameId of running.values()) for (const controller of sameId) controller.abort();
  };
  stream.on('cancelled', abandon);
  stream.on('error', abandon);
}
