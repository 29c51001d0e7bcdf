/** A platform that could not be started. The message is for the person who started it. */
export class PlatformStartError extends Error {
  override readonly name = 'PlatformStartError';
}

const SHOWN_LINES = 12;
const STACK_FRAME = /^\s+at /;

/**
 * What to show of a log when the service that wrote it did not start. Logs are JSON lines, and a service says why
 * it cannot start in a plain sentence: so the plain lines, and the last of the log where there are none.
 */
export function startFailureReason(log: string): string {
  const lines = log.split('\n').filter((line) => line.trim() !== '');
  const plain = lines.filter((line) => !line.startsWith('{') && !STACK_FRAME.test(line));
  return (plain.length > 0 ? plain : lines).slice(-SHOWN_LINES).join('\n');
}
