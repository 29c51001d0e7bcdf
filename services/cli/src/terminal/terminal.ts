import pc from 'picocolors';

/** One of the two output streams, as the rest of the client sees it. */
export interface Terminal {
  readonly isTty: boolean;
  /** Columns of the window; undefined where there is none: then nothing is cut or wrapped. */
  readonly columns: number | undefined;
  readonly colors: Colors;
  write(text: string | Uint8Array): void;
}

export type Colors = ReturnType<typeof pc.createColors>;

interface OutputStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string | Uint8Array): unknown;
}

/** Colours are for a terminal that knows them, and never where NO_COLOR is set (https://no-color.org). */
export function createTerminal(stream: OutputStream, env: Readonly<Record<string, string | undefined>>): Terminal {
  const isTty = stream.isTTY === true;
  const colored = (isTty && env['TERM'] !== 'dumb' && !env['NO_COLOR']) || (!env['NO_COLOR'] && env['FORCE_COLOR'] === '1');
  return {
    isTty,
    columns: isTty ? stream.columns : undefined,
    colors: pc.createColors(colored),
    write: (text) => {
      stream.write(text);
    },
  };
}
