import { expect, it } from 'vitest';
import { createReadiness } from '../../src/operations-http/index.ts';
import { createManualTimer } from '../lifecycle/manual-timer.ts';

it('gives a check that hangs two seconds, and asks it once for all who wait', async () => {
  const timer = createManualTimer();
  let asked = 0;
  const engine = (): Promise<undefined> => {
    asked++;
    return new Promise(() => undefined);
  };
  const readiness = createReadiness({ state: () => 'RUNNING', checks: { engine }, timer });

  const both = Promise.all([readiness(), readiness()]);
  await timer.pass(1999);
  expect(asked).toBe(1);
  await timer.pass(1);
  const reason = 'It did not answer within 2000 ms.';
  for (const report of await both) {
    expect(report).toEqual({ ready: false, state: 'RUNNING', not_ready: [{ check: 'engine', reason }] });
  }

  const later = readiness();
  expect(asked).toBe(2);
  await timer.pass(2000);
  expect((await later).ready).toBe(false);
  expect(timer.waiting).toBe(0);
});
