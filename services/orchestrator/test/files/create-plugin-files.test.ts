import { execFileSync } from 'node:child_process';
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createPluginFiles } from '../../src/files/create-plugin-files.ts';
import { temporaryRoot } from '../registry/temporary-source.ts';

async function filesWith(content: Readonly<Record<string, string | Uint8Array>>) {
  const root = await temporaryRoot(content);
  return { root, files: createPluginFiles(root) };
}

describe('what is in a plugin folder', () => {
  test('is listed by name, without dot files, and with a verdict on every entry', async () => {
    const { root, files } = await filesWith({ 'tools/b.yaml': '', 'tools/a/a.yaml': '', 'tools/.swp': '', 'elsewhere.yaml': '' });
    await symlink('../elsewhere.yaml', join(root, 'tools/inside.yaml'));
    await symlink('/etc/passwd', join(root, 'tools/out.yaml'));
    await symlink('/etc', join(root, 'tools/out'));
    await symlink('nowhere', join(root, 'tools/dangling'));
    execFileSync('mkfifo', [join(root, 'tools/pipe.yaml')]);
    expect(await files.list('tools')).toEqual([
      { name: 'a', kind: 'folder' },
      { name: 'b.yaml', kind: 'file' },
      { name: 'dangling', kind: 'refused' },
      { name: 'inside.yaml', kind: 'file' },
      { name: 'out', kind: 'refused' },
      { name: 'out.yaml', kind: 'refused' },
      { name: 'pipe.yaml', kind: 'refused' },
    ]);
  });

  test('a folder that is not there is empty, and so is a root that is not there yet', async () => {
    const { root, files } = await filesWith({});
    expect(await files.list('tools')).toEqual([]);
    expect(await files.walk('tools/x/resources')).toEqual([]);
    const later = createPluginFiles(join(root, 'later'));
    expect(await later.list('tools')).toEqual([]);
    expect(await later.readText('tools/a.yaml', 10)).toBeUndefined();
    await mkdir(join(root, 'later/tools'), { recursive: true });
    await writeFile(join(root, 'later/tools/a.yaml'), 'a');
    expect(await later.readText('tools/a.yaml', 10)).toBe('a');
  });

  test('is walked in order, deep, without hidden files; a link out or a pipe stops the walk', async () => {
    const { root, files } = await filesWith({ 't/r/b/z': '', 't/r/b/a': '', 't/r/B': '', 't/r/a.txt': '', 't/r/.git/x': '' });
    expect(await files.walk('t/r')).toEqual(['B', 'a.txt', 'b/a', 'b/z']);
    await symlink('/etc/passwd', join(root, 't/r/b/passwd'));
    await expect(files.walk('t/r')).rejects.toMatchObject({
      name: 'PluginFileError',
      message: expect.stringContaining('t/r/b/passwd'),
      mend: expect.stringContaining('Replace'),
    });
  });

  test('a link back up is not walked for ever', async () => {
    const { root, files } = await filesWith({ 't/r/a.txt': '' });
    await symlink('..', join(root, 't/r/up'));
    await expect(files.walk('t/r')).rejects.toMatchObject({
      name: 'PluginFileError',
      message: expect.stringMatching(/nested deeper|more than/),
    });
  });
});

describe('reading a plugin file', () => {
  test.each(['/etc/passwd', '../x', 'a/../../x', 'a//b', '', '.', 'a/./b', 'a\\b', 'a\0b', `${'a/'.repeat(3000)}b`])(
    'the path %j is refused',
    async (path) => {
      const { files } = await filesWith({});
      await expect(files.readBytes(path, 10)).rejects.toMatchObject({ name: 'PluginFileError' });
    },
  );

  test('links are followed inside the root and nowhere else, whichever part of the path is one', async () => {
    const { root, files } = await filesWith({ 'real/a.txt': 'inside' });
    await symlink('real', join(root, 'linked'));
    await symlink('/etc', join(root, 'etc'));
    await symlink('/etc/hostname', join(root, 'real/host'));
    await symlink('gone', join(root, 'real/dangling'));
    expect(await files.readText('linked/a.txt', 100)).toBe('inside');
    await expect(files.readText('etc/hostname', 100)).rejects.toMatchObject({ message: expect.stringContaining('leads out') });
    await expect(files.readText('real/host', 100)).rejects.toMatchObject({ message: expect.stringContaining('leads out') });
    await expect(files.readText('real/dangling', 100)).rejects.toMatchObject({
      message: expect.stringContaining('leads nowhere'),
    });
    expect(await files.readText('real/none', 100)).toBeUndefined();
  });

  test('a Kubernetes ConfigMap is read through its links, also after they are swapped', async () => {
    const { root, files } = await filesWith({ 'tools/..v1/a.yaml': 'one', 'tools/..v2/a.yaml': 'two' });
    await symlink('..v1', join(root, 'tools/..data'));
    await symlink('..data/a.yaml', join(root, 'tools/a.yaml'));
    expect(await files.list('tools')).toEqual([{ name: 'a.yaml', kind: 'file' }]);
    expect(await files.readText('tools/a.yaml', 100)).toBe('one');
    await symlink('..v2', join(root, 'tools/..tmp'));
    await rename(join(root, 'tools/..tmp'), join(root, 'tools/..data'));
    await rm(join(root, 'tools/..v1'), { recursive: true });
    expect(await files.readText('tools/a.yaml', 100)).toBe('two');
  });

  test('a root that is a link may be pointed elsewhere', async () => {
    const root = await temporaryRoot({ 'v1/a': 'one', 'v2/a': 'two' });
    await symlink('v1', join(root, 'current'));
    const files = createPluginFiles(join(root, 'current'));
    expect(await files.readText('a', 10)).toBe('one');
    await symlink('v2', join(root, 'next'));
    await rename(join(root, 'next'), join(root, 'current'));
    expect(await files.readText('a', 10)).toBe('two');
  });

  test('what is too large, a pipe, or a folder is refused with a mend', async () => {
    const { root, files } = await filesWith({ 'a.txt': 'x'.repeat(11) });
    execFileSync('mkfifo', [join(root, 'pipe')]);
    await mkdir(join(root, 'folder'));
    await expect(files.readBytes('a.txt', 10)).rejects.toMatchObject({
      message: expect.stringContaining('larger than 10 bytes'),
      mend: expect.stringContaining('smaller'),
    });
    expect((await files.readBytes('a.txt', 11))?.length).toBe(11);
    await expect(files.readBytes('pipe', 10)).rejects.toMatchObject({ message: expect.stringContaining('not a regular file') });
    await expect(files.readBytes('folder', 10_000_000)).rejects.toMatchObject({
      message: expect.stringContaining('not a regular file'),
    });
  });

  test('text must be UTF-8; a byte order mark is left out; the first bad line is named', async () => {
    const { files } = await filesWith({
      'bom.txt': '\uFEFFx',
      'bad.txt': new Uint8Array([0x61, 0x0a, 0x62, 0x0a, 0xff, 0x0a]),
      'utf16.txt': new Uint8Array([0xff, 0xfe, 0x61, 0]),
    });
    expect(await files.readText('bom.txt', 100)).toBe('x');
    await expect(files.readText('bad.txt', 100)).rejects.toMatchObject({ line: 3, mend: expect.stringContaining('UTF-8') });
    await expect(files.readText('utf16.txt', 100)).rejects.toMatchObject({ line: 1 });
  });
});
