/**
 * A text as a message shows it: at most `max` characters, the rest an ellipsis. Whatever a plugin or a caller wrote can
 * have any length; what is said about it goes into logs, listings and statuses, which cannot. Never ends in half a character.
 */
export function clipText(text: string, max: number): string {
  if (text.length <= max) return text;
  const kept = text.slice(0, max - 1);
  return `${isHighSurrogate(kept.charCodeAt(kept.length - 1)) ? kept.slice(0, -1) : kept}…`;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
