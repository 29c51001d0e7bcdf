/** Control, format (bidi, zero-width, tags), surrogate, private-use and unassigned characters; line and paragraph ends. */
const UNSAFE = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** Text of a tool for a message: characters that could fake or hide part of it are written out as `\u{…}`. One line. */
export function quoteText(text: string): string {
  return text.replace(UNSAFE, (character) =>
    character === '\n' ? '\\n' : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

/** The same for bytes; what is not UTF-8 becomes U+FFFD, and white space at either end goes. */
export function quoteBytes(bytes: Uint8Array): string {
  return quoteText(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes).trim());
}
