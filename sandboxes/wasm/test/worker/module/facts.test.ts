import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildC } from '../../../../../test/fixtures/wasm/build.ts';
import { encodeU32, MalformedModule } from '../../../src/worker/module/byte-reader.ts';
import { readFacts } from '../../../src/worker/module/facts.ts';
import { checkPolicy } from '../../../src/worker/module/policy.ts';
import { PREAMBLE } from '../../../src/worker/module/preamble.ts';
import { assemble } from '../../wat.ts';

const echo = await buildC('echo.c');

/** A module of hand-made sections. */
function moduleOf(...sections: [id: number, content: readonly number[]][]): Uint8Array {
  return Uint8Array.from([...PREAMBLE, ...sections.flatMap(([id, content]) => [id, ...encodeU32(content.length), ...content])]);
}

function read(bytes: Uint8Array): ReturnType<typeof readFacts> {
  const facts = readFacts(bytes);
  checkPolicy(facts);
  return facts;
}

describe('reading', () => {
  test('finds what a C compiler wrote', () => {
    const facts = read(echo);
    expect(facts.memories).toEqual([{ min: 2, max: undefined }]);
    expect(facts.imports.map(({ name }) => name)).toContain('fd_write');
    expect(facts.tables).toHaveLength(1);
  });

  test('never throws anything but MalformedModule, whatever the bytes', () => {
    const orMalformed = (bytes: Uint8Array) => {
      try {
        read(bytes);
      } catch (error) {
        expect(error).toBeInstanceOf(MalformedModule);
      }
    };
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), orMalformed));
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => orMalformed(Uint8Array.from([...PREAMBLE, ...bytes]))));
    const section = fc.tuple(fc.integer({ min: 0, max: 14 }), fc.array(fc.nat(255), { maxLength: 40 }));
    fc.assert(fc.property(fc.array(section, { maxLength: 8 }), (sections) => orMalformed(moduleOf(...sections))));
    const change = fc.tuple(fc.nat(Math.min(600, echo.length - 1)), fc.nat(255));
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
        const bytes = Uint8Array.from(echo);
        for (const [at, value] of changes) bytes[at] = value;
        orMalformed(bytes);
      }),
    );
  });

  test('refuses a module that is cut inside a section', () => {
    const ends = new Set(read(echo).sections.map(({ end }) => end));
    fc.assert(
      fc.property(
        fc.nat(echo.length - 1).filter((length) => length !== PREAMBLE.length && !ends.has(length)),
        (length) => {
          expect(() => read(echo.subarray(0, length))).toThrow(MalformedModule);
        },
      ),
    );
  });

  test.each([
    ['nothing', new Uint8Array(0), /is empty/],
    [
      'text',
      new TextEncoder().encode('#!/bin/sh\necho hi\n'),
      /text that begins with "#!\/bin\/sh\\necho hi\\n", not a wasm module/,
    ],
    ['WebAssembly text', new TextEncoder().encode('\n(module)'), /WebAssembly text \(assemble it/],
    ['an ELF file', Uint8Array.from([0x7f, 0x45, 0x4c, 0x46, 2]), /an ELF program/],
    ['a gzip file', Uint8Array.from([0x1f, 0x8b, 8]), /a gzip archive/],
    ['other bytes', Uint8Array.from([0, 1, 2, 0xff]), /begins with the bytes 00 01 02 ff/],
    ['four bytes of a module', Uint8Array.from([0, 0x61, 0x73, 0x6d]), /ends inside the 8 bytes/],
    ['a component', Uint8Array.from([0, 0x61, 0x73, 0x6d, 0x0d, 0, 1, 0]), /component.*wasm32-wasip1/],
    ['a later version', Uint8Array.from([0, 0x61, 0x73, 0x6d, 2, 0, 0, 0]), /wasm version 2/],
  ])('says what it found instead of a module: %s', (_name, bytes, message) => {
    expect(() => read(bytes)).toThrow(message);
  });
});

