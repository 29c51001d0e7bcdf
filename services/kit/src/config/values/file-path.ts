import { resolve } from 'node:path';
import * as z from 'zod';
import { must } from './shown.ts';

export interface FilePathKey {
  readonly default: string;
  readonly meaning: string;
  /** Relative paths are taken here; without it they are refused. */
  readonly base?: string;
}

const ANY_PATH = /^[^\p{Cc}]+$/u;
const ABSOLUTE_PATH = /^\/[^\p{Cc}]*$/u;

/** A file or folder; an absolute path once read. */
export function filePath({ default: fallback, meaning, base }: FilePathKey) {
  const rule = must(base === undefined ? 'an absolute path' : 'a path');
  return z
    .string(rule)
    .regex(base === undefined ? ABSOLUTE_PATH : ANY_PATH, rule)
    .transform((written) => resolve(base ?? '/', written))
    .prefault(fallback)
    .describe(meaning);
}
