import { asToolCallError, type ErrorCode } from '@yuanbot/contract';
import { create } from '@yuanbot/proto';
import {
  Disposition,
  type ToolExecutionRequest,
  type ToolExecutionResponse,
  ToolExecutionResponseSchema,
} from '@yuanbot/proto/sandbox';
import type { CallRunner, WantArtifact } from '../execution/run-call.ts';
import { fromOutcome, toCallRequest } from './messages.ts';

/** One call, message in, message out. Never rejects: also a message that makes no call is answered with a code. */
export async function answerCall(
  calls: CallRunner,
  message: ToolExecutionRequest,
  signal: AbortSignal,
  want?: WantArtifact,
): Promise<ToolExecutionResponse> {
  try {
    return fromOutcome(message.invocationId, await calls.run(toCallRequest(message), signal, want));
  } catch (error) {
    const { code, message: text } = asToolCallError(error);
    return refusal(message.invocationId, code, text);
  }
}

/** The answer to a call that nothing was run for. */
export function refusal(invocationId: string, errorCode: ErrorCode, error: string): ToolExecutionResponse {
  return create(ToolExecutionResponseSchema, {
    invocationId,
    success: false,
    errorCode,
    error,
    disposition: Disposition.NOT_RUN,
  });
}