describe('the policy', () => {
  const page = '(memory (export "memory") 1)';

  test.each([
    ['no memory', '(module (func (export "_start")))', /no memory/],
    ['two memories', `(module ${page} (memory 1))`, /more than one memory/],
    ['its own and an imported memory', `(module (import "env" "memory" (memory 1)) (memory 1))`, /more than one memory/],
    ['a shared memory', '(module (memory 1 2 shared))', /shared memory/],
    ['a 64-bit memory', '(module (memory i64 1))', /64-bit memory/],
    ['a large table', `(module ${page} (table 10000000 funcref))`, /table of 10000000 entries; at most 100000/],
    ['many tables', `(module ${page} ${'(table 1 funcref)'.repeat(5)})`, /5 tables/],
    ['an unknown import', `(module (import "env" "abort" (func)) ${page})`, /"env"\."abort" \(function\)/],
    ['an unknown WASI function', `(module (import "wasi_snapshot_preview1" "fd_own" (func)) ${page})`, /"fd_own"/],
    ['constructor.constructor', `(module (import "constructor" "constructor" (func)) ${page})`, /"constructor"\."constructor"/],
    ['wasi constructor', `(module (import "wasi_snapshot_preview1" "constructor" (func)) ${page})`, /"constructor"/],
    ['an imported global', `(module (import "env" "g" (global i32)) ${page})`, /\(global\)/],
    ['an imported table', `(module (import "env" "t" (table 1 funcref)) ${page})`, /\(table\)/],
    ['another memory name', '(module (import "env" "heap" (memory 1)))', /"heap" \(memory\)/],
    ['a function under the memory’s name', `(module (import "env" "memory" (func)) ${page})`, /"memory" \(function\)/],
    [
      'another signature',
      `(module (import "wasi_snapshot_preview1" "fd_close" (func (param i64) (result i32))) ${page})`,
      /another signature/,
    ],
    ['an exception that holds a reference', `(module (tag (param externref)) ${page})`, /exceptions that carry/],
  ])('refuses %s', (_name, text, message) => {
    const bytes = assemble(text);
    expect(() => read(bytes)).toThrow(MalformedModule);
    expect(() => read(bytes)).toThrow(message);
  });

  const memory: [number, number[]] = [5, [1, 0, 1]];

  test.each([
    ['a structure type', moduleOf([1, [1, 0x5f, 0]], memory), /WasmGC/],
    ['a recursive group', moduleOf([1, [1, 0x4e, 0]], memory), /WasmGC/],
    ['an exception reference', moduleOf([1, [1, 0x60, 1, 0x69, 0]], memory), /value type 0x69/],
    ['a table of exception references', moduleOf([4, [1, 0x69, 0, 1]], memory), /table of type 0x69/],
    ['a table with an initial value', moduleOf([4, [1, 0x40, 0, 0x70, 0, 1]], memory), /table of type 0x40/],
    ['a memory of small pages', moduleOf([5, [1, 8, 1, 0]]), /unknown flags/],
    ['a maximum below the minimum', moduleOf([5, [1, 1, 2, 1]]), /maximum is below/],
    ['two memory sections', moduleOf(memory, memory), /section 5 occurs twice/],
    ['a section that is longer than its content', moduleOf([5, [1, 0, 1, 0]]), /longer than its content/],
    ['a type that is not there', moduleOf([2, [1, 1, 0x61, 1, 0x62, 0, 7]], memory), /type 7 of 0/],
    ['a count that is a lie', moduleOf([1, [0xff, 0xff, 0x03]], memory), /65535 types/],
    [
      'more functions than a compiler writes',
      moduleOf([3, [...encodeU32(1_000_000)]], memory),
      /1000000 functions; at most 100000/,
    ],
    [
      'a function type of many parameters',
      moduleOf([1, [1, 0x60, 101, ...Array<number>(101).fill(0x7f), 0]], memory),
      /101 parameters/,
    ],
    ['a function type of many results', moduleOf([1, [1, 0x60, 0, 17, ...Array<number>(17).fill(0x7f)]], memory), /17 results/],
    [
      'more local variables than a compiler writes',
      moduleOf(memory, [10, [201, 1, ...Array<number[]>(201).fill([7, 1, 0xd0, 0x86, 0x03, 0x7f, 0x00, 0x0b]).flat()]]),
      /10000000 local variables/,
    ],
    ['a large element section', moduleOf(memory, [9, [0, ...Array<number>(1_048_576).fill(0)]]), /section 9 has/],
    ['custom sections without end', moduleOf(memory, ...Array<[number, number[]]>(1_001).fill([0, [0]])), /custom sections/],
  ])('refuses %s', (_name, bytes, message) => {
    expect(() => read(bytes)).toThrow(MalformedModule);
    expect(() => read(bytes)).toThrow(message);
  });

  test('allows every function of WASI, and a table without maximum', () => {
    expect(() => read(assemble(`(module ${page} (table 10 funcref) (tag (param i32 i64)))`))).not.toThrow();
  });
});
