import { type CallMemory, CallMemoryError, createCallMemory, type Remembered } from '@yuanbot/kit/idempotency';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const never = new AbortController().signal;

function ended(outcome: string, bytes = 10): () => Promise<Remembered<string>> {
  return () => Promise.resolve({ outcome, ran: true, bytes });
}

/** A run that ends when it is told to, or as cancelled when its signal aborts. */
function held(): { start: (signal: AbortSignal) => Promise<Remembered<string>>; end(outcome: string): void } {
  const { promise, resolve } = Promise.withResolvers<Remembered<string>>();
  return {
    start(signal) {
      signal.addEventListener('abort', () => resolve({ outcome: 'cancelled', ran: true, bytes: 1 }));
      return promise;
    },
    end: (outcome) => resolve({ outcome, ran: true, bytes: 1 }),
  };
}

function memory(overrides: { maxBytes?: number; maxKeys?: number; now?: () => number } = {}): CallMemory<string> {
  return createCallMemory({ ttlMs: 600_000, maxBytes: 1000, maxKeys: 100, now: () => 0, ...overrides });
}

const mustNotRun = (): Promise<Remembered<string>> => {
  throw new Error('ran again');
};

describe('the same id', () => {
  it('with the same request gets the outcome and runs nothing', async () => {
    const calls = memory();
    expect(await calls.run('id', 'request', never, ended('first'))).toBe('first');
    expect(await calls.run('id', 'request', never, mustNotRun)).toBe('first');
  });

  it('attaches to the running call', async () => {
    const calls = memory();
    const run = held();
    const first = calls.run('id', 'request', never, run.start);
    const second = calls.run('id', 'request', never, mustNotRun);
    run.end('once');
    expect(await Promise.all([first, second])).toEqual(['once', 'once']);
  });

  it('with another request is a conflict, running or ended', async () => {
    const calls = memory();
    const run = held();
    const first = calls.run('id', 'request', never, run.start);
    await expect(calls.run('id', 'other', never, mustNotRun)).rejects.toMatchObject({ reason: 'conflict' });
    run.end('once');
    await first;
    await expect(calls.run('id', 'other', never, mustNotRun)).rejects.toMatchObject({ reason: 'conflict' });
  });

  it('runs again when nothing ran, also after a failure', async () => {
    const calls = memory();
    await calls.run('id', 'request', never, () => Promise.resolve({ outcome: 'exhausted', ran: false, bytes: 1 }));
    await expect(calls.run('id', 'request', never, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await calls.run('id', 'request', never, ended('ran'))).toBe('ran');
  });

  it('is refused, not run, when its outcome was evicted', async () => {
    const calls = memory({ maxBytes: 25 });
    for (const id of ['a', 'b', 'c']) await calls.run(id, 'request', never, ended(id));
    await expect(calls.run('a', 'request', never, mustNotRun)).rejects.toMatchObject({ reason: 'forgotten' });
    expect(await calls.run('c', 'request', never, mustNotRun)).toBe('c');
  });

  it('is new again after ten minutes', async () => {
    let now = 0;
    const calls = memory({ now: () => now });
    await calls.run('id', 'request', never, ended('old'));
    now = 599_999;
    expect(await calls.run('id', 'request', never, mustNotRun)).toBe('old');
    now = 600_000;
    expect(await calls.run('id', 'other', never, ended('new'))).toBe('new');
    expect(calls.size).toBe(1);
  });
});

it('more ids than can be remembered are refused before they run', async () => {
  const calls = memory({ maxKeys: 1 });
  await calls.run('a', 'request', never, ended('a'));
  await expect(calls.run('b', 'request', never, mustNotRun)).rejects.toMatchObject({ reason: 'full' });
});

describe('cancelling', () => {
  it('the only caller cancels the run and gets its outcome', async () => {
    const calls = memory();
    const caller = new AbortController();
    const outcome = calls.run('id', 'request', caller.signal, held().start);
    caller.abort();
    expect(await outcome).toBe('cancelled');
  });

  it('and calling again at once runs anew when nothing had run, and gets the outcome when it had', async () => {
    for (const ran of [false, true]) {
      const calls = memory();
      const caller = new AbortController();
      const { promise, resolve } = Promise.withResolvers<Remembered<string>>();
      const first = calls.run('id', 'request', caller.signal, () => promise);
      caller.abort();
      const retry = calls.run('id', 'request', never, ended('anew'));
      resolve({ outcome: 'cancelled', ran, bytes: 1 });
      expect(await first).toBe('cancelled');
      expect(await retry).toBe(ran ? 'cancelled' : 'anew');
    }
  });

  it('while waiting for a cancelled run to end leaves at once', async () => {
    const calls = memory();
    const [one, two] = [new AbortController(), new AbortController()];
    void calls.run('id', 'request', one.signal, () => new Promise(() => {}));
    one.abort();
    const second = calls.run('id', 'request', two.signal, mustNotRun);
    two.abort();
    await expect(second).rejects.toMatchObject({ reason: 'detached' });
  });

  it('one of two leaves the run to the other', async () => {
    const calls = memory();
    const run = held();
    const [one, two] = [new AbortController(), new AbortController()];
    const first = calls.run('id', 'request', one.signal, run.start);
    const second = calls.run('id', 'request', two.signal, mustNotRun);
    one.abort();
    await expect(first).rejects.toMatchObject({ reason: 'detached' });
    run.end('done');
    expect(await second).toBe('done');
  });
});

it('law: whatever happens, an id runs at most once while it is remembered, and memory stays within its bounds', async () => {
  const action = fc.record({
    id: fc.constantFrom('a', 'b', 'c', 'd'),
    fingerprint: fc.constantFrom('x', 'y'),
    ran: fc.boolean(),
    bytes: fc.integer({ min: 1, max: 60 }),
    later: fc.integer({ min: 0, max: 200_000 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 40 }), async (actions) => {
      let now = 0;
      const calls = memory({ now: () => now, maxBytes: 100, maxKeys: 3 });
      const ranAt = new Map<string, number>();
      for (const { id, fingerprint, ran, bytes, later } of actions) {
        now += later;
        try {
          await calls.run(id, fingerprint, never, () => {
            const before = ranAt.get(id);
            expect(before === undefined || now - before >= 600_000).toBe(true);
            if (ran) ranAt.set(id, now);
            return Promise.resolve({ outcome: id, ran, bytes });
          });
        } catch (error) {
          if (!(error instanceof CallMemoryError)) throw error;
        }
        expect(calls.size).toBeLessThanOrEqual(3);
      }
    }),
  );
});
