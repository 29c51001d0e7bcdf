import { countTokens as countWithTokenizer } from 'gpt-tokenizer/encoding/o200k_base';

/**
 * A run of one kind of character of this length or more. The tokenizer's time grows with the square of a run's length
 * (100,000 times the same letter take it seconds), and files of plugins are not ours to trust.
 */
const LONG_RUN = /[\p{L}\p{M}]{256,}|\s{256,}|[^\s\p{L}\p{N}]{256,}/u;
/** Cut into pieces this long, such a run is counted within a token a cut. */
const PIECE = /[\p{L}\p{M}]{1,256}|\s{1,256}|[^\s\p{L}\p{N}]{1,256}|\p{N}+/gu;

/** Words like `<|endoftext|>` in a plugin's text are text, not commands. */
const AS_TEXT = { disallowedSpecial: new Set<string>() };

/** Tokens of a text in a model's context, in the o200k encoding that current OpenAI models use. */
export function countTokens(text: string): number {
  if (!LONG_RUN.test(text)) return countWithTokenizer(text, AS_TEXT);
  let tokens = 0;
  for (const [piece] of text.matchAll(PIECE)) tokens += countWithTokenizer(piece, AS_TEXT);
  return tokens;
}
