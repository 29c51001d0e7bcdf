import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { testDockerSocket } from '../../fixtures/docker-engine.ts';

/** A second door to the tests' engine, which can be shut as if the engine had died. */
export interface EngineRelay {
  /** Resolves when the engine has begun to answer a question whose path ends in `word`. */
  answering(word: string): Promise<void>;
  /** Breaks every connection and takes no more. */
  shut(): Promise<void>;
}

export async function openEngineRelay(path: string): Promise<EngineRelay> {
  const sockets = new Set<Socket>();
  const watched = new Map<string, () => void>();
  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ path: testDockerSocket(), allowHalfOpen: true });
    sockets.add(near).add(far);
    near.on('error', () => far.destroy());
    far.on('error', () => near.destroy());
    near.once('data', (head: Buffer) => {
      const word = /^\w+ \S*\/(\w+)[? ]/.exec(head.toString('latin1'))?.[1] ?? '';
      far.once('data', () => watched.get(word)?.());
    });
    near.pipe(far);
    far.pipe(near);
  });
  server.listen(path);
  await once(server, 'listening');
  return {
    answering: (word) => new Promise((resolve) => watched.set(word, resolve)),
    async shut() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
