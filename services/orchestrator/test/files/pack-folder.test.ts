import { chmod, symlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { extract, type Header } from 'tar-stream';
import { describe, expect, test } from 'vitest';
import { createPluginFiles } from '../../src/files/create-plugin-files.ts';
import { type Files, temporaryRoot } from '../registry/temporary-source.ts';

const LONG_NAME = `${'long-folder-name/'.repeat(12)}file.txt`;
const TOOL: Files = {
  't/Dockerfile': 'FROM scratch\n',
  't/run.sh': '#!/bin/sh\n',
  't/data/empty': '',
  [`t/${LONG_NAME}`]: 'deep',
  't/文件.txt': '内容',
};

async function packed(
  files: Files,
  change: (root: string) => Promise<void> = async () => undefined,
): Promise<Uint8Array | undefined> {
  const root = await temporaryRoot(files);
  await change(root);
  return createPluginFiles(root).packFolder('t');
}

async function unpacked(tar: Uint8Array | undefined): Promise<{ header: Header; text: string }[]> {
  const entries: { header: Header; text: string }[] = [];
  const unpack = extract();
  Readable.from([tar]).pipe(unpack as unknown as NodeJS.WritableStream);
  for await (const entry of unpack) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of entry) if (chunk instanceof Uint8Array) chunks.push(chunk);
    entries.push({ header: entry.header, text: Buffer.concat(chunks).toString() });
  }
  return entries;
}

describe('a build context', () => {
  test('holds every file, sorted, with nothing of the machine it was made on', async () => {
    const entries = await unpacked(await packed(TOOL, (root) => chmod(join(root, 't/run.sh'), 0o700)));
    expect(entries.map(({ header, text }) => [header.name, header.mode, text])).toEqual([
      ['Dockerfile', 0o644, 'FROM scratch\n'],
      ['data/empty', 0o644, ''],
      [LONG_NAME, 0o644, 'deep'],
      ['run.sh', 0o755, '#!/bin/sh\n'],
      ['文件.txt', 0o644, '内容'],
    ]);
    for (const { header } of entries)
      expect(header).toMatchObject({ uid: 0, gid: 0, uname: '', gname: '', mtime: new Date(0), type: 'file' });
  });

  test('has the same bytes for the same files, whenever and in whatever order they were written', async () => {
    const one = await packed(TOOL);
    const other = await packed(Object.fromEntries(Object.entries(TOOL).reverse()), (root) =>
      utimes(join(root, 't/run.sh'), 1, 1),
    );
    expect(Buffer.from(one ?? []).equals(other ?? new Uint8Array())).toBe(true);
    const changed = await packed({ ...TOOL, 't/run.sh': '#!/bin/bash\n' });
    expect(Buffer.from(one ?? []).equals(changed ?? new Uint8Array())).toBe(false);
  });

  test('leaves out what `.dockerignore` says, also links out that would be refused', async () => {
    const tar = await packed({ ...TOOL, 't/.dockerignore': 'data\nnode_modules\n*.txt\n', 't/node_modules/x/a.js': '' }, (root) =>
      symlink('/etc', join(root, 't/node_modules/etc')),
    );
    expect((await unpacked(tar)).map(({ header }) => header.name)).toEqual(['.dockerignore', 'Dockerfile', LONG_NAME, 'run.sh']);
  });

  test('is refused when a link leads out of it, or when it is too large', async () => {
    await expect(packed(TOOL, (root) => symlink('/etc/passwd', join(root, 't/passwd')))).rejects.toMatchObject({
      name: 'PluginFileError',
      mend: expect.stringContaining('.dockerignore'),
    });
    const large = new Uint8Array(40 * 1024 * 1024);
    await expect(packed({ 't/Dockerfile': '', 't/a': large, 't/b': large })).rejects.toMatchObject({
      message: expect.stringContaining('larger'),
    });
  });

  test('is nothing when there is no such folder', async () => {
    expect(await packed({ 'other/file': '' })).toBeUndefined();
  });
});
