import { readFileSync } from 'node:fs';

/**
 * Resident memory of a process in bytes, as the kernel counts it; 0 when the process is gone. Synchronous on
 * purpose: reading procfs waits for nothing, and a detour through the thread pool would be late when it matters.
 * `status` and not `statm`: it names its unit, where `statm` counts pages of a size Node does not tell.
 */
export function readResidentBytes(pid: number): number {
  try {
    const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
    return Number(kib ?? 0) * 1024;
  } catch {
    return 0;
  }
}
