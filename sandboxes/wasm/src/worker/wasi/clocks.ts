import { ERRNO } from './abi.ts';
import type { GuestMemory } from './guest-memory.ts';
import type { WasiFunctions } from './signatures.ts';
import { WasiError } from './wasi-error.ts';

type ClockFunctions = Pick<WasiFunctions, 'clock_res_get' | 'clock_time_get'>;

/** Milliseconds: since 1970, and from an arbitrary start that never goes back. */
export interface ClockPower {
  now(): number;
  monotonicNow(): number;
}

const CLOCK = { realtime: 0, monotonic: 1 } as const;

/**
 * Both clocks tick in whole milliseconds. A finer clock tells a module what its neighbours' code does to the caches of
 * the machine, and no tool needs one.
 */
const NS_PER_TICK = 1_000_000n;

export function createClocks(memory: GuestMemory, power: ClockPower): ClockFunctions {
  return {
    clock_res_get(id, result) {
      readClock(power, id);
      memory.setU64(result, NS_PER_TICK);
      return ERRNO.success;
    },
    clock_time_get(id, _precision, result) {
      memory.setU64(result, readClock(power, id));
      return ERRNO.success;
    },
  };
}

/** The time of clock `id` in nanoseconds. EINVAL for the CPU-time clocks, which a thread among others cannot tell. */
export function readClock(power: ClockPower, id: number): bigint {
  switch (id) {
    case CLOCK.realtime:
      return BigInt(Math.floor(power.now())) * NS_PER_TICK;
    case CLOCK.monotonic:
      return BigInt(Math.floor(power.monotonicNow())) * NS_PER_TICK;
    default:
      throw new WasiError(ERRNO.inval);
  }
}
