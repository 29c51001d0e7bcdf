/**
 * What the suite has a tool do. Each driver expresses every one of them in its own kind of tool
 * (`tools/*.ts`); a tool answers `{"params":…}` by its behaviour alone, so that one call cannot be
 * taken for another.
 */
export const BEHAVIOURS = [
  /** The params, as they came. */
  'echo',
  /** How often this tool was called since it was loaded, as far as it can tell: 1. */
  'count',
  /** Nothing, forever, without using the CPU. */
  'sleep',
  /** Nothing, forever, at full speed. */
  'spin',
  /** Far more than any limit of the suite. */
  'flood',
  /** Something that is not JSON (thread: a value that JSON cannot hold). */
  'not-json',
  /** Fails, and says `FAILURE`. */
  'fail',
  /** Fails, and says `RUDE_FAILURE`. */
  'fail-rudely',
  /** Ends as a broken program does. */
  'crash',
  /** Takes memory until there is none. */
  'memory',
  /** Asks for `HTTP_STEP`; the answer is its result. */
  'http-step',
  /** Asks for `DB_STEP`; the answer is its result. */
  'db-step',
  /** Asks for `MAIL_STEP`; the answer is its result. */
  'mail-step',
  /** Asks for a step that the protocol does not have, or that lacks what its kind needs. */
  'bad-step',
  /** Asks for `HTTP_STEP`, and then does nothing, forever. */
  'step-then-sleep',
] as const;

export type Behaviour = (typeof BEHAVIOURS)[number];

export const FAILURE = '没有这个城市: no such city';

/** It would clear a screen, turn its line around, and hide a word in tags; and how it must come out. */
export const RUDE_FAILURE = 'a\u001b[2J\u009b1m\nb\u202ec\u200b\u{e0041}';
export const RUDE_FAILURE_SHOWN = 'a\\u{1b}[2J\\u{9b}1m\nb\\u{202e}c\\u{200b}\\u{e0041}';

export const HTTP_STEP = {
  type: 'http',
  method: 'GET',
  url: 'https://example.com/a?b=c',
  headers: { accept: 'text/plain' },
} as const;
export const DB_STEP = { type: 'db', operation: 'read_memories', params: { limit: 3 } } as const;
export const MAIL_STEP = { type: 'mail', operation: 'send', params: { to: 'a@example.com' } } as const;
