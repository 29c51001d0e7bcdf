import * as z from 'zod';
import { must } from './shown.ts';

export interface WholeNumberKey {
  readonly min: number;
  readonly max: number;
  readonly default: number;
  readonly meaning: string;
}

export function wholeNumber({ min, max, default: fallback, meaning }: WholeNumberKey) {
  const rule = must(`a whole number from ${min} to ${max}`);
  return z.int(rule).min(min, rule).max(max, rule).prefault(fallback).describe(meaning);
}
