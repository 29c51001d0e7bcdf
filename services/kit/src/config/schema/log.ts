import { choice } from '../values/choice.ts';
import { section } from '../values/section.ts';

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;

export function logSchema() {
  return section({
    level: choice({ of: LOG_LEVELS, default: 'info', meaning: 'Least severe level that is written.' }),
    format: choice({
      of: ['json', 'pretty'],
      default: 'json',
      meaning: 'json: one object a line; pretty: for a person at a terminal.',
    }),
  })
    .prefault({})
    .describe('What the services write to standard error.');
}
