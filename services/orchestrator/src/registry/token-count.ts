import { countTokens as countWithTokenizer } from 'gpt-tokenizer/encoding/o200k_base';

/** Words like `<|endoftext|>` in a plugin's text are text, not commands. */
const AS_TEXT = { disallowedSpecial: new Set<string>() };

/** Tokens of a text in a model's context, in the o200k encoding that current OpenAI models use. */
export function countTokens(text: string): number {
  if (text.length < LONG_RUN) return countWithTokenizer(text, AS_TEXT);
  let tokens = 0;
  for (const part of countableParts(text)) tokens += countWithTokenizer(part, AS_TEXT);
  return tokens;
}

/**
 * Characters from which a run is cut; nobody's words or indentations are that long. The tokenizer splits a text into
 * pieces by a pattern and its time grows with the square of a piece's length (a piece of 85,000 characters takes it seconds),
 * and files of plugins are not ours to trust.
 */
const LONG_RUN = 256;

/**
 * Whatever the pattern takes together is letters and marks, perhaps with one character before and a contraction behind, or
 * is anything but letters and numbers (`/` and line ends after punctuation among them), or at most three digits. So no piece
 * reaches into more than two of these runs, and bounding the runs bounds the pieces.
 */
const RUN = /[\p{L}\p{M}]+|[^\p{L}\p{N}]+/gu;
const CUT = new RegExp(`[^]{1,${LONG_RUN}}`, 'gu');

/**
 * The text in parts, in order and whole, in none of which the tokenizer takes more than some two long runs at once. A text
 * without long runs is one part; each cut costs a token or two of exactness.
 */
export function* countableParts(text: string): Generator<string, void, undefined> {
  let start = 0;
  for (const { 0: run, index } of text.matchAll(RUN)) {
    if (run.length < LONG_RUN) continue;
    if (index > start) yield text.slice(start, index);
    for (const [cut] of run.matchAll(CUT)) yield cut;
    start = index + run.length;
  }
  if (start < text.length) yield text.slice(start);
}
