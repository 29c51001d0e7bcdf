/** The import module of WASI preview 1. */
export const WASI_MODULE = 'wasi_snapshot_preview1';

interface Signature {
  readonly params: readonly ('i32' | 'i64')[];
  readonly results: readonly 'i32'[];
}

/** Every function but `proc_exit` returns an errno. */
function errno<const P extends readonly ('i32' | 'i64')[]>(
  ...params: P
): { readonly params: P; readonly results: readonly ['i32'] } {
  return { params, results: ['i32'] };
}

/**
 * The exact list of what a module may import, with the signatures of the WASI preview 1 ABI
 * (WebAssembly/WASI, `legacy/preview1/witx/wasi_snapshot_preview1.witx`).
 */
export const WASI_SIGNATURES = {
  args_get: errno('i32', 'i32'),
  args_sizes_get: errno('i32', 'i32'),
  environ_get: errno('i32', 'i32'),
  environ_sizes_get: errno('i32', 'i32'),
  clock_res_get: errno('i32', 'i32'),
  clock_time_get: errno('i32', 'i64', 'i32'),
  fd_advise: errno('i32', 'i64', 'i64', 'i32'),
  fd_allocate: errno('i32', 'i64', 'i64'),
  fd_close: errno('i32'),
  fd_datasync: errno('i32'),
  fd_fdstat_get: errno('i32', 'i32'),
  fd_fdstat_set_flags: errno('i32', 'i32'),
  fd_fdstat_set_rights: errno('i32', 'i64', 'i64'),
  fd_filestat_get: errno('i32', 'i32'),
  fd_filestat_set_size: errno('i32', 'i64'),
  fd_filestat_set_times: errno('i32', 'i64', 'i64', 'i32'),
  fd_pread: errno('i32', 'i32', 'i32', 'i64', 'i32'),
  fd_prestat_get: errno('i32', 'i32'),
  fd_prestat_dir_name: errno('i32', 'i32', 'i32'),
  fd_pwrite: errno('i32', 'i32', 'i32', 'i64', 'i32'),
  fd_read: errno('i32', 'i32', 'i32', 'i32'),
  fd_readdir: errno('i32', 'i32', 'i32', 'i64', 'i32'),
  fd_renumber: errno('i32', 'i32'),
  fd_seek: errno('i32', 'i64', 'i32', 'i32'),
  fd_sync: errno('i32'),
  fd_tell: errno('i32', 'i32'),
  fd_write: errno('i32', 'i32', 'i32', 'i32'),
  path_create_directory: errno('i32', 'i32', 'i32'),
  path_filestat_get: errno('i32', 'i32', 'i32', 'i32', 'i32'),
  path_filestat_set_times: errno('i32', 'i32', 'i32', 'i32', 'i64', 'i64', 'i32'),
  path_link: errno('i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'i32'),
  path_open: errno('i32', 'i32', 'i32', 'i32', 'i32', 'i64', 'i64', 'i32', 'i32'),
  path_readlink: errno('i32', 'i32', 'i32', 'i32', 'i32', 'i32'),
  path_remove_directory: errno('i32', 'i32', 'i32'),
  path_rename: errno('i32', 'i32', 'i32', 'i32', 'i32', 'i32'),
  path_symlink: errno('i32', 'i32', 'i32', 'i32', 'i32'),
  path_unlink_file: errno('i32', 'i32', 'i32'),
  poll_oneoff: errno('i32', 'i32', 'i32', 'i32'),
  proc_exit: { params: ['i32'], results: [] },
  proc_raise: errno('i32'),
  sched_yield: errno(),
  random_get: errno('i32', 'i32'),
  sock_accept: errno('i32', 'i32', 'i32'),
  sock_recv: errno('i32', 'i32', 'i32', 'i32', 'i32', 'i32'),
  sock_send: errno('i32', 'i32', 'i32', 'i32', 'i32'),
  sock_shutdown: errno('i32', 'i32'),
} as const satisfies Readonly<Record<string, Signature>>;

export type WasiName = keyof typeof WASI_SIGNATURES;

type Values<P extends readonly ('i32' | 'i64')[]> = { -readonly [K in keyof P]: P[K] extends 'i64' ? bigint : number };

/**
 * The functions as JavaScript sees them: an i32 arrives as a signed number, an i64 as a signed bigint. They return an
 * errno, and throw `WasiError` (which becomes one) or `InstanceEnded`.
 */
export type WasiFunctions = {
  readonly [K in WasiName]: (...args: Values<(typeof WASI_SIGNATURES)[K]['params']>) => number;
};
