import { parseKeepingNumbers } from '@yuanbot/contract';
import { shorten } from '../terminal/shorten.ts';
import { renderTable } from '../terminal/table.ts';
import type { Colors } from '../terminal/terminal.ts';
import type { StartRow } from './start-row.ts';

/** Columns that a result may take; an explanation is never cut. */
const RESULT_COLUMNS = 60;

export function startTableText(rows: readonly StartRow[], colors: Colors): string {
  return renderTable<StartRow>(
    [
      { title: 'sandbox', text: ({ sandbox }) => sandbox },
      { title: 'tool', text: ({ tool }) => tool },
      { title: 'isolation', text: ({ isolation }) => isolation || '–' },
      { title: 'time', align: 'right', text: ({ timeMs }) => (timeMs === undefined ? '–' : `${timeMs.toFixed(0)} ms`) },
      { title: 'result', text: resultText, paint: (text, { state }) => PAINT[state](colors)(text) },
    ],
    rows,
    colors,
  );
}

/** For `--json`. */
export function startTableDocument(rows: readonly StartRow[]) {
  return rows.map(({ sandbox, tool, isolation, state, text, errorCode, timeMs }) => ({
    sandbox,
    tool,
    isolation,
    state,
    result: state === 'ok' ? parseKeepingNumbers(text) : null,
    error_code: errorCode === '' ? null : errorCode,
    reason: state === 'ok' ? null : text,
    time_ms: timeMs === undefined ? null : Math.round(timeMs),
  }));
}

const PAINT: Readonly<Record<StartRow['state'], (colors: Colors) => (text: string) => string>> = {
  ok: ({ green }) => green,
  failed: ({ red }) => red,
  unavailable: ({ yellow }) => yellow,
};

function resultText({ state, text, errorCode }: StartRow): string {
  switch (state) {
    case 'ok':
      return shorten(text, RESULT_COLUMNS);
    case 'failed':
      return `failed: ${errorCode === '' ? '' : `${errorCode}: `}${text}`;
    case 'unavailable':
      return `not available: ${text}`;
  }
}
