import { type ArgsEnv, createArgsEnv } from './args-env.ts';
import { type ClockPower, createClocks } from './clocks.ts';
import type { Descriptors } from './descriptors.ts';
import { createFdIo } from './fd-io.ts';
import { createFds } from './fds.ts';
import { createGuestMemory } from './guest-memory.ts';
import type { InstanceEnd } from './instance-end.ts';
import { createPaths } from './paths.ts';
import { createPoll, type Sleep } from './poll.ts';
import { createProc } from './proc.ts';
import { createRandom, type FillRandom } from './random.ts';
import type { WasiFunctions, WasiName } from './signatures.ts';
import { createSockets } from './sockets.ts';
import { WasiError } from './wasi-error.ts';

/** What the outside lends to WASI. */
export interface WasiPowers extends ClockPower {
  readonly fillRandom: FillRandom;
  readonly sleep: Sleep;
}

export interface WasiInstance {
  readonly memory: WebAssembly.Memory;
  readonly argsEnv: ArgsEnv;
  readonly descriptors: Descriptors;
  readonly instanceEnd: InstanceEnd;
}

/**
 * The WASI functions that `names` asks for, for one instance, as an object without prototype. Complete: every function
 * of `WASI_SIGNATURES` exists. A `WasiError` becomes the errno that the module sees; once the instance has been ended,
 * every function throws.
 */
export function createWasiImports(
  names: readonly WasiName[],
  { memory, argsEnv, descriptors, instanceEnd }: WasiInstance,
  powers: WasiPowers,
): WebAssembly.ModuleImports {
  const guest = createGuestMemory(memory);
  const functions: WasiFunctions = {
    ...createArgsEnv(guest, argsEnv),
    ...createClocks(guest, powers),
    ...createFds(guest, descriptors),
    ...createFdIo(guest, descriptors, instanceEnd),
    ...createPaths(guest, descriptors),
    ...createPoll(guest, descriptors, powers, powers.sleep),
    ...createProc(instanceEnd),
    ...createRandom(guest, powers.fillRandom),
    ...createSockets(descriptors),
  };
  const imports: WebAssembly.ModuleImports = Object.create(null);
  for (const name of names) {
    const call = functions[name] as (...args: (number | bigint)[]) => number;
    imports[name] = (...args: (number | bigint)[]): number => {
      instanceEnd.check();
      try {
        return call(...args);
      } catch (error) {
        if (error instanceof WasiError) return error.errno;
        throw error;
      }
    };
  }
  return imports;
}
