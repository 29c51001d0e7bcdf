import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLifecycle, type Release, type ShutdownReport } from '../../src/lifecycle/index.ts';
import { createManualTimer, settle } from './manual-timer.ts';

const ORDER = ['STARTING', 'RUNNING', 'DRAINING', 'STOPPED', 'FAILED'];
const DEADLINES = { drainMs: 100, closeMs: 50 };

const event = fc.oneof(
  { weight: 1, arbitrary: fc.constant({ do: 'start' as const }) },
  { weight: 4, arbitrary: fc.constant({ do: 'enter' as const }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('release' as const), which: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.constant({ do: 'shutdown' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'force' as const }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.constantFrom(1, 50, 100) }) },
);
const closer = fc.constantFrom('ends' as const, 'hangs' as const, 'throws' as const);

function closing(how: 'ends' | 'hangs' | 'throws'): void | Promise<void> {
  if (how === 'throws') throw new Error('closer');
  return how === 'hangs' ? new Promise<void>(() => undefined) : undefined;
}

describe('any course of events', () => {
  it('keeps the laws of a lifecycle', { timeout: 30_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 25 }), fc.array(closer, { maxLength: 4 }), async (events, closers) => {
        const timer = createManualTimer();
        const lifecycle = createLifecycle({ timer });
        const entered: Release[] = [];
        const begun: number[] = [];
        const reports = new Set<Promise<ShutdownReport>>();
        const released = new Set<Release>();
        for (const [index, how] of closers.entries()) {
          await lifecycle.onClose(String(index), () => {
            // Nothing is closed under work that still has time.
            expect(lifecycle.inFlight === 0 || lifecycle.signal.aborted).toBe(true);
            begun.push(index);
            return closing(how);
          });
        }
        let stage = 0;
        const check = (): void => {
          const next = ORDER.indexOf(lifecycle.state);
          expect(next).toBeGreaterThanOrEqual(stage);
          if (ORDER[stage] === 'STOPPED') expect(lifecycle.state).toBe('STOPPED');
          stage = next;
          expect(lifecycle.inFlight).toBe(entered.length - released.size);
        };

        for (const step of [
          ...events,
          { do: 'shutdown' as const },
          { do: 'pass' as const, ms: 100 },
          { do: 'pass' as const, ms: 50 },
        ]) {
          if (step.do === 'start') lifecycle.started();
          if (step.do === 'enter') {
            const release = lifecycle.enter();
            expect(release !== undefined).toBe(lifecycle.state === 'RUNNING');
            if (release) entered.push(release);
          }
          if (step.do === 'release') {
            const release = entered[step.which % Math.max(1, entered.length)];
            release?.();
            if (release) released.add(release);
          }
          if (step.do === 'shutdown') reports.add(lifecycle.shutdown(DEADLINES));
          if (step.do === 'force') lifecycle.force();
          if (step.do === 'pass') await timer.pass(step.ms);
          check();
        }
        await settle();

        // One report, every closer begun once and in reverse, nothing left ticking, the verdict as the report says.
        expect(reports.size).toBe(1);
        const [report] = await Promise.all(reports);
        expect(begun).toEqual([...closers.keys()].reverse());
        expect(timer.waiting).toBe(0);
        expect(lifecycle.state).toBe(report?.clean ? 'STOPPED' : 'FAILED');
        expect(report?.failures.length).toBe(closers.filter((how) => how === 'throws').length);
        expect(report?.unfinished.length).toBe(closers.filter((how) => how === 'hangs').length);
        expect(lifecycle.signal.aborted).toBe((report?.abandoned ?? 0) > 0);
      }),
      { numRuns: 200 },
    );
  });
});
