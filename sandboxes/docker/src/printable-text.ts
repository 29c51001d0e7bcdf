/**
 * Text of a container, a build or the engine, made fit for one line of a message: control, bidi,
 * zero-width and unassigned characters are written out, so that nothing can fake a line or hide.
 */
const NOT_PRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}]/gu;

/** The first `maxChars` characters of `text`, escaped; what is left out is shown as `…`. */
export function printableHead(text: string, maxChars: number): string {
  const escaped = escapeUnprintable(text.slice(0, maxChars).trim());
  return escaped.length <= maxChars && text.length <= maxChars ? escaped : `${escaped.slice(0, maxChars - 1)}…`;
}

/** The last `maxChars` characters of `text`, escaped. */
export function printableTail(text: string, maxChars: number): string {
  const escaped = escapeUnprintable(text.slice(-maxChars).trim());
  return escaped.length <= maxChars && text.length <= maxChars
    ? escaped
    : `…${escaped.slice(Math.max(0, escaped.length - (maxChars - 1)))}`;
}

function escapeUnprintable(text: string): string {
  return text.replace(NOT_PRINTABLE, (character) => {
    if (character === '\n') return '\\n';
    if (character === '\t') return ' ';
    return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
  });
}
