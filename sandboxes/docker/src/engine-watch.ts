import { ToolCallError } from '@yuanbot/contract';
import { ANSWER_LIMIT_MS, type Engine } from './engine.ts';
import { engineFailure } from './engine-errors.ts';
import { isTimeout, within } from './or-abort.ts';

/** What an engine says about itself, as far as containment rests on it. */
export interface EngineFacts {
  readonly version: string;
  /** The runtime containers get: `runc`, `runsc`, … */
  readonly runtime: string;
  readonly cpus: number;
}

/** What is known about the engine, so that not every container asks: under load its answer takes seconds. */
export interface EngineWatch {
  /**
   * The facts, at most a minute old. Rejects with ERR_SANDBOX_UNAVAILABLE when the engine does not answer, or
   * cannot apply a limit that every container must have: it would drop it with no more than a warning.
   */
  facts(): Promise<EngineFacts>;
  /** The facts if the engine answers now, within two seconds; rejects as `facts` does. */
  look(): Promise<EngineFacts>;
}

/** An engine that is there answers a ping in milliseconds; one that does not in this time, in ms, is not there. */
const PING_LIMIT_MS = 2_000;
/** Facts change when an engine is started anew with other flags, on another kernel: 1 minute, in ms. */
const FACTS_AGE_MS = 60_000;

export function createEngineWatch(engine: Engine): EngineWatch {
  let known: { readonly facts: Promise<EngineFacts>; readonly since: number } | undefined;

  function ask(): Promise<EngineFacts> {
    const asked = { facts: readEngineFacts(engine), since: performance.now() };
    asked.facts.catch(() => {
      if (known === asked) known = undefined;
    });
    known = asked;
    return asked.facts;
  }

  return {
    facts: () => (known !== undefined && performance.now() - known.since < FACTS_AGE_MS ? known.facts : ask()),
    async look() {
      try {
        await within(PING_LIMIT_MS, engine.ping());
      } catch (error) {
        known = undefined;
        throw engineFailure(error, 'before-run', 'answer');
      }
      // A ping takes no lock of the engine; its description may wait behind containers that are being started.
      const before = known;
      return await within(PING_LIMIT_MS, ask()).catch((error: unknown) => {
        if (before !== undefined && isTimeout(error)) return before.facts;
        throw engineFailure(error, 'before-run', 'describe itself');
      });
    },
  };
}

async function readEngineFacts(engine: Engine): Promise<EngineFacts> {
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
    return await within<Record<string, unknown>>(ANSWER_LIMIT_MS, engine.info());
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
