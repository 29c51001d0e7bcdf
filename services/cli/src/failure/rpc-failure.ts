import { type RpcError, RpcStatus } from '@yuanbot/proto';
import { CliError } from './cli-error.ts';
import { EXIT_CODES, type ExitCode } from './exit-code.ts';

/** Statuses that are the caller's own doing; any other is the platform's. */
const EXIT_BY_STATUS: Readonly<Partial<Record<RpcStatus, ExitCode>>> = {
  [RpcStatus.INVALID_ARGUMENT]: EXIT_CODES.usage,
  [RpcStatus.NOT_FOUND]: EXIT_CODES.failed,
  [RpcStatus.FAILED_PRECONDITION]: EXIT_CODES.failed,
  [RpcStatus.OUT_OF_RANGE]: EXIT_CODES.failed,
  [RpcStatus.RESOURCE_EXHAUSTED]: EXIT_CODES.failed,
  [RpcStatus.ABORTED]: EXIT_CODES.failed,
  [RpcStatus.CANCELLED]: EXIT_CODES.failed,
  [RpcStatus.DEADLINE_EXCEEDED]: EXIT_CODES.failed,
  [RpcStatus.ALREADY_EXISTS]: EXIT_CODES.failed,
  [RpcStatus.UNAUTHENTICATED]: EXIT_CODES.refused,
  [RpcStatus.PERMISSION_DENIED]: EXIT_CODES.refused,
  [RpcStatus.UNAVAILABLE]: EXIT_CODES.unreachable,
};

/** A gRPC status as the person at the terminal sees it: its name, and the platform's own sentence. */
export function rpcFailure(error: RpcError): CliError {
  const exitCode = EXIT_BY_STATUS[error.code] ?? EXIT_CODES.internal;
  return new CliError(exitCode, RpcStatus[error.code] ?? 'UNKNOWN', error.details || error.message, { cause: error });
}
