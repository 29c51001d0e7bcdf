import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseKeepingNumbers } from '@yuanbot/contract';
import { CliError } from '../failure/cli-error.ts';
import { EXIT_CODES } from '../failure/exit-code.ts';

/** A JSON object's keys and values; numbers as `parseKeepingNumbers` gives them. */
export type Params = Readonly<Record<string, unknown>>;

interface Surroundings {
  readonly cwd: string;
  readonly stdin: AsyncIterable<Uint8Array>;
}

/** What `--params` says: a JSON object, `@file` that holds one, or `-` for stdin. Throws a usage `CliError`. */
export async function readParams(source: string, { cwd, stdin }: Surroundings): Promise<Params> {
  const text = await readSource(source, cwd, stdin);
  let value: unknown;
  try {
    value = parseKeepingNumbers(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw usage(`--params is not JSON: ${reason}.`, 'Write an object in quotes for the shell: --params \'{"city":"北京"}\'.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw usage('--params is not a JSON object.', 'Write {"name": value, …}.');
  }
  return value as Params;
}

async function readSource(source: string, cwd: string, stdin: AsyncIterable<Uint8Array>): Promise<string> {
  if (source === '-') {
    const chunks: Uint8Array[] = [];
    for await (const chunk of stdin) chunks.push(chunk);
    return Buffer.concat(chunks).toString('utf8');
  }
  if (!source.startsWith('@')) return source;
  try {
    return await readFile(resolve(cwd, source.slice(1)), 'utf8');
  } catch (error) {
    throw usage(`--params names a file that cannot be read: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

function usage(message: string, hint?: string): CliError {
  return new CliError(EXIT_CODES.usage, 'USAGE', message, { hint });
}

/** The parameters as the API takes them. Flags win over `--params`; `__proto__` is a name like any other. */
export function paramsJson(base: Params, flags: ReadonlyMap<string, unknown>): string {
  const entries = new Map([...Object.entries(base), ...flags]);
  return `{${[...entries].map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}`;
}
