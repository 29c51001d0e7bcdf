import { ERRNO } from './abi.ts';
import type { GuestMemory } from './guest-memory.ts';
import type { WasiFunctions } from './signatures.ts';

type ArgsEnvFunctions = Pick<WasiFunctions, 'args_get' | 'args_sizes_get' | 'environ_get' | 'environ_sizes_get'>;

/** Arguments and environment, each a list of texts without NUL, already in UTF-8 and NUL-terminated. */
export interface ArgsEnv {
  readonly args: readonly Uint8Array[];
  readonly env: readonly Uint8Array[];
}

export function createArgsEnv(memory: GuestMemory, { args, env }: ArgsEnv): ArgsEnvFunctions {
  return {
    args_get: (pointers, text) => writeList(memory, args, pointers, text),
    args_sizes_get: (count, size) => writeSizes(memory, args, count, size),
    environ_get: (pointers, text) => writeList(memory, env, pointers, text),
    environ_sizes_get: (count, size) => writeSizes(memory, env, count, size),
  };
}

function writeList(memory: GuestMemory, list: readonly Uint8Array[], pointers: number, text: number): number {
  let at = text >>> 0;
  for (const [index, item] of list.entries()) {
    memory.bytes(at, item.length).set(item);
    memory.setU32((pointers >>> 0) + index * 4, at);
    at += item.length;
  }
  return ERRNO.success;
}

function writeSizes(memory: GuestMemory, list: readonly Uint8Array[], count: number, size: number): number {
  memory.setU32(count, list.length);
  memory.setU32(
    size,
    list.reduce((total, item) => total + item.length, 0),
  );
  return ERRNO.success;
}
