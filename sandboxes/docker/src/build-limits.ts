import { requirePositiveInteger } from './container-limits.ts';

const MIB = 1024 * 1024;
/** A RUN step may use one CPU: this share, in µs, of each period, in µs. */
const CPU_QUOTA_US = 100_000;
const CPU_PERIOD_US = 100_000;
/** The largest file that a RUN step may write, in bytes: 1 GiB. Large wheels and archives of compilers fit. */
const MAX_FILE_BYTES = 1024 * MIB;
/** Open files a process; package managers open some thousands. */
const MAX_OPEN_FILES = 8_192;
/** Processes of the step's user. The kernel does not count those of root. */
const MAX_PROCESSES = 1_024;
/** /dev/shm of a RUN step, in bytes. Counts against its memory as it fills. */
const SHM_BYTES = 16 * MIB;

/**
 * What a RUN step may use, as the options of the engine's build. Every limit the classic builder takes is here; it
 * has none for:
 *
 * - the processes of root (`PidsLimit` is no option of a build, and nproc does not hold root). What bounds them is
 *   the memory, which a process takes some of, and the time of the build;
 * - the disk in all: each file is bounded, their number is not. What bounds it is the time of the build.
 *
 * An operator who needs more gives the engine a disk (`data-root`) of its own. Throws ERR_SANDBOX_START for a
 * `memoryMb` (MiB) that the engine would take for no limit.
 */
export function buildLimits(memoryMb: number) {
  const memory = requirePositiveInteger('memory of a build', memoryMb) * MIB;
  return {
    memory,
    memswap: memory,
    cpuperiod: CPU_PERIOD_US,
    cpuquota: CPU_QUOTA_US,
    shmsize: SHM_BYTES,
    // The client sends a list as something else than JSON.
    ulimits: JSON.stringify([
      { Name: 'fsize', Soft: MAX_FILE_BYTES, Hard: MAX_FILE_BYTES },
      { Name: 'nofile', Soft: MAX_OPEN_FILES, Hard: MAX_OPEN_FILES },
      { Name: 'nproc', Soft: MAX_PROCESSES, Hard: MAX_PROCESSES },
      { Name: 'core', Soft: 0, Hard: 0 },
    ]),
  };
}
