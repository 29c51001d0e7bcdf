import { createThreadDriver } from '@yuanbot/thread-sandbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createToolRunner, type ToolRunner } from '../../../test/tool-runner.ts';
import { calculate } from '../src/calculate.ts';

// The committed bundle, in the compartment it is made for.
const driver = createThreadDriver({ nodePath: process.execPath, hosts: 1, workersPerHost: 1 });
let run: ToolRunner;
beforeAll(async () => {
  run = await createToolRunner(driver, 'local_thread', new URL('../calculate.js', import.meta.url));
});
afterAll(() => driver.close());

test.each([
  '0.1+0.2',
  '（１＋２）×３',
  '1/3',
  '2^0.5',
  'exp(1)*ln(10)',
  'log10(5)',
  'sqrt(2)',
  'pi',
  '20!',
  'round(2.345, 2)',
  '-7 % 3',
  '15%',
])('%s is in the sandbox what it is here', async (expression) => {
  expect(await run({ expression, precision: 50 })).toEqual(calculate(expression, 50));
});

test('a mistake is the tool’s own message', async () => {
  await expect(run({ expression: '1/0', precision: 34 })).rejects.toMatchObject({
    code: 'ERR_TOOL_FAILED',
    message: expect.stringContaining('Division by zero (at character 3 of the expression)'),
  });
});
