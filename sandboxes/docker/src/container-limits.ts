import { type Limits, ToolCallError } from '@yuanbot/contract';

/** The kernel schedules no share smaller than 1 ms of the engine's period of 100 ms, in cores. */
const MIN_CPUS = 0.01;

/** `value`, where it is a limit at all: to the engine 0 and less mean that there is none. Else ERR_SANDBOX_START. */
export function requirePositiveInteger(what: string, value: number): number {
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new ToolCallError('ERR_SANDBOX_START', `The ${what} must be limited to a whole number of at least 1, not ${value}.`);
}

/** Refuses with ERR_SANDBOX_START limits of which one would be none, or not the one that is meant. */
export function requireLimits(limits: Limits): void {
  requirePositiveInteger('time of a tool in ms', limits.timeoutMs);
  requirePositiveInteger('memory of a tool in MiB', limits.memoryMb);
  requirePositiveInteger('processes of a tool', limits.pids);
  requirePositiveInteger('output of a tool in bytes', limits.outputBytes);
  if (!Number.isFinite(limits.cpus) || limits.cpus <= 0) {
    throw new ToolCallError('ERR_SANDBOX_START', `The CPU of a tool must be limited to a number over 0, not ${limits.cpus}.`);
  }
}

/** CPU in 10⁻⁹ cores: what is asked for, no more than the machine has (the engine refuses that), and never 0, which is no limit. */
export function nanoCpus(cpus: number, machineCpus: number): number {
  return Math.round(Math.max(MIN_CPUS, Math.min(cpus, machineCpus)) * 1e9);
}
