import type { Capability, Problem } from './model.ts';

/**
 * The first error in how a capability is written: with one it cannot be used at all. What a sandbox found is another matter:
 * such a tool is not offered by itself, but may be tried by name, and a success clears the finding.
 */
export function definitionProblem({ problems }: Pick<Capability, 'problems'>): Problem | undefined {
  return problems.find(({ severity, foundBy }) => severity === 'error' && foundBy === undefined);
}
