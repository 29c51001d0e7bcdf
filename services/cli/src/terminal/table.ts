import { printableLine } from '@yuanbot/contract';
import stringWidth from 'string-width';
import type { Colors } from './terminal.ts';

export interface Column<Row> {
  readonly title: string;
  readonly align?: 'left' | 'right';
  text(row: Row): string;
  /** Colours what `text` gave, already made printable and padded. */
  paint?(text: string, row: Row): string;
}

const GAP = '  ';

/**
 * Rows under a line of titles, columns aligned by what a character takes on a screen: 天 takes two. Cells are made
 * printable, so that no content can break its line. Ends with a line break; empty without rows.
 */
export function renderTable<Row>(columns: readonly Column<Row>[], rows: readonly Row[], colors: Colors): string {
  if (rows.length === 0) return '';
  const cells = rows.map((row) => columns.map((column) => printableLine(column.text(row))));
  const widths = columns.map(({ title }, at) =>
    Math.max(stringWidth(title), ...cells.map((line) => stringWidth(line[at] ?? ''))),
  );
  const aligned = (text: string, at: number): string => {
    const padding = ' '.repeat((widths[at] ?? 0) - stringWidth(text));
    return columns[at]?.align === 'right' ? padding + text : text + padding;
  };
  const heading = columns.map(({ title }, at) => colors.bold(aligned(title.toUpperCase(), at)));
  const lines = rows.map((row, line) =>
    columns.map(({ paint }, at) => {
      const text = aligned(cells[line]?.[at] ?? '', at);
      return paint === undefined ? text : paint(text, row);
    }),
  );
  return [heading, ...lines].map((line) => `${line.join(GAP).trimEnd()}\n`).join('');
}
