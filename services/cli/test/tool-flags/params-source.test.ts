import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { CliError } from '../../src/failure/cli-error.ts';
import { paramsJson, readParams } from '../../src/tool-flags/params-source.ts';

const nothing = { cwd: '/', stdin: Readable.from([]) };

test('--params takes JSON, a file, or stdin', async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'yuanbot-params-'));
  try {
    await writeFile(join(cwd, 'in.json'), '{"text":"文件"}');
    expect(await readParams('{"n":1}', nothing)).toEqual({ n: 1 });
    expect(await readParams('@in.json', { ...nothing, cwd })).toEqual({ text: '文件' });
    const bytes = Buffer.from('{"text":"流"}');
    const stdin = Readable.from([bytes.subarray(0, 11), bytes.subarray(11)]);
    expect(await readParams('-', { cwd, stdin })).toEqual({ text: '流' });
  } finally {
    await rm(cwd, { recursive: true });
  }
});

test.each([
  ['{"n":', /^--params is not JSON: /],
  ['[1]', /^--params is not a JSON object\.$/],
  ['null', /^--params is not a JSON object\.$/],
  ['@/nowhere/in.json', /^--params names a file that cannot be read: .*ENOENT/],
])('%s is refused', async (source, message) => {
  await expect(readParams(source, nothing)).rejects.toThrow(CliError);
  await expect(readParams(source, nothing)).rejects.toThrow(message);
});

test('flags win over --params, and numbers stay as written', async () => {
  const base = await readParams('{"id":12345678901234567890,"n":1}', nothing);
  expect(paramsJson(base, new Map([['n', 2]]))).toBe('{"id":12345678901234567890,"n":2}');
});
