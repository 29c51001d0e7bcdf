import { Metadata, status } from '@grpc/grpc-js';

export { status as RpcStatus } from '@grpc/grpc-js';

/**
 * The longest message of a status, in characters. It travels as a trailer, percent-encoded: one that outgrows the peer's limit
 * for headers breaks the whole connection, and every call on it.
 */
const MAX_MESSAGE = 1_000;

/**
 * A gRPC status for the caller (DESIGN: what a model could react to is a result, not a status). The
 * message is shown to the caller: a sentence, never a stack.
 */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: status;
  /** grpc-js sends `details` and `metadata` of a thrown error. */
  readonly details: string;
  readonly metadata = new Metadata();

  constructor(code: status, message: string, options?: ErrorOptions) {
    super(message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE)}…` : message, options);
    this.code = code;
    this.details = this.message;
  }
}

/** Brings whatever a call rejected with to an `RpcError`; an error that carries no gRPC code is INTERNAL. */
export function asRpcError(error: unknown): RpcError {
  if (error instanceof RpcError) return error;
  if (error instanceof Error && 'code' in error && typeof error.code === 'number' && 'details' in error) {
    return new RpcError(error.code, typeof error.details === 'string' ? error.details : error.message, { cause: error });
  }
  return new RpcError(status.INTERNAL, 'The service failed; its operator finds the cause in the log.', { cause: error });
}
