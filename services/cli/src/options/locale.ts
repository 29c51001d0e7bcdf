/** The language of a person's environment, of the two that the platform speaks (POSIX: LC_ALL, LC_MESSAGES, LANG). */
export function localeOf(env: Readonly<Record<string, string | undefined>>): 'zh' | 'en' {
  const language = env['LC_ALL'] || env['LC_MESSAGES'] || env['LANG'] || '';
  return language.startsWith('zh') ? 'zh' : 'en';
}
