import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config, ConfigError, loadConfig } from '../../src/config/index.ts';

/** Loads `text` from a real file `bot.yaml` in a fresh folder; two cores, data in /data. */
export async function load(text: string, env: Record<string, string> = {}): Promise<Config> {
  const cwd = await mkdtemp(join(tmpdir(), 'yuanbot-config-'));
  try {
    await writeFile(join(cwd, 'bot.yaml'), text);
    return await loadConfig({
      env,
      cwd,
      cores: 2,
      readFile: (path) => readFile(path, 'utf8'),
      file: 'bot.yaml',
      dataDir: '/data',
    });
  } finally {
    await rm(cwd, { recursive: true });
  }
}

/** The lines of the error that loading `text` ends in. */
export async function problemsOf(text: string, env: Record<string, string> = {}): Promise<string[]> {
  try {
    await load(text, env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n');
    throw error;
  }
  return [];
}
