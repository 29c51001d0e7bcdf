import { fileURLToPath } from 'node:url';
import type { SandboxKind } from '@yuanbot/contract';
import { createProcessIsolation, type Isolation } from './isolation.ts';

export interface HostPoolOptions {
  /** Whose pool it is: in messages and in `describe()`. */
  readonly kind: SandboxKind;
  /** Absolute path of the module that each worker thread loads; it calls `serveRuntime`. */
  readonly workerModule: string;
  /** Absolute path of the node binary. */
  readonly nodePath: string;
  /** The host process's entry, where it is bundled; by default the one in this package. */
  readonly entry?: string;
  readonly hosts?: number;
  readonly workersPerHost?: number;
  /** Threads that one place may have, one after the other, before its whole process is replaced. Each costs a socket. */
  readonly livesPerWorker?: number;
  /** Flags of node and V8 for the host processes. */
  readonly nodeFlags?: readonly string[];
  readonly isolation?: Isolation;
  /** The memory class workers start with, in MiB: that of most calls. */
  readonly defaultMemoryMb?: number;
  /** A call that asks for more is refused. */
  readonly maxMemoryMb?: number;
  /** Artifacts and resources kept in each worker, in bytes. */
  readonly programCacheBytes?: number;
  /** Calls that may wait; one more is ERR_POOL_EXHAUSTED. */
  readonly maxQueue?: number;
  /** A call that waited this long is ERR_POOL_EXHAUSTED. */
  readonly queueTimeoutMs?: number;
  /** Making a program ready in a worker may take this long; it does not count as the tool's time. */
  readonly prepareTimeoutMs?: number;
  /** The largest message of either side, in bytes: artifacts go through whole. */
  readonly maxPayloadBytes?: number;
  /** What happens to processes and workers, for logs and metrics. Must not throw. */
  readonly onEvent?: (event: HostEvent) => void;
}

export type HostEvent =
  | { readonly type: 'host_started'; readonly pid: number }
  | { readonly type: 'host_ended'; readonly pid: number; readonly cause: string; readonly stderr: string }
  | { readonly type: 'worker_ready'; readonly pid: number; readonly worker: number }
  | { readonly type: 'worker_ended'; readonly pid: number; readonly worker: number; readonly cause: string }
  | { readonly type: 'call_rerun'; readonly invocationId: string };

export type PoolSettings = Required<HostPoolOptions>;

const MIB = 1024 * 1024;

/** Fills in the defaults: two processes, so that one can be replaced while the other serves. */
export function withDefaults(options: HostPoolOptions): PoolSettings {
  return {
    entry: fileURLToPath(new URL('./process/main.ts', import.meta.url)),
    hosts: 2,
    workersPerHost: 2,
    livesPerWorker: 16,
    nodeFlags: [],
    isolation: createProcessIsolation(),
    defaultMemoryMb: 64,
    maxMemoryMb: 1024,
    programCacheBytes: 64 * MIB,
    maxQueue: 1024,
    queueTimeoutMs: 30_000,
    prepareTimeoutMs: 10_000,
    maxPayloadBytes: 64 * MIB,
    onEvent: () => {},
    ...options,
  };
}
