/**
 * Foreign text, of tools, files and services, is data: shown to a person or a model it must not move a cursor, hide, or turn a
 * line around. What could is written out as `\u{…}`: control, format (bidirectional, zero-width, tags), private-use and
 * unassigned characters, unpaired surrogates, line and paragraph separators, and everything that is invisible by its
 * definition (Unicode's Default_Ignorable_Code_Point).
 *
 * Two invisible characters stay where readers need them and they say nothing else: the joiner between two pictographs (👨‍👩‍👧)
 * and the variation selector after one (❤️).
 */
const UNPRINTABLE =
  /(?!(?<=[\p{Emoji}--[#*0-9]]\ufe0f?)\u200d(?=[\p{Emoji}--[#*0-9]]))(?!(?<=\p{Emoji})[\ufe0e\ufe0f])[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gv;

/** For text of many lines: line breaks and tabs stay. What is printable already stays as it is. */
export function printableText(text: string): string {
  return replaceUnprintable(text, (character) => (character === '\n' || character === '\t' ? character : writtenOut(character)));
}

/** For one line: line breaks and tabs are shown as `\n` and `\t`. */
export function printableLine(text: string): string {
  return replaceUnprintable(text, (character) => SHORT_ESCAPES.get(character) ?? writtenOut(character));
}

/** JSON text with the same value, in which such characters stand as JSON's own escapes (RFC 8259 §7). */
export function printableJson(json: string): string {
  return replaceUnprintable(json, (character) => (JSON_BLANKS.includes(character) ? character : jsonEscape(character)));
}

const SHORT_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\n', '\\n'],
  ['\t', '\\t'],
]);

/** Outside of strings, and never raw inside of them. */
const JSON_BLANKS = '\n\r\t';

function replaceUnprintable(text: string, show: (character: string) => string): string {
  return text.replace(UNPRINTABLE, show);
}

function writtenOut(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

function jsonEscape(character: string): string {
  const units = character.split('');
  return units.map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
}
