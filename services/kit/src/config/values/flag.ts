import * as z from 'zod';
import { must } from './shown.ts';

export function flag({ default: fallback, meaning }: { readonly default: boolean; readonly meaning: string }) {
  return z.boolean(must('true or false')).prefault(fallback).describe(meaning);
}
