import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const module = new WebAssembly.Module(readFileSync(new URL('../convert_data.wasm', import.meta.url)));

test('the module asks for the three functions it needs, and for nothing else', () => {
  const imports = WebAssembly.Module.imports(module).map((entry) => `${entry.module}.${entry.name} ${entry.kind}`);
  expect(imports.sort()).toEqual([
    'wasi_snapshot_preview1.fd_read function',
    'wasi_snapshot_preview1.fd_write function',
    'wasi_snapshot_preview1.proc_exit function',
  ]);
});

test('it is a WASI command', () => {
  const exports = WebAssembly.Module.exports(module).map(({ name, kind }) => `${name} ${kind}`);
  expect(exports.sort()).toEqual(['_start function', 'memory memory']);
});
