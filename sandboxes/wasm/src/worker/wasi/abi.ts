/** Numbers of the WASI preview 1 ABI that this implementation answers with or understands (`typenames.witx`). */
export const ERRNO = {
  success: 0,
  badf: 8,
  fault: 21,
  ilseq: 25,
  inval: 28,
  isdir: 31,
  mfile: 33,
  nametoolong: 37,
  noent: 44,
  nosys: 52,
  notdir: 54,
  notsock: 57,
  notsup: 58,
  spipe: 70,
  notcapable: 76,
} as const;

export type Errno = (typeof ERRNO)[keyof typeof ERRNO];

export const FILETYPE = { unknown: 0, directory: 3, regularFile: 4 } as const;

const bit = (index: number): bigint => 1n << BigInt(index);

const RIGHT = {
  fdRead: bit(1),
  fdSeek: bit(2),
  fdTell: bit(5),
  fdWrite: bit(6),
  fdAdvise: bit(7),
  pathOpen: bit(13),
  fdReaddir: bit(14),
  pathReadlink: bit(15),
  pathFilestatGet: bit(18),
  fdFilestatGet: bit(21),
  pollFdReadwrite: bit(27),
} as const;

const FILE_RIGHTS = RIGHT.fdRead | RIGHT.fdSeek | RIGHT.fdTell | RIGHT.fdAdvise | RIGHT.fdFilestatGet | RIGHT.pollFdReadwrite;

/** What can be done with each kind of descriptor. Nothing can be written but the two outputs. */
export const RIGHTS = {
  input: RIGHT.fdRead | RIGHT.fdFilestatGet | RIGHT.pollFdReadwrite,
  output: RIGHT.fdWrite | RIGHT.fdFilestatGet | RIGHT.pollFdReadwrite,
  file: FILE_RIGHTS,
  directory: RIGHT.pathOpen | RIGHT.fdReaddir | RIGHT.pathReadlink | RIGHT.pathFilestatGet | RIGHT.fdFilestatGet,
} as const;

/** Asking for one of these when a file is opened is asking to change it. */
export const WRITE_RIGHTS = RIGHT.fdWrite;

/** What `path_open` may be asked for in its flags. */
export const OFLAG = { create: 1, directory: 2, exclusive: 4, truncate: 8 } as const;

export const EVENT = { clock: 0, fdRead: 1, fdWrite: 2 } as const;

export const WHENCE = { set: 0, current: 1, end: 2 } as const;

/**
 * All `fdflags` together: append, dsync, nonblock, rsync, sync. Each holds by itself here (outputs append, nothing blocks,
 * nothing is buffered), so they are accepted and not kept.
 */
export const MAX_FDFLAGS = 0x1f;
