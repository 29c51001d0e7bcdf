// Only entry files may read the process: the rule of biome.json fires where it should and nowhere else.
import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);
const SETUP_TIMEOUT_MS = 60_000; // the tool's start, on a loaded machine

const DENIED = [
  'services/orchestrator/src/registry/registry.ts',
  'services/orchestrator/src/orchestrator.ts',
  'services/kit/src/log/index.ts',
  'services/cli/src/commands/list.ts',
  'sandboxes/host/src/pool.ts',
  'sandboxes/docker/src/driver.ts',
];
const ALLOWED = [
  'services/orchestrator/src/main.ts',
  'services/cli/src/main.ts',
  'sandboxes/host/src/process/main.ts',
  'scripts/test.mjs',
  'services/kit/test/log.test.ts',
];

let tree = '';
let denied: readonly string[] = [];

beforeAll(async () => {
  tree = await mkdtemp(join(tmpdir(), 'yuanbot-process-rule-'));
  await copyFile(join(root, 'biome.json'), join(tree, 'biome.json'));
  for (const file of [...DENIED, ...ALLOWED]) {
    await mkdir(dirname(join(tree, file)), { recursive: true });
    await writeFile(join(tree, file), 'export const argv = process.argv;\n');
  }
  denied = await filesDenied(tree);
}, SETUP_TIMEOUT_MS);
afterAll(() => rm(tree, { recursive: true, force: true }));

it.each(DENIED)('%s may not read the process', (file) => expect(denied).toContain(file));
it.each(ALLOWED)('%s may', (file) => expect(denied).not.toContain(file));

/** The files in which biome finds the global `process` where it is denied. */
async function filesDenied(folder: string): Promise<readonly string[]> {
  const options = ['lint', '--vcs-enabled=false', '--reporter=github', '--only=style/noRestrictedGlobals', '.'];
  // biome's status is 1 when it finds something, which it must here.
  const { stdout } = await run(join(root, 'node_modules/.bin/biome'), options, { cwd: folder }).catch(
    (failure: { stdout: string }) => failure,
  );
  return [...stdout.matchAll(/^::error .*file=([^,]+),/gm)].map(([, file]) => relative(folder, file ?? ''));
}
