import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createFrameDecoder, FRAME_OVERHEAD_BYTES, FrameError, writeFrameHead } from '../../src/link/frame.ts';

const MAX_PAYLOAD = 1000;

interface Sent {
  readonly type: number;
  readonly call: number;
  readonly payload: Uint8Array;
}

const sentFrame: fc.Arbitrary<Sent> = fc.record({
  type: fc.integer({ min: 0, max: 255 }),
  call: fc.integer({ min: 0, max: 0xffff_ffff }),
  payload: fc.uint8Array({ maxLength: 300 }),
});

function encode({ type, call, payload }: Sent): Buffer {
  const frame = Buffer.alloc(FRAME_OVERHEAD_BYTES + payload.length);
  writeFrameHead(frame, 0, type, call, payload.length);
  frame.set(payload, FRAME_OVERHEAD_BYTES);
  return frame;
}

function decode(chunks: readonly Buffer[]): Sent[] {
  const frames: Sent[] = [];
  const decoder = createFrameDecoder(MAX_PAYLOAD, ({ type, call, payload }) => {
    frames.push({ type, call, payload: Uint8Array.from(payload) });
  });
  for (const chunk of chunks) decoder.push(chunk);
  return frames;
}

/** Cuts `bytes` into pieces of the given sizes, over and over. */
function cut(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const chunks: Buffer[] = [];
  for (let offset = 0, index = 0; offset < bytes.length; index++) {
    const size = sizes[index % sizes.length] ?? 1;
    chunks.push(bytes.subarray(offset, offset + size));
    offset += size;
  }
  return chunks;
}

describe('frame decoder', () => {
  test('any chunking decodes to the same frames', () => {
    const chunkSizes = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(fc.array(sentFrame, { maxLength: 12 }), chunkSizes, (frames, sizes) => {
        expect(decode(cut(Buffer.concat(frames.map(encode)), sizes))).toEqual(frames);
      }),
    );
  });

  test('a frame is given as soon as its last byte is there, and not before', () => {
    const bytes = encode({ type: 7, call: 9, payload: Buffer.from('hello') });
    const frames: string[] = [];
    const decoder = createFrameDecoder(MAX_PAYLOAD, ({ payload }) => frames.push(payload.toString()));
    decoder.push(bytes.subarray(0, bytes.length - 1));
    expect(frames).toEqual([]);
    decoder.push(bytes.subarray(bytes.length - 1));
    expect(frames).toEqual(['hello']);
  });

  test('a length above the maximum is an error as soon as it is read, in any chunking', () => {
    fc.assert(
      fc.property(fc.integer({ min: MAX_PAYLOAD + 6, max: 0xffff_ffff }), fc.integer({ min: 1, max: 4 }), (length, size) => {
        const head = Buffer.alloc(4);
        head.writeUInt32LE(length);
        expect(() => decode(cut(head, [size]))).toThrow(FrameError);
      }),
    );
  });

  test('the largest payload is accepted, and a length too short to be a frame is an error', () => {
    expect(decode([encode({ type: 1, call: 1, payload: new Uint8Array(MAX_PAYLOAD) })])).toHaveLength(1);
    for (const length of [0, 1, 4]) {
      const head = Buffer.alloc(9);
      head.writeUInt32LE(length);
      expect(() => decode([head])).toThrow(FrameError);
    }
  });

  test('a frame of many chunks costs one copy, not one a chunk', () => {
    const payload = new Uint8Array(8 * 1024 * 1024);
    const decoder = createFrameDecoder(payload.length, () => {});
    const started = performance.now();
    for (const chunk of cut(encode({ type: 1, call: 1, payload }), [1024])) decoder.push(chunk);
    // Copying all that is held for each of the 8,192 chunks would move 32 GB.
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});
