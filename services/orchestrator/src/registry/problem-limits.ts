import { clipText } from './clip-text.ts';
import type { Problem } from './model.ts';

/** Problems told of one file: enough to mend it by; the rest shows when it is read again. */
export const MAX_PROBLEMS_OF_FILE = 20;
/** Problems told of one capability, whose files are a handful. */
export const MAX_PROBLEMS_OF_CAPABILITY = 60;
/** Problems told of all files that no capability came of. */
export const MAX_LOOSE_PROBLEMS = 100;
/** Characters of a message, and of a mend; the longest of ours has some 250 without what it quotes. */
export const MAX_TEXT = 500;

/**
 * What is told of a list of problems, however many a hostile file makes of itself: the same one once, each file's first
 * few, `max` in all, no text of any length. Errors are kept before warnings, so that a capability that cannot be called
 * always says why. How many are left out is told as the last problem of their file, or of the list.
 */
export function boundProblems(problems: readonly Problem[], max: number): readonly Problem[] {
  if (problems.length === 0) return problems;
  const distinct = [...new Map(problems.map((problem) => [JSON.stringify(problem), boundProblem(problem)])).values()];
  const ofFiles = [...Map.groupBy(distinct, ({ file }) => file).values()].map((ofFile) => firstOf(ofFile, MAX_PROBLEMS_OF_FILE));
  return firstOf(ofFiles.flat(), max);
}

/** The problem with texts of bounded length. */
export function boundProblem(problem: Problem): Problem {
  return { ...problem, message: clipText(problem.message, MAX_TEXT), mend: clipText(problem.mend, MAX_TEXT) };
}

function firstOf(problems: readonly Problem[], max: number): readonly Problem[] {
  if (problems.length <= max) return problems;
  const worstFirst = problems.toSorted((a, b) => Number(b.severity === 'error') - Number(a.severity === 'error'));
  const told = new Set(worstFirst.slice(0, max));
  const untold = worstFirst.slice(max);
  const [first] = untold;
  if (first === undefined) return problems;
  const more: Problem = {
    severity: first.severity,
    file: first.file,
    line: first.line,
    message: `… and ${untold.length} more like these.`,
    mend: 'Mend the ones above; the rest shows when the plugins are read again.',
  };
  return [...problems.filter((problem) => told.has(problem)), more];
}
