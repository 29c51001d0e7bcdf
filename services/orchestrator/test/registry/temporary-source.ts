import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createPluginFiles } from '../../src/files/create-plugin-files.ts';
import { createRegistry, type LoadedRegistry } from '../../src/registry/create-registry.ts';
import type { PluginSource } from '../../src/registry/find-plugins.ts';
import type { ToolDefaults } from '../../src/registry/tool-defaults.ts';

export type Files = Readonly<Record<string, string | Uint8Array>>;

export const DEFAULTS: ToolDefaults = {
  sandboxKind: 'docker',
  limits: { timeoutMs: 10_000, memoryMb: 128, cpus: 0.5, pids: 64, outputBytes: 262_144 },
};

export const SILENT = { info: () => undefined, warn: () => undefined };

/** A real folder with these files, gone when the test is over. */
export async function temporaryRoot(files: Files): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'yuanbot-plugins-'));
  onTestFinished(() => rm(root, { recursive: true }));
  await writeFiles(root, files);
  return root;
}

export async function writeFiles(root: string, files: Files): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
}

export function sourceAt(root: string, name: PluginSource['name'] = 'system'): PluginSource {
  return { name, files: createPluginFiles(root) };
}

/** A registry over one system source with these files, or over a system and a user source. */
export async function registryOf(system: Files, user?: Files): Promise<LoadedRegistry> {
  const sources = [sourceAt(await temporaryRoot(system))];
  if (user !== undefined) sources.push(sourceAt(await temporaryRoot(user), 'user'));
  return createRegistry({ sources, defaults: DEFAULTS, log: SILENT });
}

export function schemaText(name: string, parameters: object = { type: 'object', properties: {} }): string {
  return JSON.stringify({ type: 'function', function: { name, description: `What ${name} does.`, parameters } }, null, 2);
}

/** A local_thread tool in the flat layout; `extra` are further lines at the top level. */
export function flatTool(id: string, extra = '', executor = ''): Files {
  return {
    [`tools/${id}.yaml`]: `tool_id: ${id}\nname: ${id}\nversion: "1.0.0"\ncategory: daily_chat\npermission_level: readonly\n${extra}executor:\n  type: local_thread\n  entry: ${id}.js\n${executor}`,
    [`tools/${id}.schema.json`]: schemaText(id),
    [`tools/${id}.js`]: 'module.exports = async () => 1;\n',
  };
}

export function flatSkill(id: string, extra = 'category: emotional_care\n'): Files {
  return {
    [`skills/${id}.yaml`]: `skill_id: ${id}\nname: ${id}\nversion: "1.0.0"\n${extra}`,
    [`skills/${id}.def.yaml`]: `name: ${id}\ndescription: "When ${id} helps."\nprompt_template: |\n  [${id}]\n  Be kind.\nsteps:\n  - acknowledge: true\n`,
  };
}
