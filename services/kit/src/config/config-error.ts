import type { Origin } from './origin.ts';

/** One thing that is wrong with the configuration. */
export interface ConfigProblem {
  readonly origin: Origin;
  /** Dotted path of the key, as written in the file; empty when the problem is not one of a key. */
  readonly key: string;
  /** What is wrong and what to write instead. */
  readonly message: string;
}

/** Everything that is wrong with the configuration, at once: file first, in the order of its lines. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly ConfigProblem[], options?: ErrorOptions) {
    const ordered = withoutRepeats(problems).sort((a, b) => rank(a.origin) - rank(b.origin));
    const count = ordered.length === 1 ? '1 problem' : `${ordered.length} problems`;
    super([`The configuration has ${count}:`, ...ordered.map((problem) => `  ${describe(problem)}`)].join('\n'), options);
    this.problems = ordered;
  }
}

/** One mistake may fail two checks of one rule (0.5 is neither whole nor at least 1), or be met again at every level. */
function withoutRepeats(problems: readonly ConfigProblem[]): ConfigProblem[] {
  return [...new Map(problems.map((problem) => [describe(problem), problem])).values()];
}

function rank(origin: Origin): number {
  return origin.kind === 'file' ? origin.line : Number.MAX_SAFE_INTEGER;
}

function describe({ origin, key, message }: ConfigProblem): string {
  return [place(origin), key, message].filter((part) => part !== '').join(': ');
}

function place(origin: Origin): string {
  switch (origin.kind) {
    case 'file':
      return origin.line === 0 ? origin.file : `${origin.file}:${origin.line}`;
    case 'variable':
      return origin.variable;
    case 'default':
      return 'default';
  }
}
