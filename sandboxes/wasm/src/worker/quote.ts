/** Control, format (bidi, zero-width, tags), surrogate, private-use and unassigned characters; line and paragraph ends. */
const UNSAFE = /[\p{C}\p{Zl}\p{Zp}]/gu;

/**
 * A tool's bytes as text for a message: characters that could fake or hide part of it are written out as `\u{…}`, and what
 * is not UTF-8 as U+FFFD. One line, whatever the bytes.
 */
export function quoteBytes(bytes: Uint8Array): string {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes).trim();
  return text.replace(UNSAFE, (character) =>
    character === '\n' ? '\\n' : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
