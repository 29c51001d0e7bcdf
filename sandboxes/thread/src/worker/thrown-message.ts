import { toolMessage } from '@yuanbot/contract';

/**
 * The message of whatever a tool threw. Reading it may run the tool's code (getters, proxies), which may throw
 * again: then the tool has no message. Never a stack: that would show the platform's own frames.
 */
export function messageOf(thrown: unknown): string {
  const message = readMessage(thrown);
  return typeof message === 'string' && TAMED.test(message) ? USE_CTX : toolMessage(message);
}

/** What SES says of the clock and the dice that `lockdown` took away: it names its own inner objects. */
const TAMED = /^secure mode .*%Shared(?:Date|Math)%/;
const USE_CTX =
  'A tool has no clock and no dice of its own: use ctx.now() instead of Date, ctx.random() instead of Math.random().';

function readMessage(thrown: unknown): unknown {
  try {
    if (typeof thrown !== 'object' || thrown === null) return thrown;
    return (thrown as { message?: unknown }).message;
  } catch {
    return undefined;
  }
}
