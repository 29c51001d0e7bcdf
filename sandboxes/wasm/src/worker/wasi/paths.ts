import { ERRNO, MAX_FDFLAGS, OFLAG, WRITE_RIGHTS } from './abi.ts';
import type { Descriptors } from './descriptors.ts';
import { writeFilestat } from './filestat.ts';
import type { GuestMemory } from './guest-memory.ts';
import type { ResourceNode } from './resource-tree.ts';
import type { WasiFunctions } from './signatures.ts';
import { WasiError } from './wasi-error.ts';

type PathFunctions = Pick<
  WasiFunctions,
  | 'path_create_directory'
  | 'path_filestat_get'
  | 'path_filestat_set_times'
  | 'path_link'
  | 'path_open'
  | 'path_readlink'
  | 'path_remove_directory'
  | 'path_rename'
  | 'path_symlink'
  | 'path_unlink_file'
>;

const CHANGING_OFLAGS = OFLAG.create | OFLAG.exclusive | OFLAG.truncate;

/** PATH_MAX of Linux. */
const MAX_PATH_BYTES = 4_096;

/** Looking up and opening the tool's resources. They are read-only and hold no links; nothing leads out of them. */
export function createPaths(memory: GuestMemory, descriptors: Descriptors): PathFunctions {
  /**
   * The node that a path names, from the directory `fd`. ENOTCAPABLE for an absolute path and for any `..`, even one
   * that would stay inside: no tool needs it, and no rule about "inside" can then be wrong.
   */
  function lookup(fd: number, pointer: number, length: number): ResourceNode {
    const path = readPath(memory, pointer, length);
    let node: ResourceNode = descriptors.directory(fd).node;
    if (path.startsWith('/')) throw new WasiError(ERRNO.notcapable);
    const segments = path.split('/');
    if (segments.includes('..')) throw new WasiError(ERRNO.notcapable);
    for (const segment of segments) {
      // Also for an empty last segment: a trailing slash wants a directory.
      if (node.kind !== 'directory') throw new WasiError(ERRNO.notdir);
      if (segment === '' || segment === '.') continue;
      const child: ResourceNode | undefined = node.children.get(segment);
      if (child === undefined) throw new WasiError(ERRNO.noent);
      node = child;
    }
    return node;
  }

  const refuseChange = (fd: number): number => {
    descriptors.directory(fd);
    return ERRNO.notcapable;
  };

  return {
    path_open(fd, _lookupFlags, pointer, length, oflags, rights, _inheriting, fdflags, result) {
      descriptors.directory(fd);
      if ((oflags & CHANGING_OFLAGS) !== 0 || (rights & WRITE_RIGHTS) !== 0n) return ERRNO.notcapable;
      const node = lookup(fd, pointer, length);
      if ((oflags & OFLAG.directory) !== 0 && node.kind !== 'directory') return ERRNO.notdir;
      if (fdflags >>> 0 > MAX_FDFLAGS) return ERRNO.inval;
      memory.bytes(result, 4);
      const opened = descriptors.add(
        node.kind === 'file' ? { kind: 'file', node, position: 0 } : { kind: 'directory', node, preopen: undefined },
      );
      memory.setU32(result, opened);
      return ERRNO.success;
    },
    path_filestat_get(fd, _lookupFlags, pointer, length, result) {
      writeFilestat(memory, result, lookup(fd, pointer, length));
      return ERRNO.success;
    },
    /** EINVAL for what is there: it is no link. */
    path_readlink(fd, pointer, length) {
      lookup(fd, pointer, length);
      return ERRNO.inval;
    },
    path_create_directory: refuseChange,
    path_filestat_set_times: refuseChange,
    path_link: refuseChange,
    path_remove_directory: refuseChange,
    path_rename: refuseChange,
    path_symlink: (_target, _targetLength, fd) => refuseChange(fd),
    path_unlink_file: refuseChange,
  };
}

/** ENAMETOOLONG beyond PATH_MAX, EILSEQ for what is not UTF-8, EINVAL for a NUL, ENOENT for nothing. */
function readPath(memory: GuestMemory, pointer: number, length: number): string {
  if (length >>> 0 > MAX_PATH_BYTES) throw new WasiError(ERRNO.nametoolong);
  const bytes = memory.bytes(pointer, length);
  if (bytes.length === 0) throw new WasiError(ERRNO.noent);
  if (bytes.includes(0)) throw new WasiError(ERRNO.inval);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new WasiError(ERRNO.ilseq);
  }
}
