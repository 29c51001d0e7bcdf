import { CalculationProblem } from './problem.ts';

/** Signs that people and models write, by the sign the parser knows. One character each, so that positions stay true. */
const SIGNS: Readonly<Record<string, string>> = {
  '×': '*',
  '✕': '*',
  '·': '*',
  '⋅': '*',
  '∗': '*',
  '÷': '/',
  '∕': '/',
  '−': '-',
  '–': '-',
  '—': '-',
  '。': '.',
  '、': ',',
  '【': '(',
  '】': ')',
  '\u3000': ' ',
  '\u00a0': ' ',
};

/** What may be in an expression once its signs are normalised. */
const KNOWN = /^[0-9A-Za-z_π+\-*/%^!().,\s]$/;

/** U+FF01–U+FF5E are the full-width forms of U+0021–U+007E. */
const FULL_WIDTH = /^[！-～]$/;
const FULL_WIDTH_OFFSET = 0xfee0;

/**
 * The expression in the parser's alphabet: full-width digits, letters and operators, and mathematical
 * signs such as × and ÷, are replaced one for one. Throws `CalculationProblem` at the first sign that
 * has no meaning here.
 */
export function normalise(expression: string): string {
  let text = '';
  for (const sign of expression) {
    const plain = FULL_WIDTH.test(sign) ? String.fromCharCode(sign.charCodeAt(0) - FULL_WIDTH_OFFSET) : (SIGNS[sign] ?? sign);
    if (!KNOWN.test(plain)) throw new CalculationProblem(`The sign "${sign}" has no meaning here`, text.length);
    text += plain;
  }
  return text;
}
