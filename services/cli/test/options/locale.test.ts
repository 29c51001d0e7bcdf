import { expect, test } from 'vitest';
import { localeOf } from '../../src/options/locale.ts';

test.each([
  [{}, 'en'],
  [{ LANG: 'C.UTF-8' }, 'en'],
  [{ LANG: 'zh_CN.UTF-8' }, 'zh'],
  [{ LANG: 'zh_CN.UTF-8', LC_ALL: 'en_GB.UTF-8' }, 'en'],
  [{ LANG: 'en_US.UTF-8', LC_MESSAGES: 'zh_TW.UTF-8', LC_ALL: '' }, 'zh'],
])('%j speaks %s', (env, locale) => {
  expect(localeOf(env)).toBe(locale);
});
