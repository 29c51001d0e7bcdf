/**
 * The shapes that `parse` produces. They are jsep's own, with two additions: numbers are kept as they
 * were written, and a node says where in the expression it starts (`at`, 0-based).
 */
export type Node = NumberNode | NameNode | CallNode | UnaryNode | BinaryNode;

export interface NumberNode {
  readonly type: 'Literal';
  readonly raw: string;
  readonly at: number;
}

export interface NameNode {
  readonly type: 'Identifier';
  readonly name: string;
  readonly at: number;
}

export interface CallNode {
  readonly type: 'CallExpression';
  readonly name: string;
  readonly arguments: readonly Node[];
  readonly at: number;
}

export interface UnaryNode {
  readonly type: 'UnaryExpression';
  /** `%` and `!` follow their operand. */
  readonly operator: '+' | '-' | '%' | '!';
  readonly argument: Node;
  readonly at: number;
}

/** jsep builds these itself, so they carry no position: see `startOf`. */
export interface BinaryNode {
  readonly type: 'BinaryExpression';
  readonly operator: string;
  readonly left: Node;
  readonly right: Node;
}

/** Where a node starts in the expression, 0-based. */
export function startOf(node: Node): number {
  let at = node;
  while (at.type === 'BinaryExpression') at = at.left;
  return at.at;
}
