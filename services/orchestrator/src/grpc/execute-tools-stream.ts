import { asRpcError, create, type DuplexCall, type MessageInitShape, RpcStatus } from '@yuanbot/proto';
import {
  type CapabilityService,
  type ExecuteToolRequest,
  type ExecuteToolsRequest,
  type ExecuteToolsResponse,
  ExecuteToolsResponseSchema,
} from '@yuanbot/proto/capability';
import { CallRefused } from '../execution/call-refused.ts';
import type { Caller } from '../execution/tool-call.ts';
import type { ToolCalls } from '../execution/tool-calls.ts';
import { fromCallRefused, fromToolCallOutcome, toToolCallRequest } from './tool-call-messages.ts';

type Call = DuplexCall<typeof CapabilityService.method.executeTools>;

export interface ExecuteToolsDeps {
  readonly calls: ToolCalls;
  readonly caller: Caller;
  /** Counts a call as in flight; undefined while the service drains and takes no new ones. */
  readonly enter: () => (() => void) | undefined;
  /** Calls in flight on one stream; beyond it the stream is not read, and the caller feels back-pressure. */
  readonly maxInFlight: number;
  readonly onInternalError: (error: Error) => void;
}

/**
 * The hot path: many calls in flight on one stream, answers as they finish, matched by invocation id. A call that is not one is
 * answered `rejected`, and the stream goes on. When the caller ends its side, the rest is still answered; when it
 * cancels or disconnects, its calls are cancelled.
 */
export function serveExecuteTools(stream: Call, { calls, caller, enter, maxInFlight, onInternalError }: ExecuteToolsDeps): void {
  const running = new Map<string, Set<AbortController>>();
  let inFlight = 0;
  let halfClosed = false;

  function send(message: MessageInitShape<typeof ExecuteToolsResponseSchema>): void {
    if (!stream.cancelled && !stream.destroyed) stream.write(create(ExecuteToolsResponseSchema, message) as ExecuteToolsResponse);
  }

  function reject(invocationId: string, code: RpcStatus, message: string): void {
    send({ message: { case: 'rejected', value: { invocationId, code, message } } });
  }

  async function execute(message: ExecuteToolRequest): Promise<void> {
    const { invocationId } = message;
    const leave = enter();
    if (leave === undefined) {
      reject(invocationId, RpcStatus.UNAVAILABLE, SHUTTING_DOWN);
      return;
    }
    const controller = new AbortController();
    const sameId = running.get(invocationId) ?? new Set();
    running.set(invocationId, sameId.add(controller));
    if (++inFlight >= maxInFlight) stream.pause();
    try {
      const outcome = await calls.execute(toToolCallRequest(message), caller, controller.signal);
      send({ message: { case: 'result', value: fromToolCallOutcome(outcome) } });
    } catch (error) {
      const status = error instanceof CallRefused ? fromCallRefused(error) : asRpcError(error);
      if (status.code === RpcStatus.INTERNAL) onInternalError(status);
      reject(invocationId, status.code, status.message);
    } finally {
      sameId.delete(controller);
      if (sameId.size === 0) running.delete(invocationId);
      if (inFlight-- === maxInFlight) stream.resume();
      leave();
      if (halfClosed && inFlight === 0) stream.end();
    }
  }

  stream.on('data', ({ message }: ExecuteToolsRequest) => {
    switch (message.case) {
      case 'execute':
        void execute(message.value);
        break;
      case 'cancel':
        for (const controller of running.get(message.value.invocationId) ?? []) controller.abort();
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

export const SHUTTING_DOWN = 'The service is shutting down and takes no new calls; another replica may.';
