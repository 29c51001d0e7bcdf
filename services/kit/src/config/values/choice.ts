import * as z from 'zod';
import { must } from './shown.ts';

export interface ChoiceKey<Choice extends string> {
  readonly of: readonly [Choice, ...Choice[]];
  readonly default: NoInfer<Choice>;
  readonly meaning: string;
  /** Replaces the message for a value that is not among the choices. */
  readonly refusal?: (written: string) => string;
}

export function choice<const Choice extends string>({ of, default: fallback, meaning, refusal }: ChoiceKey<Choice>) {
  const rule = must(of.length === 1 ? of[0] : `one of ${of.join(', ')}`);
  return z
    .enum(of, {
      error: (issue) => (refusal && typeof issue.input === 'string' ? refusal(issue.input) : rule.error(issue)),
    })
    .prefault(fallback)
    .describe(meaning);
}
