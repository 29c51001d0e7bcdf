import { expect, test } from 'vitest';
import { startFailureReason } from '../../src/platform/start-failure.ts';

test('the plain sentences of a log are the reason', () => {
  const log = '{"level":30,"msg":"hello"}\norchestrator did not start: port 7420 is taken.\n{"level":20}\n';
  expect(startFailureReason(log)).toBe('orchestrator did not start: port 7420 is taken.');
});

test('a stack is left out of them', () => {
  expect(startFailureReason('Error: boom\n    at f (file:///x.ts:1:1)\n    at g\n\nNode.js v26\n')).toBe(
    'Error: boom\nNode.js v26',
  );
});

test('a log without any is shown by its end', () => {
  const lines = Array.from({ length: 30 }, (_, at) => `{"n":${at}}`);
  expect(startFailureReason(lines.join('\n')).split('\n')).toEqual(lines.slice(-12));
});
