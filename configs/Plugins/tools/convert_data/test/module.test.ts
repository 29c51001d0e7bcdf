import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Entry {
  readonly module?: string;
  readonly name: string;
  readonly kind: string;
}

// The types of Node leave these two out.
const { imports, exports } = WebAssembly.Module as unknown as Record<'imports' | 'exports', (module: object) => Entry[]>;

const module = new WebAssembly.Module(readFileSync(new URL('../convert_data.wasm', import.meta.url)));

test('the module asks for the three functions it needs, and for nothing else', () => {
  expect(imports(module)).toHaveLength(3);
  expect(imports(module)).toEqual(
    expect.arrayContaining(
      ['fd_read', 'fd_write', 'proc_exit'].map((name) => ({ module: 'wasi_snapshot_preview1', name, kind: 'function' })),
    ),
  );
});

test('it is a WASI command', () => {
  expect(exports(module)).toHaveLength(2);
  expect(exports(module)).toEqual(
    expect.arrayContaining([
      { name: '_start', kind: 'function' },
      { name: 'memory', kind: 'memory' },
    ]),
  );
});
