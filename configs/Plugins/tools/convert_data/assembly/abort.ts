import { STDERR, writeAll } from './stdio';
import { proc_exit } from './wasi_snapshot_preview1';

/** sysexits.h EX_SOFTWARE. */
const EXIT_SOFTWARE: i32 = 70;

/** Where the compiler sends what should be impossible, an index out of range for one: a crash, not a result. */
export function abort(message: string | null, file: string | null, line: u32, column: u32): void {
  const what = message === null ? 'aborted' : message;
  const where = file === null ? '' : ` at ${file}:${line.toString()}:${column.toString()}`;
  writeAll(STDERR, `${what + where}\n`);
  proc_exit(EXIT_SOFTWARE);
}
