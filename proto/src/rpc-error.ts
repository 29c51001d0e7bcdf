import { Metadata, status } from '@grpc/grpc-js';

export { status as RpcStatus } from '@grpc/grpc-js';

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
    super(message, options);
    this.code = code;
    this.details = message;
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
