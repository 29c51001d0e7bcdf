import { ERRNO, EVENT } from './abi.ts';
import { type ClockPower, readClock } from './clocks.ts';
import type { Descriptors } from './descriptors.ts';
import type { GuestMemory } from './guest-memory.ts';
import type { WasiFunctions } from './signatures.ts';
import { WasiError } from './wasi-error.ts';

/** Blocks the thread for so many milliseconds; ending the thread ends it. */
export type Sleep = (ms: number) => void;

/** A tool has three descriptors and a clock or two to wait for. */
const MAX_SUBSCRIPTIONS = 64;
const SUBSCRIPTION_BYTES = 48;
const EVENT_BYTES = 32;
const ABSOLUTE_TIME = 1;
const NS_PER_MS = 1_000_000n;

/** Far beyond any call's time limit, and small enough for every timer. */
const MAX_SLEEP_MS = 86_400_000;

interface PollEvent {
  readonly userdata: bigint;
  readonly type: number;
  readonly errno: number;
  /** Bytes that can be read at once. */
  readonly available: number;
}

interface Timer {
  readonly event: PollEvent;
  readonly waitMs: number;
}

export function createPoll(
  memory: GuestMemory,
  descriptors: Descriptors,
  clock: ClockPower,
  sleep: Sleep,
): Pick<WasiFunctions, 'poll_oneoff'> {
  function readTimer(subscription: number, userdata: bigint): Timer {
    const timeout = memory.u64(subscription + 24);
    const absolute = (memory.u16(subscription + 40) & ABSOLUTE_TIME) !== 0;
    const now = readClock(clock, memory.u32(subscription + 16));
    const waitNs = absolute ? timeout - now : timeout;
    const waitMs = Math.max(0, Math.min(Number((waitNs + NS_PER_MS - 1n) / NS_PER_MS), MAX_SLEEP_MS));
    return { event: { userdata, type: EVENT.clock, errno: ERRNO.success, available: 0 }, waitMs };
  }

  /** Input is there from the start and outputs never block: a descriptor is always ready. */
  function readyEvent(subscription: number, userdata: bigint, type: number): PollEvent {
    const descriptor = descriptors.get(memory.u32(subscription + 16));
    const available = descriptor.kind === 'input' ? descriptor.content.length - descriptor.position : 0;
    return { userdata, type, errno: ERRNO.success, available };
  }

  function writeEvents(out: number, events: readonly PollEvent[], result: number): number {
    for (const [index, event] of events.entries()) {
      const at = (out >>> 0) + index * EVENT_BYTES;
      memory.bytes(at, EVENT_BYTES).fill(0);
      memory.setU64(at, event.userdata);
      memory.setU16(at + 8, event.errno);
      memory.setU8(at + 10, event.type);
      memory.setU64(at + 16, BigInt(event.available));
    }
    memory.setU32(result, events.length);
    return ERRNO.success;
  }

  return {
    poll_oneoff(subscriptions, out, count, result) {
      const length = count >>> 0;
      if (length === 0 || length > MAX_SUBSCRIPTIONS) return ERRNO.inval;
      const events: PollEvent[] = [];
      const timers: Timer[] = [];
      for (let index = 0; index < length; index++) {
        const at = (subscriptions >>> 0) + index * SUBSCRIPTION_BYTES;
        const userdata = memory.u64(at);
        const type = memory.u8(at + 8);
        try {
          if (type === EVENT.clock) timers.push(readTimer(at, userdata));
          else if (type === EVENT.fdRead || type === EVENT.fdWrite) events.push(readyEvent(at, userdata, type));
          else return ERRNO.inval;
        } catch (error) {
          // A bad clock or descriptor fails its own subscription; a pointer outside memory fails the call.
          if (!(error instanceof WasiError) || error.errno === ERRNO.fault) throw error;
          events.push({ userdata, type, errno: error.errno, available: 0 });
        }
      }
      const waitMs = events.length > 0 ? 0 : Math.min(...timers.map((timer) => timer.waitMs));
      if (waitMs > 0) sleep(waitMs);
      events.push(...timers.filter((timer) => timer.waitMs <= waitMs).map(({ event }) => event));
      return writeEvents(out, events, result);
    },
  };
}
