import { describe, expect, test } from 'vitest';
import { readFacts } from '../../../src/worker/module/facts.ts';
import { importMemory } from '../../../src/worker/module/import-memory.ts';
import { checkPolicy } from '../../../src/worker/module/policy.ts';
import { assemble } from '../../wat.ts';

/** Rewrites, compiles and instantiates with `memory`; returns the exports. */
function instantiate(text: string, memory: WebAssembly.Memory, imports: WebAssembly.Imports = {}): Record<string, unknown> {
  const bytes = assemble(text);
  const facts = readFacts(bytes);
  checkPolicy(facts);
  const module = new WebAssembly.Module(importMemory(bytes, facts));
  return { ...new WebAssembly.Instance(module, { ...imports, env: { memory } }).exports };
}

const run = (exported: unknown): unknown => (typeof exported === 'function' ? exported() : undefined);

describe('a rewritten module', () => {
  test.each([
    ['without imports', '(module (memory (export "memory") 1 1000) (data (i32.const 5) "A") %)'],
    ['without a maximum', '(module (memory (export "memory") 1) (data (i32.const 5) "A") %)'],
    [
      'that imports its memory',
      '(module (import "env" "memory" (memory 1 2)) (data (i32.const 5) "A") (export "memory" (memory 0)) %)',
    ],
  ])('%s uses the memory that it is given, with its limit', (_name, text) => {
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 2 });
    const exported = instantiate(
      text.replace(
        '%',
        `(func (export "load") (result i32) (i32.load8_u (i32.const 5)))
         (func (export "grow") (result i32) (memory.grow (i32.const 1)))`,
      ),
      memory,
    );
    expect(exported['memory']).toBe(memory);
    expect(run(exported['load'])).toBe(65);
    expect([run(exported['grow']), run(exported['grow'])]).toEqual([1, -1]);
  });

  test('keeps the numbers of its functions', () => {
    const closed: unknown[] = [];
    const exported = instantiate(
      `(module
        (import "wasi_snapshot_preview1" "fd_close" (func $close (param i32) (result i32)))
        (memory 1) (table 2 funcref) (elem (i32.const 0) $close $seven)
        (func $seven (result i32) (i32.const 7))
        (type $close_type (func (param i32) (result i32)))
        (type $seven_type (func (result i32)))
        (func (export "direct") (result i32) (call $close (i32.const 41)))
        (func (export "indirect") (result i32) (call_indirect (type $seven_type) (i32.const 1))))`,
      new WebAssembly.Memory({ initial: 1, maximum: 1 }),
      { wasi_snapshot_preview1: { fd_close: (fd) => closed.push(fd) } },
    );
    expect([run(exported['direct']), closed, run(exported['indirect'])]).toEqual([1, [41], 7]);
  });

  test.each([
    ['no maximum', '10 funcref'],
    ['a maximum beyond the cap', '10 10000000 funcref'],
  ])('whose table has %s cannot grow it past the cap', (_name, limits) => {
    const grow = (entries: number) => `(table.grow $t (ref.null func) (i32.const ${entries}))`;
    const exported = instantiate(
      `(module (memory 1) (table $t ${limits})
        (func (export "within") (result i32) ${grow(99_990)})
        (func (export "beyond") (result i32) ${grow(1)}))`,
      new WebAssembly.Memory({ initial: 1, maximum: 1 }),
    );
    expect([run(exported['within']), run(exported['beyond'])]).toEqual([10, -1]);
  });
});
