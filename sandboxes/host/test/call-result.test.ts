import { expect, test } from 'vitest';
import { refuseResult } from '../src/call-result.ts';

const part = { mediaType: 'a/b', data: 'A'.repeat(90), uri: '', name: '' };

test.each([
  ['fits exactly', '"12345678"', [], 10, undefined],
  ['is a byte too long', '"123456789"', [], 10, 'ERR_OUTPUT_LIMIT'],
  ['is too long in UTF-8', '"漢漢漢"', [], 10, 'ERR_OUTPUT_LIMIT'],
  ['has parts that do not fit', '1', [part], 90, 'ERR_OUTPUT_LIMIT'],
  ['has parts that fit', '1', [part], 94, undefined],
  ['is no JSON', '{"a":', [], 100, 'ERR_OUTPUT_INVALID'],
  ['is empty', '', [], 100, 'ERR_OUTPUT_INVALID'],
])('a result that %s', (_, contentJson, parts, outputBytes, code) => {
  expect(refuseResult(contentJson, parts, outputBytes)?.code).toBe(code);
});
