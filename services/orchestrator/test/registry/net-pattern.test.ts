import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatNetPattern, keepsReadonlyPromise, parseNetPattern } from '../../src/registry/net-pattern.ts';

const normal = (text: string) => {
  const pattern = parseNetPattern(text);
  return pattern && formatNetPattern(pattern);
};

describe('an entry of `net:`', () => {
  test.each([
    ['GET https://*.qweather.com', 'GET https://*.qweather.com:443'],
    ['get,head https://API.Example.com', 'GET,HEAD https://api.example.com:443'],
    ['POST,GET,POST https://api.example.com:8443', 'GET,POST https://api.example.com:8443'],
    ['GET http://plain.example.com', 'GET http://plain.example.com:80'],
    ['GET https://例子.测试', 'GET https://xn--fsqu00a.xn--0zwm56d:443'],
    ['GET https://example.com./', 'GET https://example.com:443'],
  ])('%s is %s', (written, expected) => {
    expect(normal(written)).toBe(expected);
  });

  test.each([
    'https://example.com',
    'GET example.com',
    'GET ftp://example.com',
    'FETCH https://example.com',
    '* https://example.com',
    'GET https://*',
    'GET https://*.com.*',
    'GET https://a.*.com',
    'GET https://localhost',
    'GET https://127.0.0.1',
    'GET https://10.0.0.10',
    'GET https://0x7f.1',
    'GET https://2130706433',
    'GET https://[::1]',
    'GET https://*.127.0.0.1',
    'GET https://user@example.com',
    'GET https://user:pass@example.com',
    'GET https://example.com/path',
    'GET https://example.com?x',
    'GET https://example.com#x',
    'GET https://exa%6dple.com',
    'GET https://example.com:0',
    'GET https://example.com:70000',
    'GET https://example.com\\@evil.com',
    'GET https://example.com\nGET https://evil.com',
    'GET  ',
    '',
  ])('%j is refused', (written) => {
    expect(parseNetPattern(written)).toBeUndefined();
  });

  test('the normal form is its own normal form', () => {
    const label = fc.stringMatching(/^[a-z][a-z0-9-]{0,5}[a-z0-9]$/);
    const entry = fc
      .tuple(
        fc.subarray(['GET', 'HEAD', 'POST', 'DELETE'], { minLength: 1 }),
        fc.constantFrom('http', 'https'),
        fc.boolean(),
        fc.array(label, { minLength: 2, maxLength: 4 }),
        fc.option(fc.integer({ min: 1, max: 65_535 })),
      )
      .map(
        ([methods, scheme, any, labels, port]) =>
          `${methods.join(',')} ${scheme}://${any ? '*.' : ''}${labels.join('.')}${port === null ? '' : `:${port}`}`,
      );
    fc.assert(
      fc.property(entry, (written) => {
        const once = normal(written);
        // Labels such as `xn--…` that are no valid IDN are refused; everything else has a normal form.
        if (once === undefined) expect(written).toMatch(/--/);
        else expect(normal(once)).toBe(once);
      }),
    );
  });

  test('a readonly tool reads from any host it names and writes to exact hosts only', () => {
    const keeps = (text: string) => {
      const pattern = parseNetPattern(text);
      return pattern !== undefined && keepsReadonlyPromise(pattern);
    };
    expect(keeps('GET,HEAD https://*.example.com')).toBe(true);
    expect(keeps('POST https://search.example.com')).toBe(true);
    expect(keeps('GET,POST https://*.example.com')).toBe(false);
  });
});
