import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  isGone,
  type ProcessIdentity,
  parseIdentity,
  readOwnIdentity,
  writeIdentity,
} from '../../src/platform/process-identity.ts';
import { createTemporaryFolder } from '../../src/platform/temporary-folder.ts';

let parent: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'yuanbot-test-'));
});
afterEach(() => rm(parent, { recursive: true, force: true }));

/** The identity of a process that has ended. */
async function goneProcess(): Promise<ProcessIdentity> {
  const module = new URL('../../src/platform/process-identity.ts', import.meta.url).href;
  const program = `import { readOwnIdentity, writeIdentity } from ${JSON.stringify(module)}; console.log(writeIdentity(await readOwnIdentity()));`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [[said]] = await Promise.all([once(child.stdout, 'data'), once(child, 'exit')]);
  const identity = parseIdentity(String(said));
  if (identity === undefined) throw new Error(`the child said: ${said}`);
  return identity;
}

/** A folder as a process of that identity would have left it. */
async function leftBehind(name: string, owner: string): Promise<string> {
  const path = join(parent, name);
  await mkdir(join(path, 'keys'), { recursive: true });
  await writeFile(join(path, 'owner.json'), owner);
  return name;
}

test('is of its owner alone', async () => {
  expect((await stat(await createTemporaryFolder(parent))).mode & 0o777).toBe(0o700);
});

describe('removes', () => {
  test('what a process that is no more has left, also when its pid lives again', async () => {
    const us = await readOwnIdentity();
    await leftBehind('yuanbot-dead', writeIdentity(await goneProcess()));
    await leftBehind('yuanbot-reused', writeIdentity({ ...us, startedAt: '1' }));
    const path = await createTemporaryFolder(parent);
    expect(await readdir(parent)).toEqual([path.slice(parent.length + 1)]);
  });

  test('nothing else', async () => {
    const dead = await goneProcess();
    const kept = [
      await leftBehind('yuanbot-living', writeIdentity(await readOwnIdentity())),
      await leftBehind('yuanbot-elsewhere', writeIdentity({ ...dead, namespace: 'another boot pid:[1]' })),
      await leftBehind('yuanbot-nonsense', '{"pid":-1'),
      await leftBehind('other-dead', writeIdentity(dead)),
      'yuanbot-ownerless',
      'yuanbot-file',
      'yuanbot-link',
    ];
    await mkdir(join(parent, 'yuanbot-ownerless'));
    await writeFile(join(parent, 'yuanbot-file'), writeIdentity(dead));
    await symlink('other-dead', join(parent, 'yuanbot-link'));
    const first = await createTemporaryFolder(parent);
    const second = await createTemporaryFolder(parent);
    const made = [first, second].map((path) => path.slice(parent.length + 1));
    expect((await readdir(parent)).sort()).toEqual([...kept, ...made].sort());
    expect(await readdir(join(parent, 'other-dead'))).toContain('keys');
  });
});

describe('the identity of a process', () => {
  test('law: is read as it was written, and nothing else is one', () => {
    const identity = fc.record({ pid: fc.maxSafeInteger(), startedAt: fc.string(), namespace: fc.string() });
    fc.assert(
      fc.property(identity, (ours) => {
        expect(parseIdentity(writeIdentity(ours))).toEqual(ours);
      }),
    );
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(parseIdentity(text)).toBeUndefined();
      }),
    );
  });

  test('stays the same, and tells the living from the gone', async () => {
    const us = await readOwnIdentity();
    expect(us).toEqual(await readOwnIdentity());
    expect(us.pid).toBe(process.pid);
    expect(await isGone(us, us)).toBe(false);
    expect(await isGone(await goneProcess(), us)).toBe(true);
  });
});
