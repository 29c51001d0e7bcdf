import type { Errno } from './abi.ts';

/** A WASI function's failure: the module sees `errno` as the function's return value. */
export class WasiError extends Error {
  override readonly name = 'WasiError';
  readonly errno: Errno;

  constructor(errno: Errno) {
    super(`errno ${errno}`);
    this.errno = errno;
  }
}
