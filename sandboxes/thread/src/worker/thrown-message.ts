/** The longest message of a tool that is passed on, in UTF-16 units: enough for a sentence, not for a dump. */
const MAX_LENGTH = 2_000;

/**
 * The message of whatever a tool threw. Reading it may run the tool's code (getters, proxies), which may throw
 * again: then the tool has no message. Never a stack: that would show the platform's own frames.
 */
export function messageOf(thrown: unknown): string {
  const text = readMessage(thrown);
  if (text === '') return 'The tool failed without a message.';
  return text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH)}… (${text.length} characters)`;
}

function readMessage(thrown: unknown): string {
  try {
    if (typeof thrown === 'string') return thrown;
    if (typeof thrown !== 'object' || thrown === null) return '';
    const { message } = thrown as { message?: unknown };
    return typeof message === 'string' ? message : '';
  } catch {
    return '';
  }
}
