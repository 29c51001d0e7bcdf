import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCapturedOutput, createOutputTail } from '../src/captured-output.ts';

const anyChunks = fc.array(fc.uint8Array({ maxLength: 40 }));

describe('captured output', () => {
  it('keeps every byte up to the limit, and never a part of what does not fit', () => {
    fc.assert(
      fc.property(anyChunks, fc.integer({ min: 1, max: 400 }), (chunks, limit) => {
        const output = createCapturedOutput(limit);
        const kept: Uint8Array[] = [];
        for (const chunk of chunks) {
          const fits = Buffer.concat(kept).length + chunk.length <= limit;
          expect(output.add(chunk)).toBe(fits);
          if (!fits) break;
          kept.push(chunk);
        }
        expect(Buffer.from(output.bytes)).toEqual(Buffer.concat(kept));
      }),
    );
  });

  it('copies: a chunk that is used again changes nothing', () => {
    const output = createCapturedOutput(10);
    const chunk = Buffer.from('abc');
    output.add(chunk);
    chunk.fill('x');
    expect(Buffer.from(output.bytes).toString()).toBe('abc');
  });
});

describe('output tail', () => {
  it('keeps the last bytes and counts all', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme-ascii', maxLength: 30 })),
        fc.integer({ min: 1, max: 50 }),
        (texts, keep) => {
          const tail = createOutputTail(keep);
          for (const text of texts) tail.add(Buffer.from(text));
          const all = texts.join('');
          expect(tail.text()).toBe(all.slice(-keep));
          expect(tail.total).toBe(all.length);
        },
      ),
    );
  });
});
