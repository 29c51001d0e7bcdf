import { converseOneshot, type Execution, type ExecutionOutcome } from '@yuanbot/contract';
import { containerConfig } from './container.ts';
import { containerLabels } from './container-labels.ts';
import type { Engine } from './engine.ts';
import type { EngineWatch } from './engine-watch.ts';
import type { Images } from './image.ts';
import type { ManagerIdentity } from './manager-identity.ts';
import { orAbort } from './or-abort.ts';
import type { Places } from './places.ts';
import type { Removals } from './removals.ts';
import { assertSupported } from './supported.ts';
import { lineOf } from './tool-answer.ts';
import { startContainer, type WaitingContainer } from './waiting-container.ts';

/** What a call is made with. */
export interface Workshop {
  readonly engine: Engine;
  readonly engineWatch: EngineWatch;
  readonly images: Images;
  readonly places: Places;
  readonly removals: Removals;
  readonly manager: ManagerIdentity;
  readonly startLimitMs: number;
}

/**
 * Runs one call by the `oneshot` protocol: a fresh container for each line. Time and output are counted
 * over all its lines; a place is held only while a container exists, not while a step waits for a person.
 */
export async function runOneshot(workshop: Workshop, execution: Execution, signal: AbortSignal): Promise<ExecutionOutcome> {
  assertSupported(execution.executable.descriptor);
  const { call, limits } = execution;
  const spent = { queueMs: 0, startMs: 0, runMs: 0 };
  let outputBytes = 0;
  let isolation = '';

  async function runOnce(line: string): Promise<string> {
    const place = await workshop.places.enter(isolation === '' ? 'new' : 'under-way', signal);
    const since = performance.now();
    spent.queueMs += place.queueMs;
    try {
      const container = await waitingContainer(workshop, execution, signal);
      spent.startMs += performance.now() - since;
      if (isolation === '') execution.onStarted();
      isolation = container.isolation;
      try {
        const answer = await container.ask({
          line,
          timeoutMs: limits.timeoutMs,
          spentMs: spent.runMs,
          outputBytes: limits.outputBytes - outputBytes,
          signal,
        });
        spent.runMs += answer.runMs;
        outputBytes += answer.stdout.length;
        return lineOf(answer);
      } finally {
        await container.remove();
      }
    } finally {
      place.leave();
    }
  }

  const { result, steps } = await converseOneshot(call, runOnce, (step) => orAbort(execution.performStep(step), signal));
  return {
    contentJson: result.contentJson,
    parts: result.parts,
    stats: { ...spent, peakMemoryBytes: 0, warm: false, steps, isolation },
  };
}

async function waitingContainer(
  { engine, engineWatch, images, removals, manager, startLimitMs }: Workshop,
  { executable, limits }: Execution,
  signal: AbortSignal,
): Promise<WaitingContainer> {
  const looking = Promise.all([engineWatch.facts(), images.resolve(executable, signal)]);
  const [facts, imageId] = await orAbort(looking, signal);
  const { command, env } = executable.descriptor;
  const labels = containerLabels(manager, executable.digest);
  return startContainer(engine, removals, containerConfig({ imageId, command, env, limits, labels }, facts.cpus), {
    signal,
    startLimitMs,
  });
}
