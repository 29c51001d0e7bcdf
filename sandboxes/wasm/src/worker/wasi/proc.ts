import { ERRNO } from './abi.ts';
import type { InstanceEnd } from './instance-end.ts';
import type { WasiFunctions } from './signatures.ts';

type ProcFunctions = Pick<WasiFunctions, 'proc_exit' | 'proc_raise' | 'sched_yield'>;

export function createProc(instanceEnd: InstanceEnd): ProcFunctions {
  return {
    /** Ends this instance, never the thread or process it runs in. */
    proc_exit: (code) => instanceEnd.end({ kind: 'exited', code: code >>> 0 }),
    /** There are no signals: `abort` of a libc falls back to a trap. */
    proc_raise: () => ERRNO.nosys,
    sched_yield: () => ERRNO.success,
  };
}
