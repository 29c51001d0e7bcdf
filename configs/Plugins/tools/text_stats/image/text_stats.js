'use strict';

// Counts what a text holds. Two homes: the container (main.js) passes Node's Intl, whose segmenter knows the
// words of Chinese and Japanese; a SES compartment has no Intl, and the text is segmented by the simpler
// rules below. The result's `method` says which it was.

/** Silent reading of prose: about 400 Chinese characters, or 240 words of a spaced script, a minute. */
const IDEOGRAPHS_PER_MINUTE = 400;
const WORDS_PER_MINUTE = 240;

const LINE_END = /\r\n|\n|\r/;
const IDEOGRAPH = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/**
 * A line end; a pair of regional indicators (a flag); or one code point with the marks, emoji modifiers, tags and
 * joined code points that follow it. Decomposed Hangul is counted by its parts, unlike with Intl.
 */
const BASIC_GRAPHEME = /\r\n|\p{RI}\p{RI}|[\s\S](?:[\p{M}\p{EMod}\u{e0020}-\u{e007f}]|\u200d\p{ExtPict})*/gu;

/** A run of letters and digits with inner apostrophes, points and hyphens; a Chinese or Japanese character by itself. */
const BASIC_WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{N}\p{M}])+(?:['’.-](?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{N}\p{M}])+)*/gu;

/** Up to a full stop: Chinese ones anywhere, Latin ones before a space or the end. A line end closes a sentence too. */
const BASIC_SENTENCE = /(?:[^。！？!?.…\r\n]|\.(?!\s|$))+/gu;

const BASIC_NOTE =
  'Counted by simple rules: each Chinese or Japanese character is one word and none is among top_words; sentences and combined signs are approximate.';

/** @param {typeof Intl} intl */
function segmentWithIntl(text, language, intl) {
  const segments = (granularity) => [...new intl.Segmenter(language, { granularity }).segment(text)];
  return {
    method: 'intl',
    graphemes: segments('grapheme').length,
    words: segments('word')
      .filter(({ isWordLike }) => isWordLike)
      .map(({ segment }) => segment),
    sentences: segments('sentence').filter(({ segment }) => LETTER_OR_DIGIT.test(segment)).length,
  };
}

function segmentBasically(text) {
  return {
    method: 'basic',
    graphemes: countMatches(text, BASIC_GRAPHEME),
    words: text.match(BASIC_WORD) ?? [],
    sentences: (text.match(BASIC_SENTENCE) ?? []).filter((sentence) => LETTER_OR_DIGIT.test(sentence)).length,
  };
}

/**
 * Parameters as text_stats.schema.json says; `intl` is undefined where there is none.
 * @param {{ text: string, language?: string, top?: number }} params
 * @param {typeof Intl | undefined} intl
 */
function measure({ text, language = 'zh', top = 10 }, intl) {
  const { method, graphemes, words, sentences } = intl ? segmentWithIntl(text, language, intl) : segmentBasically(text);
  const lines = text === '' ? [] : text.replace(/(?:\r\n|\n|\r)$/, '').split(LINE_END);
  const codePoints = [...text];
  const ideographs = codePoints.filter((character) => IDEOGRAPH.test(character)).length;
  const spacedWords = words.filter((word) => !IDEOGRAPH.test(word)).length;
  const minutes = ideographs / IDEOGRAPHS_PER_MINUTE + spacedWords / WORDS_PER_MINUTE;
  return {
    method,
    ...(method === 'basic' && { note: BASIC_NOTE }),
    characters: graphemes,
    characters_without_spaces: graphemes - countMatches(text, /\r\n|\s/gu),
    cjk_characters: ideographs,
    code_points: codePoints.length,
    bytes_utf8: codePoints.reduce((bytes, character) => bytes + utf8Length(character.codePointAt(0)), 0),
    words: words.length,
    sentences,
    lines: lines.length,
    paragraphs: countParagraphs(lines),
    reading_minutes: Math.round(minutes * 10) / 10,
    top_words: topWords(words, top),
  };
}

function countMatches(text, pattern) {
  let count = 0;
  for (const _ of text.matchAll(pattern)) count += 1;
  return count;
}

/** Blocks of lines that hold something, parted by lines that hold nothing. */
function countParagraphs(lines) {
  const filled = lines.map((line) => line.trim() !== '');
  return filled.filter((isFilled, index) => isFilled && !filled[index - 1]).length;
}

function utf8Length(codePoint) {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
}

/** Most frequent first, then by first appearance. Single Chinese and Japanese characters are mostly grammar. */
function topWords(words, top) {
  const counts = new Map();
  for (const word of words) {
    if ([...word].length === 1 && IDEOGRAPH.test(word)) continue;
    const folded = word.toLowerCase();
    counts.set(folded, (counts.get(folded) ?? 0) + 1);
  }
  return [...counts]
    .map(([word, count]) => ({ word, count }))
    .sort((a, b) => b.count - a.count)
    .slice(0, top);
}

/** The fallback's entry. */
module.exports = async (params) => measure(params, undefined);
module.exports.measure = measure;
