import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { ToolCallError } from '@yuanbot/contract';
import type { Container, ContainerCreateOptions } from 'dockerode';
import { type CapturedOutput, createCapturedOutput, createOutputTail, type OutputTail } from './captured-output.ts';
import { observeContainment } from './container.ts';
import { createDemultiplexer } from './demultiplexer.ts';
import { ANSWER_LIMIT_MS, type Engine } from './engine.ts';
import { engineFailure } from './engine-errors.ts';
import { exitCodeOf } from './exit-code.ts';
import { orAbort, within } from './or-abort.ts';
import type { Removals } from './removals.ts';

/** A container whose program runs and has not been told anything yet. It answers once. */
export interface WaitingContainer {
  readonly id: string;
  /** The runtime, as the engine reports it for this container. */
  readonly isolation: string;
  /** From the request to make it until it ran, in ms. */
  readonly startMs: number;
  /**
   * Gives the program its line, closes its stdin, and resolves when it has exited, whatever it printed.
   * Rejects with ERR_SANDBOX_TIMEOUT, ERR_OUTPUT_LIMIT, ERR_SANDBOX_CRASHED or the signal's reason; the
   * program may still run then, until `remove`.
   */
  ask(question: Question): Promise<Answer>;
  /** Ends it, whether it was asked or not; resolves when it is gone from the engine. */
  remove(): Promise<void>;
}

export interface Question {
  /** Without its newline. */
  readonly line: string;
  readonly timeoutMs: number;
  /** How much of that earlier lines of the same call have used, in ms. */
  readonly spentMs: number;
  /** What stdout may hold. */
  readonly outputBytes: number;
  readonly signal: AbortSignal;
}

export interface Answer {
  readonly stdout: Uint8Array;
  /** The end of stderr. */
  readonly stderr: string;
  readonly exitCode: number;
  readonly oomKilled: boolean;
  /** From the question to the exit, in ms. */
  readonly runMs: number;
}

/** Kept of stderr for diagnosis, in bytes; a message quotes less. */
const STDERR_KEPT_BYTES = 4_096;
/** Notes on stderr cost the engine and us CPU. More than this, in bytes, is no note: 4 MiB. */
const STDERR_LIMIT_BYTES = 4 * 1024 * 1024;
/** After the exit the engine hands over what is left in its pipes; it takes milliseconds, and this, in ms, at most. */
const DRAIN_LIMIT_MS = 2_000;

/** Makes, attaches to and starts a container. Nothing is left of it when this rejects (with a ToolCallError or the signal's reason). */
export async function startContainer(
  engine: Engine,
  removals: Removals,
  config: ContainerCreateOptions,
  { signal, startLimitMs }: { signal: AbortSignal; startLimitMs: number },
): Promise<WaitingContainer> {
  const since = performance.now();
  const tooLong = AbortSignal.timeout(startLimitMs);
  const deadline = AbortSignal.any([signal, tooLong]);
  const failure = (error: unknown) => {
    if (signal.aborted) return signal.reason;
    if (tooLong.aborted) {
      return new ToolCallError('ERR_SANDBOX_START', `The container did not start within ${startLimitMs} ms. Try again later.`);
    }
    return engineFailure(error, 'before-run', 'start the container');
  };

  // Named by us: what the engine makes, and cannot tell us of any more, can still be removed.
  const name = `yuanbot-${randomUUID()}`;
  const creating = engine.createContainer({ ...config, name });
  const container = await orAbort(creating, deadline).catch((error: unknown) => {
    removals.removeWhenCreated(creating, name);
    throw failure(error);
  });
  // Attached before the start, so that nothing it prints is lost; twice, because a program that never
  // reads its stdin breaks the connection that carries it, and its output must not go with it.
  const attaching = Promise.all([attach(container, { stdout: true, stderr: true }), attach(container, { stdin: true })]);
  let starting: Promise<unknown> = Promise.resolve();
  try {
    const [[output, input], made] = await orAbort(Promise.all([attaching, container.inspect()]), deadline);
    const isolation = observeContainment(made, config);
    starting = container.start();
    await orAbort(starting, deadline);
    const startMs = performance.now() - since;
    return {
      id: container.id,
      isolation,
      startMs,
      ask: (question) => ask(container, output, input, question),
      async remove() {
        output.destroy();
        input.destroy();
        await removals.remove(container.id);
      },
    };
  } catch (error) {
    attaching.then(closeAll, () => undefined);
    // Taken away in the middle of its start, a container leaves the engine's runtime with half of one.
    await within(ANSWER_LIMIT_MS, Promise.allSettled([starting])).catch(() => undefined);
    await removals.remove(container.id);
    throw failure(error);
  }
}

