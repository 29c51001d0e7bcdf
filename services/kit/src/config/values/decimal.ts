import * as z from 'zod';
import { must } from './shown.ts';

export interface DecimalKey {
  readonly min: number;
  readonly max: number;
  readonly default: number;
  readonly meaning: string;
}

export function decimal({ min, max, default: fallback, meaning }: DecimalKey) {
  const rule = must(`a number from ${min} to ${max}`);
  return z.number(rule).min(min, rule).max(max, rule).prefault(fallback).describe(meaning);
}
