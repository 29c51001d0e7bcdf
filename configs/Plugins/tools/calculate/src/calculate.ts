import type { Decimal } from 'decimal.js';
import { createArithmetic } from './arithmetic.ts';
import { evaluate } from './evaluate.ts';
import { normalise } from './normalise.ts';
import { parse } from './parse.ts';
import { CalculationProblem } from './problem.ts';
import { isExact, relativeError } from './quantity.ts';

/** Bounds the nodes, the depth and so the time of a calculation; `calculate.schema.json` says the same to callers. */
const MAX_EXPRESSION = 1_000;

/** Plain notation up to a googol and down to 20 zeros after the point; beyond, nobody counts them. */
const PLAIN_UP_TO = 100;
const PLAIN_DOWN_TO = -20;

export interface Calculation {
  /** The expression as it was understood: full-width and mathematical signs replaced. */
  readonly expression: string;
  /** Text, because a JSON number would lose digits. */
  readonly result: string;
  /** True when `result` is not the true value but the nearest one that was computed. */
  readonly rounded: boolean;
}

/**
 * Computes an expression to `precision` significant digits. Throws `CalculationProblem` with the place and
 * the mend of a mistake in the expression.
 */
export function calculate(expression: string, precision: number): Calculation {
  if (expression.length > MAX_EXPRESSION) {
    throw new CalculationProblem(`The expression is longer than ${MAX_EXPRESSION} characters`, MAX_EXPRESSION);
  }
  const text = normalise(expression);
  const answer = evaluate(parse(text), createArithmetic(precision));
  const digits = Math.min(precision, Math.max(1, Math.floor(-relativeError(answer))));
  const value = answer.value.toSignificantDigits(digits);
  const isRounded = !(isExact(answer) && value.eq(answer.value));
  return { expression: text.trim(), result: write(value, isRounded ? precision : PLAIN_UP_TO), rounded: isRounded };
}

function write(value: Decimal, plainUpTo: number): string {
  if (value.isZero()) return '0';
  return value.e < plainUpTo && value.e > PLAIN_DOWN_TO ? value.toFixed() : value.toExponential();
}
