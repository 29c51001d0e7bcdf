import { duration } from '../values/duration.ts';
import { wholeNumber } from '../values/whole-number.ts';

/** Keys that the two services have in common; `toServerLimits` turns what was read into what they use. */
export function serverLimitKeys() {
  return {
    max_message_mb: wholeNumber({ min: 2, max: 256, default: 16, meaning: 'MiB of the largest gRPC message, either way.' }),
    max_calls_in_flight: wholeNumber({
      min: 1,
      max: 1_000_000,
      default: 1024,
      meaning: 'Tool calls at work or waiting at one time; a further one is answered RESOURCE_EXHAUSTED.',
    }),
    drain_timeout: duration({
      min: 0,
      max: 3_600_000,
      default: '20s',
      meaning: 'How long a stopping service lets its calls finish before it cancels them.',
    }),
  };
}

export function toServerLimits(read: { max_message_mb: number; max_calls_in_flight: number; drain_timeout: number }) {
  return {
    maxMessageMb: read.max_message_mb,
    maxCallsInFlight: read.max_calls_in_flight,
    drainTimeoutMs: read.drain_timeout,
  };
}
