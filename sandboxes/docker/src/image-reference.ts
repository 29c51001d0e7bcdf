import { ToolCallError } from '@yuanbot/contract';

/** Longer than any name a registry allows, in characters. */
const MAX_REFERENCE = 512;

/**
 * The reference becomes part of a path of the engine's API: only characters of image names, and no dot
 * segment. Anything else is ERR_SANDBOX_START.
 */
export function checkedReference(reference: string): string {
  const isReference =
    reference.length <= MAX_REFERENCE && /^[A-Za-z0-9][\w.\-/:@]*$/.test(reference) && !/\.\.|\/\/|\/\.|\.\//.test(reference);
  if (isReference) return reference;
  throw new ToolCallError('ERR_SANDBOX_START', `This is not an image reference: ${JSON.stringify(reference.slice(0, 80))}.`);
}

/**
 * ERR_SANDBOX_START for an image that the engine does not have; `subject` names its part, as in "The image". The start
 * table reads "image … is not on this machine" as a sandbox that is not there.
 */
export function missingImage(subject: string, reference: string): ToolCallError {
  const advice = isPullable(reference) ? ` Run: docker pull ${reference}` : ' Name an image that is here.';
  return new ToolCallError(
    'ERR_SANDBOX_START',
    `${subject} ${reference} is not on this machine, and the platform does not pull images.${advice}`,
  );
}

/** Whether an operator may be told to pull it: never from this machine's own ports or a bare address, which a tool's author may have chosen. */
function isPullable(reference: string): boolean {
  if (reference.startsWith('sha256:') || reference === 'scratch') return false;
  const [first = '', ...path] = reference.toLowerCase().split('/');
  const isRegistry = path.length > 0 && (/[.:]/.test(first) || first === 'localhost');
  const labels = first.replace(/:.*$/, '').split('.');
  const last = labels.at(-1) ?? '';
  // An IPv4 address in any notation (127.1, 0x7f000001, 2130706433) ends in a label that begins with a digit.
  return !isRegistry || (last !== 'localhost' && /^[a-z]/.test(last));
}
