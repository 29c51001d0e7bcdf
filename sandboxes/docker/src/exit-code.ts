import type { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import type { Container } from 'dockerode';

/**
 * Resolves to the container's exit code when it has exited; at once when it has already.
 *
 * Not `container.wait()`: the engine sends the head of its answer at once and the body at the exit, and
 * when the connection is lost in between, dockerode never settles. A stream tells.
 */
export async function exitCodeOf(container: Container): Promise<number> {
  const answer = await new Promise<Readable>((resolve, reject) => {
    container.modem.dial(
      {
        path: `/containers/${container.id}/wait`,
        method: 'POST',
        isStream: true,
        statusCodes: { 200: true, 404: 'no such container', 500: 'server error' },
      },
      (error: Error | null, stream: Readable) => (error === null ? resolve(stream) : reject(error)),
    );
  });
  const { StatusCode } = (await json(answer)) as { StatusCode: number };
  return StatusCode;
}
