import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createByteReader, encodeU32, MalformedModule } from '../../../src/worker/module/byte-reader.ts';

const u32 = fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 0xffff_ffff }));

describe('LEB128', () => {
  test('reads what it wrote, and no byte more', () => {
    fc.assert(
      fc.property(fc.array(u32), (values) => {
        const reader = createByteReader(Uint8Array.from(values.flatMap(encodeU32)));
        expect(values.map(() => reader.u32())).toEqual(values);
        expect(reader.remaining).toBe(0);
      }),
    );
  });

  test('writes as few bytes as there can be', () => {
    fc.assert(
      fc.property(u32, (value) => {
        expect(encodeU32(value).length).toBe(Math.max(1, Math.ceil(Math.log2(value + 1) / 7)));
      }),
    );
  });

  test.each([
    ['32 bits in five bytes', [0xff, 0xff, 0xff, 0xff, 0x0f], 0xffff_ffff],
    ['zero in five bytes, as linkers pad', [0x80, 0x80, 0x80, 0x80, 0x00], 0],
  ])('takes %s', (_name, bytes, value) => {
    expect(createByteReader(Uint8Array.from(bytes)).u32()).toBe(value);
  });

  test.each([
    ['33 bits', [0xff, 0xff, 0xff, 0xff, 0x1f]],
    ['six bytes', [0x80, 0x80, 0x80, 0x80, 0x80, 0x00]],
    ['an end inside', [0x80]],
    ['nothing', []],
  ])('refuses %s', (_name, bytes) => {
    expect(() => createByteReader(Uint8Array.from(bytes)).u32()).toThrow(MalformedModule);
  });
});

describe('a range', () => {
  test('ends where it says, and the outer reader goes on behind it', () => {
    const reader = createByteReader(Uint8Array.from([1, 2, 3]));
    const inner = reader.range(2);
    expect([inner.byte(), inner.byte(), reader.byte()]).toEqual([1, 2, 3]);
    expect(() => inner.byte()).toThrow(MalformedModule);
  });

  test('cannot be longer than its outer one', () => {
    expect(() => createByteReader(Uint8Array.from([1])).range(2)).toThrow(MalformedModule);
  });
});

describe('a name', () => {
  test('is UTF-8 of bounded length', () => {
    expect(createByteReader(Uint8Array.from([3, 0xe5, 0x85, 0x83])).name(3)).toBe('元');
    expect(() => createByteReader(Uint8Array.from([3, 0xe5, 0x85, 0x83])).name(2)).toThrow(/longer than 2 bytes/);
    expect(() => createByteReader(Uint8Array.from([1, 0xff])).name(9)).toThrow(/not UTF-8/);
    expect(() => createByteReader(Uint8Array.from([5, 0x61])).name(9)).toThrow(/ends early/);
  });
});
