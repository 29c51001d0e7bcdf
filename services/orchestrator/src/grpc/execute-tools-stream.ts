import type { CallEntry } from '@yuanbot/kit/lifecycle';
import { asRpcError, create, type DuplexCall, type MessageInitShape, RpcStatus, serveCallStream } from '@yuanbot/proto';
import { type CapabilityService, type ExecuteToolRequest, ExecuteToolsResponseSchema } from '@yuanbot/proto/capability';
import { CallRefused } from '../execution/call-refused.ts';
import type { Caller } from '../execution/tool-call.ts';
import type { ToolCalls } from '../execution/tool-calls.ts';
import { refusalStatus } from './refusal-status.ts';
import { fromCallRefused, fromToolCallOutcome, toToolCallRequest } from './tool-call-messages.ts';

export interface ExecuteToolsDeps {
  readonly calls: ToolCalls;
  readonly caller: Caller;
  readonly enter: () => CallEntry;
  readonly onInternalError: (error: Error) => void;
}

/**
 * Calls in flight on one stream before it is read no further: more than a client needs to keep every sandbox busy, and a
 * part of `max_calls_in_flight`, so that one stream cannot take all of it.
 */
const MAX_IN_FLIGHT = 256;

/**
 * The hot path: many calls in flight on one stream, answers as they finish, matched by invocation id. A call that is not one
 * is answered `rejected`, and the stream goes on.
 */
export function serveExecuteTools(
  stream: DuplexCall<typeof CapabilityService.method.executeTools>,
  { calls, caller, enter, onInternalError }: ExecuteToolsDeps,
): void {
  const callStream = serveCallStream(stream, {
    maxInFlight: MAX_IN_FLIGHT,
    onMessage({ message }) {
      if (message.case === 'execute') execute(message.value);
      else if (message.case === 'cancel') callStream.cancel(message.value.invocationId);
    },
  });

  function send(message: MessageInitShape<typeof ExecuteToolsResponseSchema>): void {
    callStream.send(create(ExecuteToolsResponseSchema, message));
  }

  function reject(invocationId: string, { code, message }: { code: RpcStatus; message: string }): void {
    send({ message: { case: 'rejected', value: { invocationId, code, message } } });
  }

  function execute(message: ExecuteToolRequest): void {
    const { invocationId } = message;
    const { leave, refused } = enter();
    if (refused !== undefined) {
      reject(invocationId, refusalStatus(refused));
      return;
    }
    callStream.run(invocationId, async (signal) => {
      try {
        const outcome = await calls.execute(toToolCallRequest(message), caller, signal);
        send({ message: { case: 'result', value: fromToolCallOutcome(outcome) } });
      } catch (error) {
        const status = error instanceof CallRefused ? fromCallRefused(error) : asRpcError(error);
        if (status.code === RpcStatus.INTERNAL) onInternalError(status);
        reject(invocationId, status);
      } finally {
        leave();
      }
    });
  }
}
