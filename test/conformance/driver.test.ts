import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ErrorCode, type ExecutorDescriptor, type StepAnswer, ToolCallError } from '@yuanbot/contract';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Behaviour, DB_STEP, FAILURE, HTTP_STEP, MAIL_STEP, RUDE_FAILURE_SHOWN } from './behaviours.ts';
import { drivers, type OpenDriver } from './drivers.ts';
import { executionOf, LIMITS } from './execution.ts';

/** A tool that ran out of time is ended this long after, in ms, at most. */
const END_MS = 250;

const STEPS = {
  'http-step': { step: HTTP_STEP, field: 'response' },
  'db-step': { step: DB_STEP, field: 'db_response' },
  'mail-step': { step: MAIL_STEP, field: 'response' },
} as const;

describe.each(drivers)('$kind', (under) => {
  let open: OpenDriver;

  beforeAll(async () => {
    open = await under.open();
  });
  afterAll(() => open[Symbol.asyncDispose]());

  /** Whatever a test did: nothing of it is left, and the next call works. */
  afterEach(async () => {
    // What a cancelled start may still have made goes as soon as the engine has made it.
    await vi.waitFor(async () => expect(await open.leftOfCalls()).toEqual([]), { timeout: 20_000, interval: 50 });
    expect((await open.driver.describe()).busy).toBe(0);
    expect(await echoed('{"still":"works"}')).toBe('{"still":"works"}');
  });

  async function run(behaviour: Behaviour, changes: Parameters<typeof executionOf>[1] = {}) {
    return open.driver.run(executionOf(await under.tool(behaviour), changes));
  }

  async function echoed(paramsJson: string): Promise<string> {
    return (await run('echo', { paramsJson })).contentJson;
  }

  async function expectFailure(outcome: Promise<unknown>, codes: ErrorCode | readonly ErrorCode[]): Promise<ToolCallError> {
    const error: unknown = await outcome.then(
      () => 'it did not fail',
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof ToolCallError)) throw new Error('rejected with something else than a ToolCallError', { cause: error });
    expect([codes].flat()).toContain(error.code);
    expect(error.message).not.toBe('');
    return error;
  }

  describe('a call', () => {
    it.each([
      ['nothing', '{}'],
      [
        'text of any language',
        JSON.stringify({ city: '北京 🌸', quoted: '"}],\\ ,"approved":false', control: '\u0000\n\u2028', lone: '\ud800' }),
      ],
      ['the largest integers that every language holds', '{"large":[9007199254740991,-9007199254740991],"small":0.1}'],
      ['nesting', '{"a":{"b":[{"c":[[],{},null,true,false,""]}]}}'],
      ['names with a meaning in JavaScript', '{"__proto__":{"a":1},"constructor":2,"prototype":3,"toString":4}'],
      ['half of what it may print', JSON.stringify({ text: 'x'.repeat(LIMITS.outputBytes / 2) })],
    ])('gets its params and gives its result: %s', async (_what, paramsJson) => {
      expect(await echoed(paramsJson)).toBe(paramsJson);
    });

    it('gives an id of 20 digits back as its language allows', async () => {
      expect(await echoed('{"id":12345678901234567890}')).toBe(`{"id":${under.longNumber}}`);
    });

    it('tells how it went', async () => {
      const { parts, stats } = await run('echo');
      expect(parts).toEqual([]);
      expect(stats.isolation).toMatch(/^[a-z]+$/);
      expect(stats.steps).toBe(0);
      for (const figure of [stats.queueMs, stats.startMs, stats.runMs, stats.peakMemoryBytes]) {
        expect(figure).toBeGreaterThanOrEqual(0);
      }
    });

    it('shares nothing with 15 others at once', async () => {
      const all = Array.from({ length: 16 }, (_, index) => `{"call":${index}}`);
      expect(await Promise.all(all.map(echoed))).toEqual(all);
    });

    it('leaves no state to the next', async () => {
      expect((await run('count')).contentJson).toBe('1');
      expect((await run('count')).contentJson).toBe('1');
    });

    it('runs tools in every form they come in', async () => {
      for (const executable of await under.otherForms()) {
        const outcome = await open.driver.run(executionOf(executable, { paramsJson: '{"form":"other"}' }));
        expect(outcome.contentJson).toBe('{"form":"other"}');
      }
    });
  });

  describe('a limit', () => {
    it.each(['sleep', 'spin'] as const)('of time ends a tool that would %s forever', async (behaviour) => {
      const timeoutMs = 600;
      const began = performance.now();
      await expectFailure(run(behaviour, { limits: { timeoutMs } }), 'ERR_SANDBOX_TIMEOUT');
      const tookMs = performance.now() - began;
      expect(tookMs).toBeGreaterThanOrEqual(timeoutMs);
      expect(tookMs).toBeLessThanOrEqual(timeoutMs + END_MS + under.allowanceMs);
    });

    it('of output refuses the result, and does not cut it', async () => {
      await expectFailure(run('flood'), 'ERR_OUTPUT_LIMIT');
    });

    it('of memory ends a tool that takes all it gets', async () => {
      await expectFailure(run('memory'), 'ERR_SANDBOX_MEMORY');
    });
  });

  describe('a cancelled call', () => {
    it('does not begin when it was cancelled before', async () => {
      const performStep = vi.fn();
      await expectFailure(run('http-step', { signal: AbortSignal.abort(), performStep }), 'ERR_CANCELLED');
      expect(performStep).not.toHaveBeenCalled();
    });

    it.each([0, 20, 1_000])('is over at once, %d ms after it began', async (afterMs) => {
      const signal = AbortSignal.timeout(afterMs);
      const cancelled = new Promise<number>((resolve) => {
        signal.addEventListener('abort', () => resolve(performance.now()));
      });
      await expectFailure(run('sleep', { signal }), 'ERR_CANCELLED');
      expect(performance.now() - (await cancelled)).toBeLessThan(END_MS + under.allowanceMs);
    });

    it('is over while it waits for a step', async () => {
      const controller = new AbortController();
      const performStep = () => {
        controller.abort();
        return new Promise<StepAnswer>(() => undefined);
      };
      await expectFailure(run('http-step', { signal: controller.signal, performStep }), 'ERR_CANCELLED');
    });
  });

  describe('a tool that fails', () => {
    it('with a message: the message', async () => {
      const { message } = await expectFailure(run('fail'), 'ERR_TOOL_FAILED');
      expect(message).toContain(FAILURE);
    });

    it('with a message that would take a screen over: the message, written out', async () => {
      const { message } = await expectFailure(run('fail-rudely'), 'ERR_TOOL_FAILED');
      expect(message).toContain(RUDE_FAILURE_SHOWN);
    });

    it('with something that is not JSON', async () => {
      await expectFailure(run('not-json'), 'ERR_OUTPUT_INVALID');
    });

    it('by crashing', async () => {
      await expectFailure(run('crash'), ['ERR_TOOL_FAILED', 'ERR_SANDBOX_CRASHED']);
    });

    it('16 times at once, beside calls that do not', async () => {
      const calls = Array.from({ length: 16 }, (_, index) =>
        index % 2 === 0 ? echoed(`{"call":${index}}`) : expectFailure(run('crash'), ['ERR_TOOL_FAILED', 'ERR_SANDBOX_CRASHED']),
      );
      const outcomes = await Promise.all(calls);
      for (const [index, outcome] of outcomes.entries()) if (index % 2 === 0) expect(outcome).toBe(`{"call":${index}}`);
    });
  });

  describe('a step', () => {
    it.each(under.steps)('is performed by the platform, and its answer reaches the tool: %s', async (behaviour) => {
      const { step, field } = STEPS[behaviour];
      const json = '{"status":200,"id":9007199254740991,"body":"晴"}';
      const performStep = vi.fn(async () => ({ field, json }));
      const { contentJson, stats } = await run(behaviour, { performStep });
      expect(performStep.mock.calls).toEqual([[step]]);
      expect(contentJson).toBe(json);
      expect(stats.steps).toBe(1);
    });

    it.each(under.steps)('that is refused ends the call: %s', async (behaviour) => {
      const refusal = new ToolCallError('ERR_SCOPE_DENIED', 'The tool may not do this.');
      const error = await expectFailure(run(behaviour, { performStep: () => Promise.reject(refusal) }), 'ERR_SCOPE_DENIED');
      expect(error.message).toBe('The tool may not do this.');
    });

    it('that the protocol does not know is not performed', async () => {
      const performStep = vi.fn();
      await expectFailure(run('bad-step', { performStep }), ['ERR_STEP_INVALID', 'ERR_OUTPUT_INVALID']);
      expect(performStep).not.toHaveBeenCalled();
    });

    it('does not give the tool a new time limit for ever: after it, the tool is still ended', async () => {
      const performStep = async () => ({ field: 'response', json: '1' }) as const;
      await expectFailure(run('step-then-sleep', { limits: { timeoutMs: 600 }, performStep }), 'ERR_SANDBOX_TIMEOUT');
    });
  });

  it('says once that a tool has started, and never of a call that ran nothing', async () => {
    const onStarted = vi.fn();
    const performStep = async () => ({ field: 'response', json: '{"ok":true}' }) as const;
    await run('http-step', { onStarted, performStep });
    expect(onStarted).toHaveBeenCalledOnce();
    for (const executable of await under.broken()) {
      await expectFailure(open.driver.run(executionOf(executable, { onStarted })), 'ERR_SANDBOX_START');
    }
    await expectFailure(run('echo', { onStarted, signal: AbortSignal.abort() }), 'ERR_CANCELLED');
    expect(onStarted).toHaveBeenCalledOnce();
  });

  describe('a tool that asks for what would not be done', () => {
    it.each<readonly [string, Partial<ExecutorDescriptor>]>([
      ['to be served', { protocol: 'serve' }],
      ['a network', { network: 'proxy' }],
      ...under.unmet,
    ])('is refused, and never run without it: %s', async (_what, fields) => {
      const echo = await under.tool('echo');
      const asking = { ...echo, digest: `${echo.digest}-asking`, descriptor: { ...echo.descriptor, ...fields } };
      const onStarted = vi.fn();
      const prepared = open.driver.prepare(asking, new AbortController().signal);
      const { message } = await expectFailure(prepared, 'ERR_SANDBOX_START');
      const ran = open.driver.run(executionOf(asking, { onStarted }));
      expect((await expectFailure(ran, 'ERR_SANDBOX_START')).message).toBe(message);
      expect(message.length).toBeGreaterThan(20);
      expect(onStarted).not.toHaveBeenCalled();
    });
  });

  describe('prepare', () => {
    const unhurried = new AbortController().signal;

    it('finds what is broken, says so in words, and run says the same', async () => {
      for (const executable of await under.broken()) {
        const { message } = await expectFailure(open.driver.prepare(executable, unhurried), 'ERR_SANDBOX_START');
        expect(message.length).toBeGreaterThan(20);
        await expectFailure(open.driver.run(executionOf(executable)), 'ERR_SANDBOX_START');
      }
    });

    it('may be asked any number of times, and at once', async () => {
      const tools = [await under.tool('echo'), ...(await under.otherForms())];
      for (const tool of tools) {
        await Promise.all([open.driver.prepare(tool, unhurried), open.driver.prepare(tool, unhurried)]);
        await open.driver.prepare(tool, unhurried);
        expect((await open.driver.run(executionOf(tool, { paramsJson: '{"a":1}' }))).contentJson).toBe('{"a":1}');
      }
    });

    it('does nothing when it was cancelled before', async () => {
      await expectFailure(open.driver.prepare(await under.tool('echo'), AbortSignal.abort()), 'ERR_CANCELLED');
    });
  });

  it('describes what is there', async () => {
    const status = await open.driver.describe();
    expect(status).toMatchObject({ kind: under.kind, available: true, reason: '' });
    expect(status.isolation).toMatch(/^[a-z]+$/);
    expect(status.capacity).toBeGreaterThan(0);
  });
});

