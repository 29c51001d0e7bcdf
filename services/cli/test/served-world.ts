import { createServer, type Handlers } from '@yuanbot/proto';
import { CapabilityService } from '@yuanbot/proto/capability';
import { runCli } from '../src/cli.ts';
import type { ExitCode } from '../src/failure/exit-code.ts';
import type { World } from '../src/world.ts';
import { capturedWorld } from './captured-world.ts';

export interface Ran {
  readonly exitCode: ExitCode;
  readonly stdout: string;
  readonly stderr: string;
}

/** A Capability API on a real socket whose answers the test scripts, and a client's command line against it. */
export async function servedWorld(handlers: Handlers<typeof CapabilityService>) {
  const server = createServer({ maxReceiveBytes: 1 << 20, onInternalError: () => {} });
  server.handle(CapabilityService, handlers);
  const address = await server.listen('127.0.0.1:0');
  return {
    address,
    async run(args: readonly string[], overrides: Partial<World> = {}): Promise<Ran> {
      const { world, stdout, stderr } = capturedWorld(args, { env: { YUANBOT_ADDRESS: address }, ...overrides });
      const exitCode = await runCli(world);
      return { exitCode, stdout: stdout(), stderr: stderr() };
    },
    [Symbol.asyncDispose]: () => server.close(AbortSignal.abort()),
  };
}
