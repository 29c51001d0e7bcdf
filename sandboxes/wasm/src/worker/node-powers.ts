import { randomFillSync } from 'node:crypto';
import type { WasmRuntimePowers } from './wasm-runtime.ts';

/** Node's clocks, randomness and thread sleep. `collectGarbage` is `globalThis.gc` of a process with `--expose-gc`. */
export function createNodePowers(collectGarbage: () => void): WasmRuntimePowers {
  const neverNotified = new Int32Array(new SharedArrayBuffer(4));
  return {
    now: () => Date.now(),
    monotonicNow: () => performance.now(),
    fillRandom: (view) => {
      randomFillSync(view);
    },
    /** Ending the thread interrupts this wait. */
    sleep: (ms) => {
      Atomics.wait(neverNotified, 0, 0, ms);
    },
    collectGarbage,
    // Two turns: the host sends a call's result in the next one.
    defer: (task) => {
      setImmediate(() => setImmediate(task));
    },
  };
}
