/**
 * The engine's attach stream without a terminal carries stdout and stderr in one: frames of an 8-byte
 * header (stream number, three zero bytes, payload length as big-endian uint32) and the payload.
 *
 * Own, because docker-modem's recurses per frame (a flood of tiny frames overflows the stack), buffers
 * whole frames (a header may announce 4 GiB) and ignores back-pressure. This one loops, keeps at most
 * one header, and is pulled: whoever reads the socket decides when the next chunk comes.
 */
export interface Fragment {
  readonly stream: 'stdout' | 'stderr';
  /** A piece of a frame's payload, never empty; a view into the chunk it came in. */
  readonly data: Uint8Array;
}

export interface Demultiplexer {
  /** The payload in `chunk`, in order. Throws on a header that the protocol does not have. */
  push(chunk: Uint8Array): Generator<Fragment, void>;
  /** False in the middle of a header or a payload: a stream that ends there was cut. */
  atFrameBoundary(): boolean;
}

const HEADER_BYTES = 8;
/** Stream numbers on the wire; 0 is stdin, which the engine never sends back. */
const STDOUT = 1;
const STDERR = 2;

/** The stream is not of the attach protocol: we and the engine disagree, nothing after it can be trusted. */
export class MalformedStreamError extends Error {
  override readonly name = 'MalformedStreamError';
}

export function createDemultiplexer(): Demultiplexer {
  const header = new Uint8Array(HEADER_BYTES);
  let headerFilled = 0;
  let stream: Fragment['stream'] = 'stdout';
  let payloadLeft = 0;

  function takeHeader(chunk: Uint8Array, at: number): number {
    const taken = Math.min(HEADER_BYTES - headerFilled, chunk.length - at);
    header.set(chunk.subarray(at, at + taken), headerFilled);
    headerFilled += taken;
    if (headerFilled === HEADER_BYTES) {
      headerFilled = 0;
      stream = streamOf(header);
      payloadLeft = new DataView(header.buffer).getUint32(4);
    }
    return at + taken;
  }

  return {
    *push(chunk) {
      for (let at = 0; at < chunk.length; ) {
        if (payloadLeft === 0) {
          at = takeHeader(chunk, at);
          continue;
        }
        const data = chunk.subarray(at, at + payloadLeft);
        payloadLeft -= data.length;
        at += data.length;
        yield { stream, data };
      }
    },
    atFrameBoundary: () => headerFilled === 0 && payloadLeft === 0,
  };
}

function streamOf(header: Uint8Array): Fragment['stream'] {
  const [number, ...padding] = header.subarray(0, 4);
  if (padding.every((byte) => byte === 0)) {
    if (number === STDOUT) return 'stdout';
    if (number === STDERR) return 'stderr';
  }
  throw new MalformedStreamError(`not an attach frame header: ${Buffer.from(header).toString('hex')}`);
}
