import jsep from 'jsep';
import type { CallNode, Node } from './node.ts';
import { CalculationProblem } from './problem.ts';

// Of jsep we use the precedence climbing and the lexing of numbers and names. What an operand is
// is our own (`gobble-token`), because here a power binds tighter than a sign (-2^2 is -4), a number is
// kept as written, and `%` and `!` may follow an operand.

const SUM = 1;
const PRODUCT = 2;
const POWER = 3;
const POWER_SIGNS = ['**', '^'];

jsep.removeAllBinaryOps();
jsep.removeAllUnaryOps();
jsep.removeAllLiterals();
for (const sign of ['+', '-']) jsep.addBinaryOp(sign, SUM);
for (const sign of ['*', '/', '%']) jsep.addBinaryOp(sign, PRODUCT);
for (const sign of POWER_SIGNS) jsep.addBinaryOp(sign, POWER, true);

jsep.hooks.add('gobble-expression', function wholeExpression(env) {
  // Only jsep's top level asks this hook; what is nested goes past it.
  const node = expressionOf(this);
  if (this.index < this.expr.length) throw unexpected(this);
  env.node = fromNode(node);
});

jsep.hooks.add('gobble-token', function operand(env) {
  env.node = fromNode(operandOf(this));
});

/** Reads a normalised expression. Throws `CalculationProblem` with the place of the first mistake. */
export function parse(text: string): Node {
  const start = text.search(/\S/);
  if (start === -1) throw new CalculationProblem('The expression is empty', 0);
  // jsep's top level would skip it in silence.
  if (text.charAt(start) === ',') throw new CalculationProblem('Unexpected ","', start);
  return toNode(jsep(text));
}

type Scope = jsep.HookScope;

function expressionOf(scope: Scope): Node {
  const node = scope.gobbleBinaryExpression();
  scope.gobbleSpaces();
  if (!node) throw missing(scope);
  return toNode(node);
}

/** An operand with everything that binds tighter than an operator: signs before it, `%` and `!` after it. */
function operandOf(scope: Scope): Node {
  scope.gobbleSpaces();
  const at = scope.index;
  if (scope.char === '+' || scope.char === '-') {
    const operator = scope.char;
    scope.index += 1;
    return { type: 'UnaryExpression', operator, argument: withPower(scope, operandOf(scope)), at };
  }
  return withSuffixes(scope, primaryOf(scope, at));
}

/** Takes a power into the operand of a sign: the `2^2` of `-2^2`. */
function withPower(scope: Scope, base: Node): Node {
  scope.gobbleSpaces();
  const operator = POWER_SIGNS.find((sign) => scope.expr.startsWith(sign, scope.index));
  if (operator === undefined) return base;
  scope.index += operator.length;
  return { type: 'BinaryExpression', operator, left: base, right: withPower(scope, operandOf(scope)) };
}

function withSuffixes(scope: Scope, operand: Node): Node {
  let node = operand;
  for (;;) {
    scope.gobbleSpaces();
    const at = scope.index;
    const { char } = scope;
    if (char !== '!' && !(char === '%' && isPercent(scope.expr, at))) return node;
    scope.index += 1;
    node = { type: 'UnaryExpression', operator: char, argument: node, at };
  }
}

/** `%` is the remainder when an operand can follow it, and per cent otherwise. */
function isPercent(text: string, at: number): boolean {
  return !/^\s*[0-9.A-Za-z_π(]/.test(text.slice(at + 1));
}

function primaryOf(scope: Scope, at: number): Node {
  if (/^[0-9.]/.test(scope.char)) return numberAt(scope, at);
  if (/^[A-Za-z_π]/.test(scope.char)) return nameAt(scope, at);
  if (scope.char !== '(') throw missing(scope);
  scope.index += 1;
  const node = expressionOf(scope);
  close(scope, at);
  return node;
}

function numberAt(scope: Scope, at: number): Node {
  const raw = /^(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?/.exec(scope.expr.slice(at))?.[0];
  if (raw === undefined) throw unexpected(scope);
  scope.index += raw.length;
  if (/^[0-9.A-Za-z_π]/.test(scope.char)) throw unexpected(scope);
  return { type: 'Literal', raw, at };
}

function nameAt(scope: Scope, at: number): Node {
  const name = toName(scope.gobbleIdentifier());
  scope.gobbleSpaces();
  if (scope.char !== '(') return { type: 'Identifier', name, at };
  return { type: 'CallExpression', name, arguments: argumentsOf(scope), at };
}

function argumentsOf(scope: Scope): CallNode['arguments'] {
  const open = scope.index;
  const list: Node[] = [];
  do {
    scope.index += 1;
    list.push(expressionOf(scope));
  } while (scope.char === ',');
  close(scope, open);
  return list;
}

function close(scope: Scope, open: number): void {
  if (scope.char === '') throw new CalculationProblem('This parenthesis is never closed', open);
  if (scope.char !== ')') throw unexpected(scope);
  scope.index += 1;
}

function missing(scope: Scope): CalculationProblem {
  return scope.char === ''
    ? new CalculationProblem('The expression ends where a number is expected', scope.index)
    : new CalculationProblem(`Expected a number, a name or "(" but found "${scope.char}"`, scope.index);
}

function unexpected(scope: Scope): CalculationProblem {
  if (scope.char === ',') {
    return new CalculationProblem('A comma only separates arguments; write numbers without thousands separators', scope.index);
  }
  if (scope.char === ')') return new CalculationProblem('This parenthesis closes nothing', scope.index);
  return new CalculationProblem(`Expected an operator such as + or * before "${scope.char}"`, scope.index);
}

// jsep types every node as an open record. These are the only places where that meets our closed shapes;
// every node but a BinaryExpression is made above.
function toNode(node: jsep.Expression): Node {
  return node as unknown as Node;
}

function fromNode(node: Node): jsep.Expression {
  return node as unknown as jsep.Expression;
}

function toName(node: jsep.PossibleExpression): string {
  return String(node?.['name']);
}
