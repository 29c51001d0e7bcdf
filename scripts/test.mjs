// npm test, npm run test:<part> [-- arguments of vitest]: installs what is locked and what the tests need, starts
// the services, runs the parts one after the other, stops the services. The last line is `N passed, N failed`.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { runChild } from './child.mjs';
import { endWithNpm } from './end-with-npm.mjs';
import { installedEnvironment, installLocked, node26, root } from './install.mjs';
import { SetupFailure } from './setup-failure.mjs';
import { PARTS } from './test-parts.mjs';
import { startServices } from './test-services/start-services.mjs';

/** How long vitest may take to end after a Ctrl-C (ms). */
const CANCEL_DEADLINE_MS = 15_000;

const [first, ...rest] = process.argv.slice(2);
const parts = first in PARTS ? [first] : Object.keys(PARTS);
const vitestArguments = first in PARTS ? rest : process.argv.slice(2);

endWithNpm();
await installLocked();

const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => interrupted.abort(signal));

const results = [];
try {
  const services = [...new Set(parts.flatMap((part) => PARTS[part]))];
  const running = await startServices(services, { node: node26, signal: interrupted.signal });
  try {
    for (const part of parts) {
      interrupted.signal.throwIfAborted();
      results.push(await runPart(part, running.env));
    }
  } finally {
    await running.stop();
  }
} catch (error) {
  if (!interrupted.signal.aborted) {
    results.push({ part: 'set-up', passed: 0, failures: [error instanceof SetupFailure ? error.message : error.stack] });
  }
}
report();

/** Runs one part; the counts come from our reporter, and a run that ends badly without a failure counts as one. */
async function runPart(part, env) {
  const folder = mkdtempSync(join(tmpdir(), 'yuanbot-counts-'));
  const file = join(folder, 'counts.json');
  console.log(`\n── ${part} ──`);
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const reporters = ['--reporter=default', `--reporter=${join(root, 'scripts/test-counts.mjs')}`];
  const filter = vitestArguments.length > 0 ? ['--passWithNoTests', ...vitestArguments] : [];
  const status = await runChild(node26, [vitest, 'run', '--project', part, ...reporters, ...filter], {
    cwd: root,
    env: installedEnvironment({ ...env, ...plainOutput(), YUANBOT_TEST_COUNTS: file }),
    killAfterMs: CANCEL_DEADLINE_MS,
  });
  const counts = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { passed: 0, failures: [] };
  rmSync(folder, { recursive: true, force: true });
  if (status !== 0 && counts.failures.length === 0) counts.failures.push(`vitest ended with status ${status}`);
  return { part, ...counts };
}

/** No colours in a log file. */
function plainOutput() {
  return process.stdout.isTTY ? {} : { NO_COLOR: '1', FORCE_COLOR: '0' };
}

function report() {
  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  const failures = results.flatMap((result) => result.failures.map((failure) => `${result.part}: ${failure}`));
  if (interrupted.signal.aborted) failures.push(`cut off by ${interrupted.signal.reason}`);
  else if (passed + failures.length === 0) failures.push('no test fits these arguments');
  if (failures.length > 0)
    console.log(`\nFailed:\n${failures.map((failure) => `  ${failure.replaceAll('\n', '\n    ')}`).join('\n')}`);
  console.log('');
  for (const result of results) console.log(`${result.part}: ${result.passed} passed, ${result.failures.length} failed`);
  console.log(`${passed} passed, ${failures.length} failed`);
  if (interrupted.signal.aborted) process.exitCode = 128 + constants.signals[interrupted.signal.reason];
  else process.exitCode = failures.length > 0 ? 1 : 0;
}
