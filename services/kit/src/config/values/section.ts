import * as z from 'zod';
import { must } from './shown.ts';

/** A closed set of keys, every one with its own default; so the section itself may be left out. */
export function section<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? undefined : must('a section of keys').error(issue)),
  });
}
