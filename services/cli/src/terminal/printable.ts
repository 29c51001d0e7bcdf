/**
 * Text of tools, files and services is data: on a screen it must not move the cursor, hide itself or turn the line
 * around. Control, format (bidirectional, zero-width, tags), private and unpaired surrogate characters are shown by their code.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]/gu;
/** Joins emoji (👨‍👩‍👧) and shapes some scripts; harmless alone. */
const ZERO_WIDTH_JOINER = '\u200d';

/** For one line: a line break is shown as a code too. */
export function printableLine(text: string): string {
  return text.replace(UNPRINTABLE, (character) => (character === ZERO_WIDTH_JOINER ? character : shown(character)));
}

/** For text of many lines: line breaks and tabs stay. */
export function printableText(text: string): string {
  return text.replace(UNPRINTABLE, (character) =>
    character === '\n' || character === '\t' || character === ZERO_WIDTH_JOINER ? character : shown(character),
  );
}

function shown(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `\\u{${code.toString(16)}}`;
}
