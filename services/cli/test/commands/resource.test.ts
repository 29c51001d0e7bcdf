import { expect, test } from 'vitest';
import { createTerminal } from '../../src/terminal/terminal.ts';
import { servedWorld } from '../served-world.ts';

const TEXT = Buffer.from('风格：森林'.repeat(10));

/** Hands a file out in pages of 7 bytes, which split characters. */
const pagesOf = (content: Buffer) => ({
  readResource: ({ offset }: { offset: bigint }) => ({
    content: content.subarray(Number(offset), Number(offset) + 7),
    info: { path: 'a.md', digest: 'sha256:x', mediaType: 'text/markdown' },
    end: Number(offset) + 7 >= content.length,
  }),
});

test('resource puts the pages together', async () => {
  await using served = await servedWorld(pagesOf(TEXT));
  const { stdout } = await served.run(['resource', 's', 'a.md', '--json']);
  expect(JSON.parse(stdout)).toEqual({
    capability: 's',
    path: 'a.md',
    size: TEXT.length,
    digest: 'sha256:x',
    media_type: 'text/markdown',
    encoding: 'utf8',
    content: TEXT.toString(),
  });
});

test('bytes that are no text go into a pipe, not onto a screen', async () => {
  const bytes = Buffer.from([0xff, 0x00, 0x1b]);
  await using served = await servedWorld(pagesOf(bytes));
  const written: (string | Uint8Array)[] = [];
  const terminal = (isTTY: boolean) => createTerminal({ isTTY, write: (text) => written.push(text) }, {});
  expect((await served.run(['resource', 's', 'a.bin'], { stdout: terminal(false) })).exitCode).toBe(0);
  expect(written).toEqual([bytes]);
  const { exitCode, stderr } = await served.run(['resource', 's', 'a.bin'], { stdout: terminal(true) });
  expect({ exitCode, written: written.length }).toEqual({ exitCode: 2, written: 1 });
  expect(stderr).toContain('a.bin is not text.');
  expect(JSON.parse((await served.run(['resource', 's', 'a.bin', '--json'])).stdout)).toMatchObject({
    encoding: 'base64',
    content: '/wAb',
  });
});
