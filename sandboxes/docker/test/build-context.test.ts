import { buffer, text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { extract, type Header, pack } from 'tar-stream';
import { describe, expect, it } from 'vitest';
import { checkedBuildContext as checked } from '../src/build-context.ts';

type Entry = Partial<Header> & { name: string; content?: string };

async function tarOf(entries: readonly Entry[]): Promise<Buffer> {
  const tar = pack();
  const written = buffer(tar);
  for (const { content, ...header } of entries) {
    if (content === undefined) tar.entry(header);
    else tar.entry(header, content);
  }
  tar.finalize();
  return written;
}

async function contentOf(tar: Uint8Array): Promise<Record<string, string>> {
  const reading = extract();
  reading.end(tar);
  const files: Record<string, string> = {};
  for await (const entry of reading) files[`${entry.header.type} ${entry.header.name}`] = await text(entry);
  return files;
}

const BUSYBOX = 'b'.repeat(64);

function checkedBuildContext(context: Uint8Array): Promise<Uint8Array> {
  return checked(context, async (name) => (name === 'busybox' ? { id: `sha256:${BUSYBOX}`, onBuild: [] } : undefined));
}

const DOCKERFILE: Entry = { name: 'Dockerfile', content: 'FROM busybox\n' };

describe('checkedBuildContext', () => {
  it('keeps regular files and folders', async () => {
    const context = await tarOf([DOCKERFILE, { name: './bin/', type: 'directory' }, { name: './bin/run.sh', content: 'echo' }]);
    expect(await contentOf(await checkedBuildContext(context))).toEqual({
      'file Dockerfile': `FROM ${BUSYBOX}\n`,
      'directory bin': '',
      'file bin/run.sh': 'echo',
    });
  });

  it.each<[string, Entry, RegExp]>([
    ['a link', { name: 'l', type: 'symlink', linkname: '/etc/passwd' }, /`l` is a symlink/],
    ['a hard link', { name: 'l', type: 'link', linkname: 'Dockerfile' }, /`l` is a link/],
    ['a device', { name: 'd', type: 'character-device' }, /`d` is a character-device/],
    ['a pipe', { name: 'p', type: 'fifo' }, /`p` is a fifo/],
    ['a name that leaves the folder', { name: '../x', content: '' }, /`\.\.\/x` is not a path inside/],
    ['a name that leaves it later', { name: 'a/../../x', content: '' }, /is not a path inside/],
    ['an absolute name', { name: '/etc/x', content: '' }, /is not a path inside/],
    ['a second Dockerfile', { name: './Dockerfile', content: 'FROM busybox' }, /`Dockerfile` is there twice/],
    [
      'a fetching dockerfile',
      { name: 'dockerfile', content: 'FROM busybox\nADD http://h/ /' },
      /ADD http:\/\/h\/ \/` would have the engine fetch/,
    ],
  ])('refuses %s', async (_what, entry, why) => {
    const error: unknown = await checkedBuildContext(await tarOf([DOCKERFILE, entry])).catch((e: unknown) => e);
    expect(error).toMatchObject({ code: 'ERR_SANDBOX_START', message: expect.stringMatching(why) });
  });

  it('refuses a context without a Dockerfile, and one that is not a plain tar', async () => {
    const without = await tarOf([{ name: 'x', content: '' }]);
    const packed = gzipSync(await tarOf([DOCKERFILE]));
    await expect(checkedBuildContext(without)).rejects.toMatchObject({ code: 'ERR_SANDBOX_START' });
    await expect(checkedBuildContext(packed)).rejects.toMatchObject({ code: 'ERR_SANDBOX_START' });
  });

  it('refuses or rewrites any bytes, and never fails otherwise', async () => {
    const good = await tarOf([DOCKERFILE, { name: 'a/b', content: 'c'.repeat(700) }]);
    const anyDamage = fc.tuple(fc.nat(good.length - 1), fc.nat(255), fc.nat(good.length));
    await fc.assert(
      fc.asyncProperty(anyDamage, async ([at, byte, length]) => {
        const damaged = Buffer.from(good.subarray(0, length));
        if (at < length) damaged[at] = byte;
        const outcome: unknown = await checkedBuildContext(damaged).catch((error: unknown) => error);
        if (outcome instanceof Error) expect(outcome).toMatchObject({ code: 'ERR_SANDBOX_START' });
      }),
    );
  });
});