describe.each(drivers)('closing $kind', (under) => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'yuanbot-conformance-'));
  });
  afterAll(() => rm(folder, { recursive: true }));
  afterEach(() => vi.unstubAllEnvs());

  it('ends every call, and leaves no process, container or temporary file', async () => {
    const tool = await under.tool('step-then-sleep');
    vi.stubEnv('TMPDIR', folder);
    const { driver, leftOfDriver } = await under.open();

    const begun = Promise.withResolvers<void>();
    const performStep = async () => {
      begun.resolve();
      return { field: 'response', json: '{}' } as const;
    };
    const calls = Array.from({ length: 3 }, () => driver.run(executionOf(tool, { performStep })));
    const endings: unknown[] = [];
    for (const call of calls) {
      call.then(
        () => endings.push('a result'),
        (error: unknown) => endings.push(error),
      );
    }
    await begun.promise;
    await driver.close();

    // What is settled has its callbacks run by then; nothing that still waits for I/O has.
    await Promise.resolve();
    expect(endings).toEqual([expect.any(ToolCallError), expect.any(ToolCallError), expect.any(ToolCallError)]);
    expect(await leftOfDriver()).toEqual([]);
    expect(await readdir(folder)).toEqual([]);
    await expect(driver.run(executionOf(tool))).rejects.toBeInstanceOf(ToolCallError);
    await driver.close();
  });
});
