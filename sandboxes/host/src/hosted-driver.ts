import type { SandboxDriver } from '@yuanbot/contract';
import { createHostPool } from './host-pool.ts';
import type { HostPoolOptions } from './options.ts';
import { programOf } from './program-of.ts';

/** What a hosted driver leaves to whoever composes it. */
export type HostedDriverOptions = Omit<HostPoolOptions, 'kind' | 'workerModule'> & {
  /** Where the driver's worker module lies when it is bundled; by default in the driver's package. */
  readonly workerModule?: string;
};

/** The pool, and what the kind of tool takes. */
export type HostedKindOptions = HostPoolOptions & {
  /** Tools of this kind get their descriptor's command line. Default: true. */
  readonly takesCommand?: boolean;
};

/** A driver whose tools run in host processes: the technology itself is in the worker module. */
export function createHostedDriver({ takesCommand = true, ...options }: HostedKindOptions): SandboxDriver {
  const { kind } = options;
  const hosted = { kind, takesCommand };
  const pool = createHostPool(options);
  return {
    kind,
    describe: () => pool.describe(),
    async prepare(executable, signal) {
      await pool.prepare(programOf(hosted, executable), signal);
    },
    async run({ executable, call, limits, ...options }) {
      const { memoryMb, outputBytes, timeoutMs } = limits;
      const { paramsJson, approved, userId, invocationId } = call;
      const hostedCall = { paramsJson, approved, userId, invocationId, memoryMb, outputBytes };
      return pool.run(programOf(hosted, executable), hostedCall, { ...options, timeoutMs });
    },
    close: () => pool.close(),
  };
}
