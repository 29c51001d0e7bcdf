import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sha256Digest } from '@yuanbot/kit/canonical';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createArtifactStore } from '../../src/artifacts/artifact-store.ts';
import type { ArtifactStore } from '../../src/execution/artifacts.ts';

let folder = '';
let store: ArtifactStore;
let minute = 0;

function open(maxBytes: number): Promise<ArtifactStore> {
  let id = 0;
  return createArtifactStore({ folder, maxBytes, newId: () => String(id++), now: () => new Date(++minute * 60_000) });
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'yuanbot-artifacts-'));
  store = await open(1000);
});
afterEach(() => rm(folder, { recursive: true }));

const bytes = (text: string) => new TextEncoder().encode(text);
const never = new AbortController().signal;

async function put(text: string): Promise<string> {
  const digest = sha256Digest(text);
  await store.put(digest, bytes(text));
  return digest;
}

it('gives back what was put, also after a restart', async () => {
  const digest = await put('module');
  expect(Buffer.from((await (await open(1000)).get(digest)) ?? []).toString()).toBe('module');
  expect(await store.get(sha256Digest('other'))).toBeUndefined();
});

it('keeps nothing but what the digest names, and no partial file', async () => {
  await expect(store.put(sha256Digest('a'), bytes('b'))).rejects.toThrow(RangeError);
  await expect(store.put('sha256:../x', bytes('b'))).rejects.toThrow(RangeError);
  expect(await readdir(folder)).toEqual([]);
});

it('does not hand out bytes that were changed on disk', async () => {
  const digest = await put('module');
  await writeFile(join(folder, digest.slice('sha256:'.length)), 'tampered');
  expect(await store.get(digest)).toBeUndefined();
  expect(await store.has(digest)).toBe(false);
});

it('drops what was not used for longest when it is full', async () => {
  const [a, b] = [await put('a'.repeat(400)), await put('b'.repeat(400))];
  await store.get(a);
  const c = await put('c'.repeat(400));
  expect([await store.has(a), await store.has(b), await store.has(c)]).toEqual([true, false, true]);
});

it('wakes who waits, whether the bytes are new or were held already', async () => {
  const digest = sha256Digest('late');
  const waiting = [store.wait(digest, never), store.wait(digest, never)];
  expect(await store.put(digest, bytes('late'))).toBe(false);
  expect((await Promise.all(waiting)).map((data) => Buffer.from(data).toString())).toEqual(['late', 'late']);
  const again = store.wait(digest, never);
  expect(await store.put(digest, bytes('late'))).toBe(true);
  expect(Buffer.from(await again).toString()).toBe('late');
  const controller = new AbortController();
  const given = store.wait(digest, controller.signal);
  controller.abort(new Error('enough'));
  await expect(given).rejects.toThrow('enough');
});

it('takes the same bytes from many at once, and a damaged file anew', async () => {
  const digest = sha256Digest('popular');
  const puts = await Promise.all(Array.from({ length: 20 }, () => store.put(digest, bytes('popular'))));
  expect(puts.filter((alreadyThere) => !alreadyThere)).toHaveLength(1);
  await writeFile(join(folder, digest.slice('sha256:'.length)), 'damaged');
  expect(await store.put(digest, bytes('popular'))).toBe(false);
  expect(Buffer.from((await store.get(digest)) ?? []).toString()).toBe('popular');
});
