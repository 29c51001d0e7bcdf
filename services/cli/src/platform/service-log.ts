import { mkdir, open, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Where a service's stderr goes: a file of its own that outlives it. */
export interface ServiceLog {
  readonly file: string;
  /** For the child's stdio: it writes without passing through us. */
  readonly fd: number;
  /** The end of what was written since this log was opened, at most `TAIL_BYTES`. */
  tail(): Promise<string>;
  close(): Promise<void>;
}

/** Above this a log is put aside as `<name>.1` before a new start, so that two files are the most a service keeps. */
const ROTATE_BYTES = 16 * 1024 * 1024;
/** Enough for the sentence of a failed start and what led to it; short enough to read on a screen. */
const TAIL_BYTES = 4096;

/** Opens `<folder>/<service>.log` for appending. */
export async function openServiceLog(folder: string, service: string): Promise<ServiceLog> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `${service}.log`);
  if ((await sizeOf(file)) > ROTATE_BYTES) await rename(file, `${file}.1`);
  const handle = await open(file, 'a+', 0o600);
  const from = (await handle.stat()).size;
  return {
    file,
    fd: handle.fd,
    async tail() {
      const { size } = await handle.stat();
      const start = Math.max(from, size - TAIL_BYTES);
      const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(size - start), position: start });
      return buffer.toString('utf8', 0, bytesRead);
    },
    close: () => handle.close(),
  };
}

async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 0;
    throw error;
  }
}
