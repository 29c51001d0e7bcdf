import type { Socket } from 'node:net';
import { createFrameDecoder, FRAME_OVERHEAD_BYTES, type Frame, FrameError, writeFrameHead } from './frame.ts';

/** One end of an inherited socket, speaking frames. */
export interface Link {
  /**
   * Queues a frame: `head`, a newline, `body`. What is sent in one turn of the event loop leaves in one write.
   * After `close` it does nothing: the peer is gone, and whoever waits learns so from `onClose`.
   */
  send(type: number, call: number, head: string, body?: string | Uint8Array): void;
  close(): void;
}

export interface LinkOptions {
  /** The largest payload accepted and sent, in bytes. */
  readonly maxPayloadBytes: number;
  /**
   * Stop reading while the peer does not read: what is asked of us cannot pile up as answers. Only for the ends
   * in the host process; if both ends did it, two full buffers would wait for each other.
   */
  readonly pauseWhenFull: boolean;
  onFrame(frame: Frame): void;
  /** Once, when no frame will come any more; with the cause if the link was broken rather than ended. */
  onClose(cause: Error | undefined): void;
}

/** Frames of one turn are gathered in a buffer of this size: a few hundred echo calls, and one memory page cluster. */
const BATCH_BYTES = 64 * 1024;
/** The most bytes that a UTF-16 code unit becomes in UTF-8. */
const MAX_UTF8_BYTES_PER_UNIT = 3;
const NEWLINE = 10;

export function createLink(socket: Socket, options: LinkOptions): Link {
  let batch = Buffer.allocUnsafeSlow(BATCH_BYTES);
  let batchedBytes = 0;
  let flushScheduled = false;
  let closed = false;

  const decoder = createFrameDecoder(options.maxPayloadBytes, options.onFrame);
  socket.on('data', (chunk: Buffer) => {
    try {
      decoder.push(chunk);
    } catch (error) {
      finish(error instanceof Error ? error : new Error(String(error)));
    }
  });
  socket.on('error', (error) => finish(error));
  socket.on('close', () => finish(undefined));
  socket.on('end', () => finish(undefined));

  function finish(cause: Error | undefined): void {
    if (closed) return;
    closed = true;
    socket.destroy();
    options.onClose(cause);
  }

  function flush(): void {
    flushScheduled = false;
    if (closed || batchedBytes === 0) return;
    const full = !socket.write(batch.subarray(0, batchedBytes));
    // The socket keeps what it was given until the kernel took it: the next batch needs memory of its own.
    if (socket.writableLength > 0) batch = Buffer.allocUnsafeSlow(BATCH_BYTES);
    batchedBytes = 0;
    if (full && options.pauseWhenFull && !socket.isPaused()) {
      socket.pause();
      socket.once('drain', () => socket.resume());
    }
  }

  function schedule(): void {
    if (flushScheduled) return;
    flushScheduled = true;
    queueMicrotask(flush);
  }

  function sendAlone(type: number, call: number, parts: readonly (string | Uint8Array)[]): void {
    const payloadBytes = parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
    if (payloadBytes > options.maxPayloadBytes) {
      throw new FrameError(`A frame of ${payloadBytes} bytes is above the maximum of ${options.maxPayloadBytes}.`);
    }
    flush();
    const frame = Buffer.allocUnsafeSlow(FRAME_OVERHEAD_BYTES + payloadBytes);
    writeFrameHead(frame, 0, type, call, payloadBytes);
    let offset = FRAME_OVERHEAD_BYTES;
    for (const part of parts) {
      if (typeof part === 'string') offset += frame.write(part, offset, 'utf8');
      else {
        frame.set(part, offset);
        offset += part.length;
      }
    }
    socket.write(frame);
  }

  return {
    send(type, call, head, body = '') {
      if (closed) return;
      const mostBytes =
        FRAME_OVERHEAD_BYTES +
        1 +
        head.length * MAX_UTF8_BYTES_PER_UNIT +
        body.length * (typeof body === 'string' ? MAX_UTF8_BYTES_PER_UNIT : 1);
      if (typeof body !== 'string' || mostBytes > BATCH_BYTES) {
        sendAlone(type, call, [head, '\n', body]);
        return;
      }
      if (mostBytes > BATCH_BYTES - batchedBytes) flush();
      const start = batchedBytes + FRAME_OVERHEAD_BYTES;
      let end = start + batch.write(head, start, 'utf8');
      batch[end++] = NEWLINE;
      end += batch.write(body, end, 'utf8');
      writeFrameHead(batch, batchedBytes, type, call, end - start);
      batchedBytes = end;
      schedule();
    },

    close() {
      flush();
      closed = true;
      socket.end();
      socket.destroySoon();
    },
  };
}
