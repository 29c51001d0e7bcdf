import { ERRNO, MAX_FDFLAGS, RIGHTS, WHENCE } from './abi.ts';
import type { Descriptor, Descriptors } from './descriptors.ts';
import { filetypeOf, nodeOf, writeFilestat } from './filestat.ts';
import type { GuestMemory } from './guest-memory.ts';
import type { WasiFunctions } from './signatures.ts';

type FdFunctions = Pick<
  WasiFunctions,
  | 'fd_advise'
  | 'fd_allocate'
  | 'fd_close'
  | 'fd_datasync'
  | 'fd_fdstat_get'
  | 'fd_fdstat_set_flags'
  | 'fd_fdstat_set_rights'
  | 'fd_filestat_get'
  | 'fd_filestat_set_size'
  | 'fd_filestat_set_times'
  | 'fd_prestat_get'
  | 'fd_prestat_dir_name'
  | 'fd_renumber'
  | 'fd_seek'
  | 'fd_sync'
  | 'fd_tell'
>;

const FDSTAT_BYTES = 24;

/** Descriptors as such: what they are, where they stand, closing and renumbering. Reading and writing: `fd-io.ts`. */
export function createFds(memory: GuestMemory, descriptors: Descriptors): FdFunctions {
  const refuseChange = (fd: number): number => {
    descriptors.get(fd);
    return ERRNO.notcapable;
  };
  const allow = (fd: number): number => {
    descriptors.get(fd);
    return ERRNO.success;
  };

  return {
    fd_advise: allow,
    fd_allocate: refuseChange,
    fd_datasync: allow,
    fd_sync: allow,
    fd_filestat_set_size: refuseChange,
    fd_filestat_set_times: refuseChange,
    fd_close(fd) {
      descriptors.close(fd);
      return ERRNO.success;
    },
    fd_renumber(from, to) {
      descriptors.renumber(from, to);
      return ERRNO.success;
    },
    fd_fdstat_get(fd, result) {
      const descriptor = descriptors.get(fd);
      const at = result >>> 0;
      memory.bytes(at, FDSTAT_BYTES).fill(0);
      memory.setU8(at, filetypeOf(nodeOf(descriptor)));
      memory.setU64(at + 8, RIGHTS[descriptor.kind]);
      if (descriptor.kind === 'directory') memory.setU64(at + 16, RIGHTS.directory | RIGHTS.file);
      return ERRNO.success;
    },
    fd_fdstat_set_flags(fd, flags) {
      descriptors.get(fd);
      return flags >>> 0 > MAX_FDFLAGS ? ERRNO.inval : ERRNO.success;
    },
    fd_fdstat_set_rights(fd) {
      descriptors.get(fd);
      return ERRNO.notsup;
    },
    fd_filestat_get(fd, result) {
      writeFilestat(memory, result, nodeOf(descriptors.get(fd)));
      return ERRNO.success;
    },
    fd_prestat_get(fd, result) {
      const name = preopenName(descriptors.get(fd));
      if (name === undefined) return ERRNO.badf;
      // Tag 0, a directory, and the length of its name.
      memory.setU32(result, 0);
      memory.setU32((result >>> 0) + 4, name.length);
      return ERRNO.success;
    },
    fd_prestat_dir_name(fd, pointer, length) {
      const name = preopenName(descriptors.get(fd));
      if (name === undefined) return ERRNO.badf;
      if (length >>> 0 < name.length) return ERRNO.nametoolong;
      memory.bytes(pointer, name.length).set(name);
      return ERRNO.success;
    },
    fd_seek(fd, offset, whence, result) {
      const descriptor = descriptors.get(fd);
      if (descriptor.kind === 'directory') return ERRNO.isdir;
      if (descriptor.kind !== 'file') return ERRNO.spipe;
      const bases: Readonly<Record<number, number>> = {
        [WHENCE.set]: 0,
        [WHENCE.current]: descriptor.position,
        [WHENCE.end]: descriptor.node.content.length,
      };
      const base = bases[whence];
      if (base === undefined) return ERRNO.inval;
      const position = BigInt(base) + offset;
      if (position < 0n || position > BigInt(Number.MAX_SAFE_INTEGER)) return ERRNO.inval;
      memory.setU64(result, position);
      descriptor.position = Number(position);
      return ERRNO.success;
    },
    fd_tell(fd, result) {
      const descriptor = descriptors.get(fd);
      if (descriptor.kind !== 'file') return ERRNO.spipe;
      memory.setU64(result, BigInt(descriptor.position));
      return ERRNO.success;
    },
  };
}

function preopenName(descriptor: Descriptor): Uint8Array | undefined {
  if (descriptor.kind !== 'directory' || descriptor.preopen === undefined) return undefined;
  return new TextEncoder().encode(descriptor.preopen);
}
