import type { Arithmetic } from './arithmetic.ts';
import type { Quantity } from './quantity.ts';

interface MathFunction {
  /** The fewest and the most arguments. */
  readonly arity: readonly [number, number];
  apply(math: Arithmetic, args: readonly [Quantity, ...Quantity[]]): Quantity;
}

const MANY = Number.POSITIVE_INFINITY;

/** The functions an expression may call. */
export const FUNCTIONS: ReadonlyMap<string, MathFunction> = new Map<string, MathFunction>([
  ['abs', { arity: [1, 1], apply: (math, [x]) => math.absolute(x) }],
  ['avg', { arity: [1, MANY], apply: (math, args) => math.divide(total(math, args), math.literal(String(args.length))) }],
  ['ceil', { arity: [1, 1], apply: (math, [x]) => math.toInteger(x, 'ceil') }],
  ['exp', { arity: [1, 1], apply: (math, [x]) => math.exponential(x) }],
  ['factorial', { arity: [1, 1], apply: (math, [x]) => math.factorial(x) }],
  ['floor', { arity: [1, 1], apply: (math, [x]) => math.toInteger(x, 'floor') }],
  ['ln', { arity: [1, 1], apply: (math, [x]) => math.naturalLogarithm(x) }],
  ['log10', { arity: [1, 1], apply: (math, [x]) => math.decimalLogarithm(x) }],
  ['max', { arity: [1, MANY], apply: (_math, args) => args.reduce((a, b) => (b.value.gt(a.value) ? b : a)) }],
  ['min', { arity: [1, MANY], apply: (_math, args) => args.reduce((a, b) => (b.value.lt(a.value) ? b : a)) }],
  ['mod', { arity: [2, 2], apply: (math, [x, y = x]) => math.remainder(x, y) }],
  ['pow', { arity: [2, 2], apply: (math, [x, y = x]) => math.power(x, y) }],
  ['round', { arity: [1, 2], apply: (math, [x, places = math.literal('0')]) => math.roundTo(x, places) }],
  ['sqrt', { arity: [1, 1], apply: (math, [x]) => math.squareRoot(x) }],
  ['sum', { arity: [1, MANY], apply: total }],
]);

/** The names that stand for a number. */
export const CONSTANTS: ReadonlyMap<string, (math: Arithmetic) => Quantity> = new Map([
  ['pi', (math: Arithmetic) => math.pi()],
  ['π', (math: Arithmetic) => math.pi()],
  ['e', (math: Arithmetic) => math.exponential(math.literal('1'))],
]);

function total(math: Arithmetic, args: readonly [Quantity, ...Quantity[]]): Quantity {
  return args.reduce((sum, x) => math.add(sum, x));
}
