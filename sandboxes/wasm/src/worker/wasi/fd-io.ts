import { ERRNO, FILETYPE } from './abi.ts';
import type { Descriptors, DirectoryDescriptor } from './descriptors.ts';
import { filetypeOf } from './filestat.ts';
import type { GuestMemory } from './guest-memory.ts';
import type { InstanceEnd } from './instance-end.ts';
import { totalBytes } from './outputs.ts';
import type { WasiFunctions } from './signatures.ts';

type FdIoFunctions = Pick<WasiFunctions, 'fd_pread' | 'fd_pwrite' | 'fd_read' | 'fd_readdir' | 'fd_write'>;

const DIRENT_BYTES = 24;

export function createFdIo(memory: GuestMemory, descriptors: Descriptors, instanceEnd: InstanceEnd): FdIoFunctions {
  /** Copies `content` from `position` into the buffers; returns how many bytes went. */
  function scatter(content: Uint8Array, position: number, buffers: readonly Uint8Array[]): number {
    let at = position;
    for (const buffer of buffers) {
      const piece = content.subarray(at, at + buffer.length);
      buffer.set(piece);
      at += piece.length;
      if (piece.length < buffer.length) break;
    }
    return at - position;
  }

  return {
    fd_read(fd, iovecs, count, result) {
      const descriptor = descriptors.get(fd);
      if (descriptor.kind === 'directory') return ERRNO.isdir;
      if (descriptor.kind === 'output') return ERRNO.badf;
      const content = descriptor.kind === 'input' ? descriptor.content : descriptor.node.content;
      const read = scatter(content, descriptor.position, memory.iovecs(iovecs, count));
      memory.setU32(result, read);
      descriptor.position += read;
      return ERRNO.success;
    },
    fd_pread(fd, iovecs, count, offset, result) {
      const descriptor = descriptors.get(fd);
      if (descriptor.kind === 'directory') return ERRNO.isdir;
      if (descriptor.kind !== 'file') return ERRNO.spipe;
      const { content } = descriptor.node;
      const from = BigInt.asUintN(64, offset);
      const position = from > BigInt(content.length) ? content.length : Number(from);
      memory.setU32(result, scatter(content, position, memory.iovecs(iovecs, count)));
      return ERRNO.success;
    },
    fd_write(fd, iovecs, count, result) {
      const descriptor = descriptors.get(fd);
      if (descriptor.kind !== 'output') return ERRNO.badf;
      const buffers = memory.iovecs(iovecs, count);
      const total = totalBytes(buffers);
      // More than an unsigned 32-bit answer can say; only lists that repeat the same bytes get there.
      if (total > 0xffff_ffff) return ERRNO.inval;
      if (!descriptor.output.write(buffers)) instanceEnd.end({ kind: 'output-limit' });
      memory.setU32(result, total);
      return ERRNO.success;
    },
    fd_pwrite(fd) {
      return descriptors.get(fd).kind === 'output' ? ERRNO.spipe : ERRNO.badf;
    },
    fd_readdir(fd, buffer, length, cookie, result) {
      const entries = listDirectory(descriptors.directory(fd));
      const target = memory.bytes(buffer, length);
      let used = 0;
      const first = BigInt.asUintN(64, cookie);
      for (let index = first > BigInt(entries.length) ? entries.length : Number(first); index < entries.length; index++) {
        const entry = entries[index];
        if (entry === undefined || used >= target.length) break;
        // A cut last entry fills the buffer, which tells the module to ask again.
        const piece = entry.subarray(0, target.length - used);
        target.set(piece, used);
        used += piece.length;
      }
      memory.setU32(result, used);
      return ERRNO.success;
    },
  };
}

/** The entries of a directory as `dirent` records with their names; the cookie of each is the index of the next. */
function listDirectory({ node }: DirectoryDescriptor): readonly Uint8Array[] {
  const listed: [name: string, inode: bigint, filetype: number][] = [
    ['.', node.inode, FILETYPE.directory],
    ['..', (node.parent ?? node).inode, FILETYPE.directory],
    ...[...node.children].map(([name, child]): [string, bigint, number] => [name, child.inode, filetypeOf(child)]),
  ];
  return listed.map(([name, inode, filetype], index) => {
    const text = new TextEncoder().encode(name);
    const record = new Uint8Array(DIRENT_BYTES + text.length);
    const view = new DataView(record.buffer);
    view.setBigUint64(0, BigInt(index + 1), true);
    view.setBigUint64(8, inode, true);
    view.setUint32(16, text.length, true);
    view.setUint8(20, filetype);
    record.set(text, DIRENT_BYTES);
    return record;
  });
}
