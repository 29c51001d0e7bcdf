// What `npm test` counts: passed is only what ran and held, everything else that was asked for is failed.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

const FILES = {
  'tests.test.mjs': `
    import { beforeAll, describe, expect, it } from 'vitest';
    it('holds', () => {});
    it('does not hold', () => expect(1).toBe(2));
    it.skip('skipped', () => {});
    it('skips itself', (context) => context.skip());
    it.todo('to be written');
    it.fails('is expected to fail', () => expect(1).toBe(2));
    describe('with a broken hook', () => {
      beforeAll(() => { throw new Error('the hook broke'); });
      it('never starts', () => {});
    });`,
  'broken.test.mjs': `import './nowhere.mjs';`,
  'stray.test.mjs': `
    import { it } from 'vitest';
    it('leaves a rejection behind', () => { void Promise.reject(new Error('astray')); });`,
};

/** A whole run of vitest: seconds on a loaded machine. */
const RUN_TIMEOUT_MS = 60_000;

it('counts what did not run or was expected to fail as failed', { timeout: RUN_TIMEOUT_MS }, async () => {
  const { passed, failures } = await countsOf(FILES);
  expect(passed).toBe(2); // 'holds', and the test that left the rejection behind
  expect([...failures].sort()).toEqual([
    expect.stringContaining('broken.test.mjs: Cannot find module'),
    'outside any test: astray',
    'tests.test.mjs > does not hold: failed',
    'tests.test.mjs > is expected to fail: expected to fail',
    'tests.test.mjs > skipped: did not run',
    'tests.test.mjs > skips itself: did not run',
    'tests.test.mjs > to be written: to do',
    'tests.test.mjs > with a broken hook > never starts: did not run',
    'tests.test.mjs: the hook broke',
  ]);
});

/** Runs vitest over these files with the reporter that `npm test` uses, and reads what it wrote. */
async function countsOf(files: Readonly<Record<string, string>>): Promise<{ passed: number; failures: readonly string[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'yuanbot-test-counts-'));
  try {
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    const options = ['run', '--root', folder, `--reporter=${join(root, 'scripts/test-counts.mjs')}`];
    const counts = join(folder, 'counts.json');
    const env = { ...process.env, YUANBOT_TEST_COUNTS: counts };
    // vitest's status is 1: there are failures among these tests.
    await expect(promisify(execFile)(process.execPath, [vitest, ...options], { cwd: folder, env })).rejects.toMatchObject({
      code: 1,
    });
    return JSON.parse(await readFile(counts, 'utf8'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
