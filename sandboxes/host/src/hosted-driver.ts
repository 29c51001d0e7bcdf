import { type Executable, type SandboxDriver, type SandboxKind, ToolCallError } from '@yuanbot/contract';
import { createHostPool } from './host-pool.ts';
import type { HostPoolOptions } from './options.ts';
import type { Program } from './runtime-contract.ts';

/** What a hosted driver leaves to whoever composes it. */
export type HostedDriverOptions = Omit<HostPoolOptions, 'kind' | 'workerModule'> & {
  /** Where the driver's worker module lies when it is bundled; by default in the driver's package. */
  readonly workerModule?: string;
};

/** A driver whose tools run in host processes: the technology itself is in the worker module. */
export function createHostedDriver(options: HostPoolOptions): SandboxDriver {
  const { kind } = options;
  const pool = createHostPool(options);
  return {
    kind,
    describe: () => pool.describe(),
    async prepare(executable, signal) {
      await pool.prepare(programOf(kind, executable), signal);
    },
    async run({ executable, call, limits, ...options }) {
      const { memoryMb, outputBytes, timeoutMs } = limits;
      const { paramsJson, approved, userId, invocationId } = call;
      const hostedCall = { paramsJson, approved, userId, invocationId, memoryMb, outputBytes };
      return pool.run(programOf(kind, executable), hostedCall, { ...options, timeoutMs });
    },
    close: () => pool.close(),
  };
}

function programOf(kind: SandboxKind, { descriptor, digest, artifact, resources }: Executable): Program {
  if (descriptor.kind !== kind)
    throw new ToolCallError('ERR_SANDBOX_START', `A ${descriptor.kind} tool cannot run in the ${kind} sandbox.`);
  if (artifact === undefined)
    throw new ToolCallError('ERR_SANDBOX_START', `The tool has no program file; a ${kind} tool needs an \`entry\`.`);
  return { digest, artifact, command: descriptor.command, env: descriptor.env, resources };
}
