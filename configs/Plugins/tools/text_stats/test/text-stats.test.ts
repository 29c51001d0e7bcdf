import { execFileSync, spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { createThreadDriver } from '@yuanbot/thread-sandbox';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createToolRunner, type ToolRunner } from '../../../test/tool-runner.ts';

interface Stats {
  readonly method: string;
  readonly [count: string]: unknown;
}

const image = new URL('../image/', import.meta.url);
const { measure }: { measure(params: object, intl: typeof Intl | undefined): Stats } = createRequire(import.meta.url)(
  fileURLToPath(new URL('text_stats.js', image)),
);

const SAMPLE = '我爱北京天安门。天安门上太阳升！\r\n\r\nHello, world: it’s 3.14 today.\nHello again 👨‍👩‍👧🇨🇳 e\u0301';

describe('the program of the container', () => {
  const main = fileURLToPath(new URL('main.js', image));
  const answerTo = (line: string) => JSON.parse(execFileSync(process.execPath, [main], { input: line, encoding: 'utf8' }));

  test('prints one result line for one envelope line', () => {
    const { type, content } = answerTo(`${JSON.stringify({ params: { text: SAMPLE, top: 3 }, approved: true })}\n`);
    expect(type).toBe('result');
    expect(content).toEqual({
      method: 'intl',
      characters: 65,
      characters_without_spaces: 55,
      cjk_characters: 14,
      code_points: 73,
      bytes_utf8: 127,
      words: 16,
      sentences: 4,
      lines: 4,
      paragraphs: 2,
      reading_minutes: 0.1,
      top_words: [
        { word: '天安门', count: 2 },
        { word: 'hello', count: 2 },
        { word: '北京', count: 1 },
      ],
    });
  });

  test('an envelope that is not JSON is an error line, not a crash', () => {
    const { status, stdout } = spawnSync(process.execPath, [main], { input: '{"params":\n', encoding: 'utf8' });
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ type: 'error', message: expect.stringContaining('JSON') });
  });
});

describe('the fallback, where there is no Intl', () => {
  const driver = createThreadDriver({ nodePath: process.execPath, hosts: 1, workersPerHost: 1 });
  let run: ToolRunner;
  beforeAll(async () => {
    run = await createToolRunner(driver, 'local_thread', new URL('text_stats.js', image));
  });
  afterAll(() => driver.close());

  test('counts by its own rules and says so', async () => {
    expect(await run({ text: SAMPLE, language: 'zh', top: 2 })).toEqual({
      method: 'basic',
      note: expect.stringContaining('each Chinese or Japanese character is one word'),
      characters: 65,
      characters_without_spaces: 55,
      cjk_characters: 14,
      code_points: 73,
      bytes_utf8: 127,
      words: 22,
      sentences: 4,
      lines: 4,
      paragraphs: 2,
      reading_minutes: 0.1,
      top_words: [
        { word: 'hello', count: 2 },
        { word: 'world', count: 1 },
      ],
    });
  });

  test('a text of the greatest length is counted in time', { timeout: 30_000 }, async () => {
    const text = '好, e\u0301 👍🏽 '.repeat(27_000).slice(0, 300_000);
    expect(await run({ text, top: 1 })).toMatchObject({ method: 'basic', code_points: [...text].length });
  });
});

describe('counting', () => {
  test.each<[string, object]>([
    ['', { characters: 0, words: 0, sentences: 0, lines: 0, paragraphs: 0, bytes_utf8: 0, reading_minutes: 0, top_words: [] }],
    ['a', { characters: 1, words: 1, sentences: 1, lines: 1, paragraphs: 1 }],
    ['a\n', { lines: 1, paragraphs: 1 }],
    ['a\r\nb\rc\n\n', { lines: 4, paragraphs: 1 }],
    [' \n\n a \n \t\n b', { lines: 5, paragraphs: 2 }],
    ['🇨🇳👍🏽👨‍👩‍👧e\u0301\r\n', { characters: 5 }],
    ['!?…', { words: 0, sentences: 0 }],
  ])('%j, with Intl and without', (text, counts) => {
    expect(measure({ text }, Intl)).toMatchObject(counts);
    expect(measure({ text }, undefined)).toMatchObject(counts);
  });

  test('reading time is told by the script', () => {
    expect(measure({ text: '好'.repeat(800) }, undefined)['reading_minutes']).toBe(2);
    expect(measure({ text: 'word '.repeat(480) }, Intl)['reading_minutes']).toBe(2);
  });

  test('as many top words as asked for, most frequent first', () => {
    const text = 'b a b c A b';
    expect(measure({ text, top: 2 }, Intl)['top_words']).toEqual([
      { word: 'b', count: 3 },
      { word: 'a', count: 2 },
    ]);
    expect(measure({ text, top: 0 }, undefined)['top_words']).toEqual([]);
  });
});

describe('laws', () => {
  const anyText = fc.string({ unit: 'binary' });

  test('bytes and code points are those of the text, half characters included', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, fc.string({ unit: 'grapheme' })), (text) => {
        expect(measure({ text }, undefined)).toMatchObject({
          bytes_utf8: Buffer.byteLength(text),
          code_points: [...text].length,
        });
      }),
    );
  });

  test('the two ways count graphemes and words of everyday texts alike', () => {
    const pieces = fc.constantFrom(
      'hello',
      'it’s',
      '3.14',
      'naïve',
      ' ',
      ', ',
      '. ',
      '\n',
      '\r\n',
      '👍🏽',
      '🇨🇳',
      'é',
      'Привет',
      '한국어',
      '！',
    );
    fc.assert(
      fc.property(
        fc.array(pieces).map((parts) => parts.join(' ')),
        (text) => {
          const [intl, basic] = [measure({ text, language: 'en' }, Intl), measure({ text, language: 'en' }, undefined)];
          for (const count of ['characters', 'characters_without_spaces', 'words', 'lines', 'top_words']) {
            expect([count, basic[count]]).toEqual([count, intl[count]]);
          }
        },
      ),
    );
  });
});
