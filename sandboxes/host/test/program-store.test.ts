import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createProgramStore, programBytes } from '../src/program-store.ts';
import type { Program } from '../src/runtime-contract.ts';

const MAX_BYTES = 100;

function program(name: number, bytes: number): Program {
  return { digest: `d${name}`, artifact: new Uint8Array(bytes), command: [], env: [], resources: new Map() };
}

test('a worker that follows the orders holds exactly what the manager believes, within the bound', () => {
  const uses = fc.array(fc.integer({ min: 0, max: 11 }), { maxLength: 60 });
  fc.assert(
    fc.property(uses, fc.array(fc.integer({ min: 0, max: 130 }), { minLength: 12, maxLength: 12 }), (names, sizes) => {
      const programs = sizes.map((bytes, name) => program(name, bytes));
      const store = createProgramStore(MAX_BYTES);
      const worker = new Map<string, number>();
      for (const name of names) {
        const used = programs[name];
        if (used === undefined) continue;
        if (!store.isReady(used.digest) && !store.holds(used.digest)) {
          for (const digest of store.add(used)) worker.delete(digest);
          worker.set(used.digest, programBytes(used));
          store.markReady(used.digest);
        }
        const held = [...worker.values()].reduce((sum, bytes) => sum + bytes, 0);
        expect(store.bytes()).toBe(held);
        expect(held <= MAX_BYTES || worker.size === 1).toBe(true);
        expect(worker.has(used.digest)).toBe(true);
        for (const { digest } of programs) expect(store.holds(digest)).toBe(worker.has(digest));
      }
    }),
  );
});

test('what was used longest ago goes first', () => {
  const store = createProgramStore(MAX_BYTES);
  for (const name of [1, 2, 3]) {
    store.add(program(name, 30));
    store.markReady(`d${name}`);
  }
  expect(store.isReady('d1')).toBe(true);
  expect(store.add(program(4, 30))).toEqual(['d2']);
});

test('a program that was sent is not ready before the worker said so', () => {
  const store = createProgramStore(MAX_BYTES);
  store.add(program(1, 1));
  expect(store.isReady('d1')).toBe(false);
  store.markReady('d1');
  expect(store.isReady('d1')).toBe(true);
});
