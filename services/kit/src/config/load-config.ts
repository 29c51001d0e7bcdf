import { resolve } from 'node:path';
import type { Config } from './config.ts';
import { ConfigError } from './config-error.ts';
import type { Environment } from './environment.ts';
import { parseConfig } from './parse-config.ts';

const DEFAULT_FILE = 'configs/bot.yaml';

export interface ConfigSources {
  /** All variables of the process; those without our prefix are left alone. */
  readonly env: Environment;
  /** Absolute. */
  readonly cwd: string;
  /** Processor cores this process may use (`os.availableParallelism()`). */
  readonly cores: number;
  /** Reads a file as UTF-8 text. */
  readonly readFile: (path: string) => Promise<string>;
  /** Wins over YUANBOT_CONFIG; relative to `cwd`. Without either: configs/bot.yaml. */
  readonly file?: string;
  /** Wins over YUANBOT_DATA; relative to `cwd`. Without either: data. */
  readonly dataDir?: string;
}

/**
 * Reads the configuration, once, at start. The file must be there: with none, a restriction that the operator wrote
 * down would silently be missing. Rejects with `ConfigError`, which holds every problem at once.
 */
export async function loadConfig(sources: ConfigSources): Promise<Config> {
  const { env, cwd, cores } = sources;
  const file = sources.file ?? env['YUANBOT_CONFIG'] ?? DEFAULT_FILE;
  const dataDir = resolve(cwd, sources.dataDir ?? env['YUANBOT_DATA'] ?? 'data');
  const text = await readText(sources, file);
  return parseConfig({ text, file, env, cwd, dataDir, cores });
}

async function readText({ readFile, cwd }: ConfigSources, file: string): Promise<string> {
  try {
    return await readFile(resolve(cwd, file));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `cannot be read (${reason}); name another file with YUANBOT_CONFIG, or start in the folder that holds ${DEFAULT_FILE}`;
    throw new ConfigError([{ origin: { kind: 'file', file, line: 0 }, key: '', message }], { cause: error });
  }
}
