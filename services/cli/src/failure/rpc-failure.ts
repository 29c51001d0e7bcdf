import { type RpcError, RpcStatus } from '@yuanbot/proto';
import { CliError } from './cli-error.ts';
import { EXIT_CODES, type ExitCode } from './exit-code.ts';

/** A gRPC status as the person at the terminal sees it: its name, and the platform's own sentence. */
export function rpcFailure(error: RpcError): CliError {
  const name = RpcStatus[error.code] ?? 'UNKNOWN';
  return new CliError(exitCodeOf(error.code), name, error.details || error.message, { cause: error });
}

function exitCodeOf(status: RpcStatus): ExitCode {
  switch (status) {
    case RpcStatus.INVALID_ARGUMENT:
      return EXIT_CODES.usage;
    case RpcStatus.UNAUTHENTICATED:
    case RpcStatus.PERMISSION_DENIED:
      return EXIT_CODES.refused;
    case RpcStatus.UNAVAILABLE:
      return EXIT_CODES.unreachable;
    // Not what a working platform answers.
    case RpcStatus.UNKNOWN:
    case RpcStatus.INTERNAL:
    case RpcStatus.UNIMPLEMENTED:
    case RpcStatus.DATA_LOSS:
      return EXIT_CODES.internal;
    default:
      return EXIT_CODES.failed;
  }
}