async function attach(container: Container, streams: { stdin?: true; stdout?: true; stderr?: true }): Promise<Duplex> {
  const stream = (await container.attach({ ...streams, stream: true, hijack: true })) as Duplex;
  // Who reads or writes sees the error there; without a listener it would end the process.
  stream.on('error', () => undefined);
  return stream;
}

function closeAll(streams: readonly Duplex[]): void {
  for (const stream of streams) stream.destroy();
}

async function ask(
  container: Container,
  output: Duplex,
  input: Duplex,
  { line, timeoutMs, spentMs, outputBytes, signal }: Question,
): Promise<Answer> {
  const since = performance.now();
  const stdout = createCapturedOutput(outputBytes);
  const stderr = createOutputTail(STDERR_KEPT_BYTES);
  const timeUp = new AbortController();
  const timer = setTimeout(
    () => timeUp.abort(new ToolCallError('ERR_SANDBOX_TIMEOUT', `The tool took longer than its ${timeoutMs} ms and was ended.`)),
    timeoutMs - spentMs,
  );
  try {
    input.end(`${line}\n`);
    const exitCode = await orAbort(
      untilExit(container, readOutput(output, stdout, stderr)),
      AbortSignal.any([signal, timeUp.signal]),
    );
    const runMs = performance.now() - since;
    const { State } = await within(ANSWER_LIMIT_MS, container.inspect());
    return { stdout: stdout.bytes, stderr: stderr.text(), exitCode, oomKilled: State.OOMKilled, runMs };
  } catch (error) {
    throw error instanceof ToolCallError ? error : engineFailure(error, 'during-run', 'run the tool');
  } finally {
    clearTimeout(timer);
    closeAll([output, input]);
  }
}

/** Resolves to the exit code once the container has exited and all its output is read. Rejects as soon as `reading` does. */
async function untilExit(container: Container, reading: Promise<void>): Promise<number> {
  const exiting = exitCodeOf(container);
  const exitCode = await Promise.race([exiting, reading.then(() => exiting)]);
  await within(DRAIN_LIMIT_MS, reading);
  return exitCode;
}

async function readOutput(output: Duplex, stdout: CapturedOutput, stderr: OutputTail): Promise<void> {
  const demultiplexer = createDemultiplexer();
  for await (const chunk of output as AsyncIterable<Uint8Array>) {
    for (const { stream, data } of demultiplexer.push(chunk)) {
      if (stream === 'stderr') stderr.add(data);
      else if (!stdout.add(data)) {
        throw new ToolCallError('ERR_OUTPUT_LIMIT', 'The tool printed more than it may in one call. Ask it for less at once.');
      }
    }
    if (stderr.total > STDERR_LIMIT_BYTES) {
      throw new ToolCallError('ERR_OUTPUT_LIMIT', `The tool printed more than ${STDERR_LIMIT_BYTES} bytes on stderr.`);
    }
  }
  if (!demultiplexer.atFrameBoundary()) {
    throw new ToolCallError('ERR_SANDBOX_CRASHED', 'The output of the tool was cut off while it ran.');
  }
}
