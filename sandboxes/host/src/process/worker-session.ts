import { asToolCallError, ToolCallError } from '@yuanbot/contract';
import type { FromWorker, ProgramHead, RunHead, ToWorker } from '../link/worker-messages.ts';
import type { Program, Runtime, RuntimeResult } from '../runtime-contract.ts';

/** One worker's side of the talk with the manager: programs are kept, calls are run one at a time. */
export interface WorkerSession {
  receive(message: ToWorker): void;
}

/** Steps that one call may wait for at once: a tool that asks for more at a time is broken or hostile. */
const MAX_OPEN_STEPS = 16;
/** The longest step text, in UTF-16 units: an http body of that size is at the limit of what a step may carry. */
const MAX_STEP_LENGTH = 1024 * 1024;

interface CurrentCall {
  readonly number: number;
  readonly openSteps: Map<number, (answer: { field: 'response' | 'db_response'; json: string }) => void>;
  /** Ends the call with an error of the platform, whatever the runtime's promise does. */
  fail(error: ToolCallError): void;
  abandon(): void;
}

/**
 * @param cleanUp is called after each call, before it is reported: what is left of it is not to be counted as the
 *   next one's memory
 */
export function createWorkerSession(runtime: Runtime, send: (message: FromWorker) => void, cleanUp: () => void): WorkerSession {
  const programs = new Map<string, Program>();
  let current: CurrentCall | undefined;

  function programOf(digest: string): Program {
    const program = programs.get(digest);
    if (program === undefined)
      throw new ToolCallError('ERR_INTERNAL', 'The sandbox was asked to run a program it does not hold.');
    return program;
  }

  async function prepare(call: number, digest: string): Promise<void> {
    try {
      await runtime.prepare(programOf(digest));
      answerSoon({ type: 'prepared', call });
    } catch (error) {
      answerSoon(failure(call, error));
    }
  }

  async function run(call: number, head: RunHead, paramsJson: string): Promise<void> {
    const ended = Promise.withResolvers<'abandoned'>();
    const openSteps: CurrentCall['openSteps'] = new Map();
    current = { number: call, openSteps, fail: ended.reject, abandon: () => ended.resolve('abandoned') };
    const startedAt = performance.now();
    try {
      const program = programOf(head.digest);
      const outcome = await Promise.race([
        runtime.run(program, { ...head, paramsJson, performStep: (stepJson) => performStep(call, stepJson) }),
        ended.promise,
      ]);
      if (outcome === 'abandoned') {
        answerSoon({ type: 'abandoned', call });
        return;
      }
      refuseOverlong(outcome, head.outputBytes);
      const { contentJson, parts, steps, peakMemoryBytes } = outcome;
      const runMs = performance.now() - startedAt;
      answerSoon({ type: 'result', call, head: { parts, steps, peakMemoryBytes, runMs }, contentJson });
    } catch (error) {
      answerSoon(failure(call, error));
    }
  }

  let stepNumber = 0;

  function performStep(call: number, stepJson: string): Promise<{ field: 'response' | 'db_response'; json: string }> {
    return new Promise((resolve) => {
      // A call that is over gets no step: what is left of it may still hold this function.
      if (current === undefined || current.number !== call) return;
      if (current.openSteps.size >= MAX_OPEN_STEPS) {
        current.fail(
          new ToolCallError('ERR_STEP_LIMIT', `The tool asked for more than ${MAX_OPEN_STEPS} steps at the same time.`),
        );
        return;
      }
      if (stepJson.length > MAX_STEP_LENGTH) {
        current.fail(new ToolCallError('ERR_STEP_INVALID', 'The tool asked for a step of more than 1 MiB.'));
        return;
      }
      const step = ++stepNumber;
      current.openSteps.set(step, resolve);
      send({ type: 'step', call, step, stepJson });
    });
  }

  /**
   * Answers in a turn of the event loop of its own. Promise jobs that the call left behind run before it, so a
   * call that never lets go of the thread never looks finished, and the next call cannot be caught in it.
   */
  function answerSoon(message: Exclude<FromWorker, { type: 'ready' | 'step' }>): void {
    setImmediate(() => {
      current = undefined;
      cleanUp();
      send(message);
    });
  }

  return {
    receive(message) {
      switch (message.type) {
        case 'program':
          for (const digest of message.head.forget) programs.delete(digest);
          programs.set(message.head.digest, readProgram(message.head, message.content));
          return;
        case 'prepare':
          void prepare(message.call, message.digest);
          return;
        case 'run':
          void run(message.call, message.head, message.paramsJson);
          return;
        case 'answer': {
          if (current?.number !== message.call) return;
          const resolve = current.openSteps.get(message.step);
          current.openSteps.delete(message.step);
          resolve?.({ field: message.field, json: message.json });
          return;
        }
        case 'abandon':
          if (current?.number === message.call) current.abandon();
          return;
      }
    },
  };
}

function readProgram(head: ProgramHead, content: Uint8Array): Program {
  let offset = head.artifactBytes;
  const resources = new Map<string, Uint8Array>();
  for (const { path, bytes } of head.resources) {
    resources.set(path, content.subarray(offset, offset + bytes));
    offset += bytes;
  }
  const { digest, command, env } = head;
  return { digest, command, env, artifact: content.subarray(0, head.artifactBytes), resources };
}

/** The longest cause that is passed on for the log, in UTF-16 units: a message and a stack. */
const MAX_DETAIL_LENGTH = 4_000;

function failure(call: number, error: unknown): FromWorker & { type: 'failed' } {
  const { code, message, cause } = asToolCallError(error);
  const detail = cause instanceof Error ? String(cause.stack || cause.message).slice(0, MAX_DETAIL_LENGTH) : '';
  return { type: 'failed', call, code, message, detail };
}

/** `limits.outputBytes` covers everything a call gives back: the content and its parts. */
function refuseOverlong(result: RuntimeResult, outputBytes: number): void {
  const partsBytes = result.parts.length === 0 ? 0 : Buffer.byteLength(JSON.stringify(result.parts));
  const bytes = Buffer.byteLength(result.contentJson) + partsBytes;
  if (bytes <= outputBytes) return;
  throw new ToolCallError(
    'ERR_OUTPUT_LIMIT',
    `The tool's result of ${bytes} bytes is above its limit of ${outputBytes}; ask it for less.`,
  );
}
