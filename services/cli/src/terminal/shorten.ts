import stringWidth from 'string-width';

/** Cuts `text` to at most `columns` columns of a screen, never within a character as a reader sees it; … marks the cut. */
export function shorten(text: string, columns: number): string {
  if (stringWidth(text) <= columns) return text;
  let kept = '';
  let width = 1;
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)) {
    width += stringWidth(segment);
    if (width > columns) break;
    kept += segment;
  }
  return `${kept}…`;
}
