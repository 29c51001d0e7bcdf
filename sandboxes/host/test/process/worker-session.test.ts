import { expect, test } from 'vitest';
import type { FromWorker, RunHead } from '../../src/link/worker-messages.ts';
import { createWorkerSession } from '../../src/process/worker-session.ts';
import type { Runtime, RuntimeCall } from '../../src/runtime-contract.ts';

const HEAD: RunHead = { digest: 'd', approved: true, userId: 'u', invocationId: 'i', memoryMb: 64, outputBytes: 10 };
const PROGRAM = { digest: 'd', command: [], env: [], artifactBytes: 1, resources: [], forget: [] };

function startSession(run: (call: RuntimeCall) => Promise<string>) {
  const sent: FromWorker[] = [];
  const cleanedUpAfter: number[] = [];
  let onSent = () => {};
  const runtime: Runtime = {
    prepare() {},
    run: async (_, call) => ({ contentJson: await run(call), parts: [], steps: 0, peakMemoryBytes: 0 }),
  };
  const session = createWorkerSession(
    runtime,
    (message) => {
      sent.push(message);
      onSent();
    },
    () => cleanedUpAfter.push(sent.length),
  );
  session.receive({ type: 'program', head: PROGRAM, content: new Uint8Array(1) });
  return {
    session,
    sent,
    cleanedUpAfter,
    run: (call: number, head = HEAD) => session.receive({ type: 'run', call, head, paramsJson: '{}' }),
    next: () => new Promise<void>((resolve) => (onSent = resolve)),
  };
}

test('a result above its limit never leaves the worker', async () => {
  const worker = startSession(async () => '"123456789"');
  worker.run(1);
  await worker.next();
  expect(worker.sent).toMatchObject([{ type: 'failed', call: 1, code: 'ERR_OUTPUT_LIMIT' }]);
  expect(worker.cleanedUpAfter).toEqual([0]);
});

test('a program that it does not hold is a failure of the platform', async () => {
  const worker = startSession(async () => '1');
  worker.session.receive({ type: 'program', head: { ...PROGRAM, digest: 'e', forget: ['d'] }, content: new Uint8Array(1) });
  worker.run(1);
  await worker.next();
  expect(worker.sent).toMatchObject([{ type: 'failed', call: 1, code: 'ERR_INTERNAL' }]);
});

test('a call that is over asks for nothing any more, and hears no answer', async () => {
  let leftBehind: RuntimeCall | undefined;
  const worker = startSession(async (call) => {
    leftBehind ??= call;
    return '1';
  });
  worker.run(1);
  await worker.next();
  void leftBehind?.performStep('{"type":"db","operation":"late"}');
  worker.session.receive({ type: 'answer', call: 1, step: 1, field: 'response', json: '1' });
  worker.run(2);
  void leftBehind?.performStep('{"type":"db","operation":"in the next"}');
  await worker.next();
  expect(worker.sent.map(({ type }) => type)).toEqual(['result', 'result']);
});

test('an abandoned call answers once, and only for itself', async () => {
  const worker = startSession((call) => call.performStep('{}').then(() => '1'));
  worker.run(5);
  worker.session.receive({ type: 'abandon', call: 4 });
  worker.session.receive({ type: 'abandon', call: 5 });
  await worker.next();
  expect(worker.sent.map(({ type }) => type)).toEqual(['step', 'abandoned']);
});
