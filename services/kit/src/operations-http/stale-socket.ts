import { lstat, unlink } from 'node:fs/promises';
import { connect } from 'node:net';

/**
 * Removes the socket file that a killed process left behind, so that its successor can listen there. A socket that
 * somebody listens on, and anything that is no socket, stays: listening then fails, as it should.
 */
export async function removeStaleSocket(path: string): Promise<void> {
  if (!(await isSocket(path))) return;
  if (await isListening(path)) return;
  await unlink(path);
}

async function isSocket(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isSocket();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

function isListening(path: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', (error) => {
      if (codeOf(error) === 'ECONNREFUSED') resolve(false);
      else reject(error);
    });
  });
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
