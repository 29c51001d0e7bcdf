import { RpcError } from '@yuanbot/proto';
import { CommanderError } from 'commander';
import { PlatformStartError } from '../platform/index.ts';
import { CliError } from './cli-error.ts';
import { EXIT_CODES } from './exit-code.ts';
import { rpcFailure } from './rpc-failure.ts';

/**
 * The one translation of everything a command may throw into what is printed. An interruption explains whatever
 * failed after it.
 */
export function describeFailure(error: unknown, interrupted: AbortSignal): CliError {
  if (interrupted.aborted) {
    return interrupted.reason === 'SIGINT'
      ? new CliError(EXIT_CODES.interrupted, 'INTERRUPTED', 'Interrupted.')
      : new CliError(EXIT_CODES.terminated, 'TERMINATED', 'Terminated.');
  }
  if (error instanceof CliError) return error;
  if (error instanceof PlatformStartError) return new CliError(EXIT_CODES.start, 'START_FAILED', error.message);
  if (error instanceof RpcError) return rpcFailure(error);
  if (error instanceof CommanderError) {
    const [message = '', suggestion] = error.message.replace(/^error: /, '').split(/\n\((Did you mean .*)\)$/);
    return new CliError(EXIT_CODES.usage, 'USAGE', sentence(message), { hint: suggestion });
  }
  const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return new CliError(EXIT_CODES.internal, 'INTERNAL', `yuanbot-cli has a defect:\n${what}`);
}

function sentence(text: string): string {
  const upper = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.?!]$/.test(upper) ? upper : `${upper}.`;
}
