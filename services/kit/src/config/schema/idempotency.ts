import { duration } from '../values/duration.ts';
import { section } from '../values/section.ts';
import { wholeNumber } from '../values/whole-number.ts';

/** Both services remember outcomes: an orchestrator that died after handing a call over causes no second run. */
export function idempotencySchema() {
  return section({
    ttl: duration({
      min: 1000,
      max: 86_400_000,
      default: '10m',
      meaning: 'How long the outcome of a call with an invocation id of the caller is remembered, so that a repeat runs nothing.',
    }),
    cache_mb: wholeNumber({
      min: 1,
      max: 65_536,
      default: 64,
      meaning: 'MiB of remembered outcomes; beyond it the oldest go, and a repeat of one that went is refused, never run again.',
    }),
  })
    .transform((read) => ({ ttlMs: read.ttl, cacheMb: read.cache_mb }))
    .prefault({})
    .describe('What is remembered of calls by their invocation id.');
}
