import { toolMessage } from '@yuanbot/contract';

/**
 * The message of whatever a tool threw. Reading it may run the tool's code (getters, proxies), which may throw
 * again: then the tool has no message. Never a stack: that would show the platform's own frames.
 */
export function messageOf(thrown: unknown): string {
  return toolMessage(readMessage(thrown));
}

function readMessage(thrown: unknown): unknown {
  try {
    if (typeof thrown !== 'object' || thrown === null) return thrown;
    return (thrown as { message?: unknown }).message;
  } catch {
    return undefined;
  }
}
