import { FILETYPE } from './abi.ts';
import type { Descriptor } from './descriptors.ts';
import type { GuestMemory } from './guest-memory.ts';
import type { ResourceNode } from './resource-tree.ts';

const FILESTAT_BYTES = 64;

/**
 * Writes a `filestat`; `node` is undefined for input and outputs. Times are 0: resources are named by their content, not
 * by when somebody saved them.
 */
export function writeFilestat(memory: GuestMemory, at: number, node: ResourceNode | undefined): void {
  memory.bytes(at, FILESTAT_BYTES).fill(0);
  const start = at >>> 0;
  memory.setU64(start + 8, node?.inode ?? 0n);
  memory.setU8(start + 16, filetypeOf(node));
  memory.setU64(start + 24, 1n);
  memory.setU64(start + 32, BigInt(node?.kind === 'file' ? node.content.length : 0));
}

/** Input and outputs are of unknown type: a libc that takes one for a terminal flushes after each line. */
export function filetypeOf(node: ResourceNode | undefined): number {
  if (node === undefined) return FILETYPE.unknown;
  return node.kind === 'file' ? FILETYPE.regularFile : FILETYPE.directory;
}

/** What a descriptor stands for in the tree; undefined for input and outputs. */
export function nodeOf(descriptor: Descriptor): ResourceNode | undefined {
  return descriptor.kind === 'file' || descriptor.kind === 'directory' ? descriptor.node : undefined;
}
