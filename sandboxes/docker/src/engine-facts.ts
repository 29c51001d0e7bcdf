import { ToolCallError } from '@yuanbot/contract';
import type { Engine } from './engine.ts';
import { engineFailure } from './engine-errors.ts';
import { within } from './or-abort.ts';

/** What an engine says about itself, as far as containment rests on it. */
export interface EngineFacts {
  readonly version: string;
  /** The runtime containers get: `runc`, `runsc`, … */
  readonly runtime: string;
  readonly cpus: number;
}

/** An engine that is there answers in 10–20 ms; one that does not in this time, in ms, is not there. */
const DESCRIBE_LIMIT_MS = 2_000;

/**
 * Asks the engine now. Rejects with ERR_SANDBOX_UNAVAILABLE when it does not answer, or when it cannot
 * apply a limit that every container must have: it would drop it with no more than a warning.
 */
export async function readEngineFacts(engine: Engine): Promise<EngineFacts> {
  const info = await askInfo(engine);
  const missing = [
    info['MemoryLimit'] === true ? undefined : 'memory limits',
    info['SwapLimit'] === true ? undefined : 'swap limits',
    info['CpuCfsQuota'] === true ? undefined : 'CPU limits',
    info['PidsLimit'] === true ? undefined : 'process limits',
    hasSeccomp(info['SecurityOptions']) ? undefined : 'its default seccomp profile',
  ].filter((control) => control !== undefined);
  if (missing.length > 0) {
    throw new ToolCallError(
      'ERR_SANDBOX_UNAVAILABLE',
      `The Docker engine on this machine cannot apply ${missing.join(', ')}; tools do not run without. Its warnings in \`docker info\` say why.`,
    );
  }
  return {
    version: textOr(info['ServerVersion'], 'unknown'),
    runtime: textOr(info['DefaultRuntime'], 'unknown'),
    cpus: typeof info['NCPU'] === 'number' && info['NCPU'] > 0 ? info['NCPU'] : 1,
  };
}

async function askInfo(engine: Engine): Promise<Record<string, unknown>> {
  try {
    return await within<Record<string, unknown>>(DESCRIBE_LIMIT_MS, engine.info());
  } catch (error) {
    throw engineFailure(error, 'before-run', 'describe itself');
  }
}

function hasSeccomp(options: unknown): boolean {
  return (
    Array.isArray(options) &&
    options.some(
      (option) => typeof option === 'string' && option.startsWith('name=seccomp') && !option.includes('profile=unconfined'),
    )
  );
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === 'string' && value !== '' ? value : otherwise;
}
