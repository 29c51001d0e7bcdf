import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ASC = createRequire(import.meta.url).resolve('assemblyscript/bin/asc.js');
const SOURCES = new URL('echo/', import.meta.url).pathname;

/** A plugin folder with the same echo as a thread tool (`echo_thread`) and as a wasm tool (`echo_wasm`). */
export async function writeEchoPlugins(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'yuanbot-bench-'));
  await mkdir(join(root, 'tools'));
  await cp(join(SOURCES, 'echo_thread.js'), join(root, 'tools/echo_thread.js'));
  await compile(join(SOURCES, 'echo_wasm.as'), join(root, 'tools/echo_wasm.wasm'));
  await writeTool(root, 'echo_thread', 'local_thread', 'echo_thread.js');
  await writeTool(root, 'echo_wasm', 'wasm', 'echo_wasm.wasm');
  return root;
}

async function writeTool(root: string, id: string, type: string, entry: string): Promise<void> {
  const definition = {
    type: 'function',
    function: { name: id, description: 'Answers with its parameters.', parameters: { type: 'object', properties: {} } },
  };
  await writeFile(join(root, 'tools', `${id}.schema.json`), JSON.stringify(definition));
  await writeFile(
    join(root, 'tools', `${id}.yaml`),
    [
      `tool_id: ${id}`,
      `name: ${id}`,
      'version: "1.0.0"',
      'category: bench',
      'permission_level: readonly',
      `schema_file: ${id}.schema.json`,
      'executor:',
      `  type: ${type}`,
      `  entry: ${entry}`,
      '',
    ].join('\n'),
  );
}

/** Compiles AssemblyScript, with the compiler as a process: its types would be this project's otherwise. */
async function compile(source: string, target: string): Promise<void> {
  const typescriptName = `${target}.ts`;
  await cp(source, typescriptName);
  await promisify(execFile)(process.execPath, [ASC, typescriptName, '--outFile', target, '--optimize', '--runtime', 'stub']);
  await rm(typescriptName);
}
