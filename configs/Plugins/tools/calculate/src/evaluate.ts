import type { Arithmetic } from './arithmetic.ts';
import { CONSTANTS, FUNCTIONS } from './functions.ts';
import { type BinaryNode, type CallNode, type NameNode, type Node, startOf, type UnaryNode } from './node.ts';
import { CalculationProblem } from './problem.ts';
import type { Quantity } from './quantity.ts';

/** The value of a parsed expression. Throws `CalculationProblem`, which says where in the expression it went wrong. */
export function evaluate(node: Node, math: Arithmetic): Quantity {
  switch (node.type) {
    case 'Literal':
      return located(node.at, () => math.literal(node.raw));
    case 'Identifier':
      return constant(node, math);
    case 'CallExpression':
      return call(node, math);
    case 'UnaryExpression':
      return unary(node, math);
    case 'BinaryExpression':
      return binary(node, math);
  }
}

function constant(node: NameNode, math: Arithmetic): Quantity {
  const value = CONSTANTS.get(node.name);
  if (value !== undefined) return value(math);
  const mend = FUNCTIONS.has(node.name) ? `"${node.name}" is a function: write ${node.name}(…)` : unknownName(node.name);
  throw new CalculationProblem(mend, node.at);
}

function call(node: CallNode, math: Arithmetic): Quantity {
  const found = FUNCTIONS.get(node.name);
  if (found === undefined) throw new CalculationProblem(unknownName(node.name), node.at);
  const [first, ...rest] = node.arguments.map((argument) => evaluate(argument, math));
  const [least, most] = found.arity;
  if (first === undefined || rest.length + 1 < least || rest.length + 1 > most) {
    const wanted = least === most ? `${least}` : most === Number.POSITIVE_INFINITY ? `at least ${least}` : `${least} to ${most}`;
    throw new CalculationProblem(`${node.name} takes ${wanted} argument(s), not ${node.arguments.length}`, node.at);
  }
  return located(node.at, () => found.apply(math, [first, ...rest]));
}

function unary(node: UnaryNode, math: Arithmetic): Quantity {
  const operand = evaluate(node.argument, math);
  switch (node.operator) {
    case '+':
      return operand;
    case '-':
      return math.negate(operand);
    case '%':
      return located(node.at, () => math.divide(operand, math.literal('100')));
    case '!':
      return located(node.at, () => math.factorial(operand));
  }
}

const OPERATIONS = {
  '+': 'add',
  '-': 'subtract',
  '*': 'multiply',
  '/': 'divide',
  '%': 'remainder',
  '^': 'power',
  '**': 'power',
} as const satisfies Record<string, keyof Arithmetic>;

function binary(node: BinaryNode, math: Arithmetic): Quantity {
  const left = evaluate(node.left, math);
  const right = evaluate(node.right, math);
  const operation = OPERATIONS[node.operator as keyof typeof OPERATIONS];
  return located(startOf(node.right), () => math[operation](left, right));
}

function unknownName(name: string): string {
  if (name === 'log') return '"log" is ambiguous: write ln(x) or log10(x)';
  const names = [...FUNCTIONS.keys()].join(', ');
  return `Unknown name "${name}"; known are the functions ${names} and the constants pi and e`;
}

/** Gives what is wrong with operands its place in the expression. */
function located(at: number, operation: () => Quantity): Quantity {
  try {
    return operation();
  } catch (error) {
    if (error instanceof RangeError) throw new CalculationProblem(error.message, at);
    throw error;
  }
}
