import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256Digest } from '@yuanbot/kit/canonical';
import { describe, expect, test } from 'vitest';
import { createReadResource } from '../../src/loading/read-resource.ts';
import { createRegistry } from '../../src/registry/create-registry.ts';
import { DEFAULTS, type Files, SILENT, sourceAt, temporaryRoot } from '../registry/temporary-source.ts';

const SKILL: Files = {
  'skills/s/s.yaml': 'skill_id: s\nname: S\nversion: 1\ncategory: a\n',
  'skills/s/s.def.yaml': 'prompt_template: x\n',
  'skills/s/resources/a.txt': '0123456789',
  'skills/s/resources/empty.bin': '',
  'skills/s/secret.txt': 'not a resource',
};

async function reading(files: Files = SKILL, cacheBytes = 1_000_000) {
  const root = await temporaryRoot(files);
  const registry = await createRegistry({ sources: [sourceAt(root)], defaults: DEFAULTS, log: SILENT });
  const reads: string[] = [];
  const counting = {
    snapshot: registry.snapshot,
    async readArtifact(digest: string) {
      reads.push(digest);
      return registry.readArtifact(digest);
    },
  };
  const readResource = createReadResource(cacheBytes);
  const read = async (path: string, offset = 0, limit = 0, capabilityId = 's') => {
    const { content, ...rest } = await readResource(counting, { capabilityId, path, offset, limit });
    return { text: Buffer.from(content).toString(), ...rest };
  };
  return { root, registry, reads, read };
}

describe('reading a resource', () => {
  test('gives the part asked for and says whether it is the last', async () => {
    const { read } = await reading();
    const info = { path: 'resources/a.txt', size: 10, digest: sha256Digest('0123456789'), mediaType: 'text/plain' };
    expect(await read('resources/a.txt')).toEqual({ text: '0123456789', info, end: true });
    expect(await read('resources/a.txt', 2, 3)).toEqual({ text: '234', info, end: false });
    expect(await read('resources/a.txt', 8, 100)).toMatchObject({ text: '89', end: true });
    expect(await read('resources/a.txt', 10, 1)).toMatchObject({ text: '', end: true });
    expect(await read('resources/empty.bin')).toMatchObject({
      text: '',
      end: true,
      info: { mediaType: 'application/octet-stream' },
    });
  });

  test('gives a mebibyte at most, the rest when asked again', async () => {
    const { read } = await reading({ ...SKILL, 'skills/s/resources/big': 'x'.repeat(1_500_000) }, 4_000_000);
    const first = await read('resources/big', 0, 9_000_000);
    expect([first.text.length, first.end]).toEqual([1_048_576, false]);
    expect(await read('resources/big', first.text.length)).toMatchObject({ end: true });
  });

  test.each([
    'secret.txt',
    'resources/../secret.txt',
    '../s/resources/a.txt',
    '/etc/passwd',
    'resources/a.txt/',
    'resources',
    '',
    'resources/a.txt\0',
  ])('the path %j, which is not in the list, is not found', async (path) => {
    const { read, reads } = await reading();
    await expect(read(path)).rejects.toMatchObject({
      name: 'RequestError',
      kind: 'not_found',
      message: expect.stringContaining('resources/a.txt'),
    });
    expect(reads).toEqual([]);
  });

  test('an id or a path of any length is refused in few words', async () => {
    const long = 'é'.repeat(130_000);
    const { read } = await reading();
    await expect(read('resources/a.txt', 0, 0, long)).rejects.toMatchObject({
      kind: 'invalid',
      message: 'capability_id is longer than 256 characters.',
    });
    await expect(read(long)).rejects.toMatchObject({ kind: 'invalid', message: 'path is longer than 4096 characters.' });
    for (const refused of [read('x'.repeat(4000)), read('x', 0, 0, 'x'.repeat(250))]) {
      await expect(refused).rejects.toMatchObject({ kind: 'not_found', message: expect.stringMatching(/^.{1,300}$/) });
    }
  });

  test('names few of many resources, and those in few words', async () => {
    const files = Array.from({ length: 30 }, (_, at) => [`skills/s/resources/${'d'.repeat(200)}/${'f'.repeat(200)}${at}`, 'x']);
    const { read } = await reading({ ...SKILL, ...Object.fromEntries(files) });
    await expect(read('nothing')).rejects.toMatchObject({ message: expect.stringMatching(/^.{1,600}$/) });
  });

  test('an unknown or disabled capability has none; an offset beyond the end is refused', async () => {
    const { read } = await reading();
    await expect(read('resources/a.txt', 0, 0, 'nobody')).rejects.toMatchObject({ kind: 'not_found' });
    await expect(read('resources/a.txt', 11)).rejects.toMatchObject({ kind: 'invalid' });
    const disabled = await reading({ ...SKILL, 'skills/s/s.yaml': `${SKILL['skills/s/s.yaml']}enabled: false\n` });
    await expect(disabled.read('resources/a.txt')).rejects.toMatchObject({ kind: 'not_found' });
  });

  test('reads a file once while it is in use, and again when others have pushed it out', async () => {
    const { read, reads } = await reading({ ...SKILL, 'skills/s/resources/b.txt': 'b'.repeat(12) }, 15);
    await Promise.all([read('resources/a.txt'), read('resources/a.txt', 3, 1)]);
    await read('resources/a.txt');
    expect(reads).toHaveLength(1);
    await read('resources/b.txt');
    await read('resources/a.txt');
    expect(reads).toHaveLength(3);
  });

  test('a resource larger than the cache is served all the same', async () => {
    const { read } = await reading(SKILL, 5);
    expect(await read('resources/a.txt')).toMatchObject({ text: '0123456789' });
  });

  test('a file that changed on disk is not served as what it was', async () => {
    const { root, registry, read } = await reading();
    await writeFile(join(root, 'skills/s/resources/a.txt'), 'changed!!!');
    await expect(read('resources/a.txt')).rejects.toMatchObject({
      kind: 'not_found',
      message: expect.stringContaining('changed'),
    });
    await registry.reload();
    expect(await read('resources/a.txt')).toMatchObject({ text: 'changed!!!' });
  });
});
