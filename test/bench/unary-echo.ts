import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Client, credentials } from '@grpc/grpc-js';
import { echoService } from './echo-service.ts';
import type { Call } from './measure.ts';

/** The bare unary echo, its server in a process of its own. */
export async function startUnaryEcho(payload: string): Promise<{ call: Call; close(): Promise<void> }> {
  const child = spawn(process.execPath, [new URL('echo-server.ts', import.meta.url).pathname], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [address] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const client = new Client(address, credentials.createInsecure());
  const bytes = Buffer.from(payload);
  const { path, requestSerialize, responseDeserialize } = echoService.echo;
  return {
    call: () =>
      new Promise((resolve, reject) => {
        client.makeUnaryRequest(path, requestSerialize, responseDeserialize, bytes, (error, answer) => {
          if (error) reject(error);
          else if (answer?.equals(bytes)) resolve(answer);
          else reject(new Error('the echo differs'));
        });
      }),
    async close() {
      client.close();
      child.stdin.end();
      await once(child, 'exit');
    },
  };
}
