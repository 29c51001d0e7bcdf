import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDemultiplexer, MalformedStreamError } from '../src/demultiplexer.ts';

type Frame = { stream: 'stdout' | 'stderr'; payload: Uint8Array };

const anyFrame: fc.Arbitrary<Frame> = fc.record({
  stream: fc.constantFrom('stdout', 'stderr'),
  payload: fc.uint8Array({ maxLength: 300 }),
});

function encode({ stream, payload }: Frame): Buffer {
  const header = Buffer.alloc(8);
  header[0] = stream === 'stdout' ? 1 : 2;
  header.writeUInt32BE(payload.length, 4);
  return Buffer.concat([header, payload]);
}

/** Cuts at each of `cuts` (fractions of the whole); two equal ones make an empty chunk. */
function cut(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const edges = [0, ...cuts.map((fraction) => Math.floor(fraction * bytes.length)).sort((a, b) => a - b), bytes.length];
  return edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge));
}

/** The order of streams and all their bytes: neighbouring fragments of one stream are one. */
function merged(fragments: Iterable<{ stream: string; data: Uint8Array }>): { stream: string; data: Buffer }[] {
  const runs: { stream: string; data: Buffer }[] = [];
  for (const { stream, data } of fragments) {
    const last = runs.at(-1);
    if (last?.stream === stream) last.data = Buffer.concat([last.data, data]);
    else runs.push({ stream, data: Buffer.from(data) });
  }
  return runs;
}

function demultiplexed(chunks: readonly Uint8Array[]) {
  const demultiplexer = createDemultiplexer();
  const fragments = chunks.flatMap((chunk) => [...demultiplexer.push(chunk)]);
  return { fragments, atFrameBoundary: demultiplexer.atFrameBoundary() };
}

describe('demultiplexer', () => {
  it('gives what the frames held, however the stream is cut', () => {
    fc.assert(
      fc.property(fc.array(anyFrame), fc.array(fc.double({ min: 0, max: 1, noNaN: true })), (frames, cuts) => {
        const { fragments, atFrameBoundary } = demultiplexed(cut(Buffer.concat(frames.map(encode)), cuts));
        const sent = frames.filter(({ payload }) => payload.length > 0).map(({ stream, payload }) => ({ stream, data: payload }));
        expect(merged(fragments)).toEqual(merged(sent));
        expect(fragments.every(({ data }) => data.length > 0)).toBe(true);
        expect(atFrameBoundary).toBe(true);
      }),
    );
  });

  it('knows a stream that was cut inside a frame', () => {
    fc.assert(
      fc.property(fc.array(anyFrame), anyFrame, fc.nat(), (frames, last, where) => {
        const whole = encode(last);
        const kept = 1 + (where % (whole.length - 1));
        const { atFrameBoundary } = demultiplexed([...frames.map(encode), whole.subarray(0, kept)]);
        expect(atFrameBoundary).toBe(false);
      }),
    );
  });

  it('takes a flood of 1-byte frames in one chunk without deep recursion', () => {
    const frames = 1_000_000;
    const flood = Buffer.alloc(9 * frames, encode({ stream: 'stdout', payload: Buffer.from('x') }));
    let bytes = 0;
    for (const { data } of createDemultiplexer().push(flood)) bytes += data.length;
    expect(bytes).toBe(frames);
  });

  it('takes byte by byte', () => {
    const bytes = Buffer.concat([
      encode({ stream: 'stdout', payload: Buffer.from('缘') }),
      encode({ stream: 'stderr', payload: Buffer.from('e') }),
    ]);
    const { fragments } = demultiplexed([...bytes].map((byte) => Uint8Array.of(byte)));
    expect(merged(fragments)).toEqual([
      { stream: 'stdout', data: Buffer.from('缘') },
      { stream: 'stderr', data: Buffer.from('e') },
    ]);
  });

  it('hands on a frame of 4 GiB piece by piece, keeping none of it', () => {
    const demultiplexer = createDemultiplexer();
    const header = Buffer.from([1, 0, 0, 0, 0xff, 0xff, 0xff, 0xff]);
    expect([...demultiplexer.push(header)]).toEqual([]);
    const piece = Buffer.alloc(65_536, 'a');
    const [fragment, ...rest] = demultiplexer.push(piece);
    expect(rest).toEqual([]);
    expect(fragment?.data.buffer).toBe(piece.buffer);
    expect(demultiplexer.atFrameBoundary()).toBe(false);
  });

  it('is lazy: nothing of a chunk is read before it is asked for', () => {
    const demultiplexer = createDemultiplexer();
    const fragments = demultiplexer.push(
      Buffer.concat([encode({ stream: 'stdout', payload: Buffer.from('a') }), Buffer.from('not a header at all')]),
    );
    expect(fragments.next().value).toMatchObject({ stream: 'stdout' });
    expect(() => fragments.next()).toThrow(MalformedStreamError);
  });

  it.each([
    ['stdin, which is never sent back', [0, 0, 0, 0, 0, 0, 0, 1]],
    ['an unknown stream', [3, 0, 0, 0, 0, 0, 0, 1]],
    ['padding that is not zero', [1, 0, 1, 0, 0, 0, 0, 1]],
    ['plain text', [...Buffer.from('{"type":')]],
  ])('refuses a header with %s', (_what, header) => {
    expect(() => demultiplexed([Uint8Array.from(header)])).toThrow(MalformedStreamError);
  });
});
