import { ERRNO } from './abi.ts';
import type { Output } from './outputs.ts';
import type { ResourceDirectory, ResourceFileNode } from './resource-tree.ts';
import { WasiError } from './wasi-error.ts';

export type Descriptor = InputDescriptor | OutputDescriptor | FileDescriptor | DirectoryDescriptor;

export interface InputDescriptor {
  readonly kind: 'input';
  readonly content: Uint8Array;
  position: number;
}

export interface OutputDescriptor {
  readonly kind: 'output';
  readonly output: Output;
}

export interface FileDescriptor {
  readonly kind: 'file';
  readonly node: ResourceFileNode;
  position: number;
}

export interface DirectoryDescriptor {
  readonly kind: 'directory';
  readonly node: ResourceDirectory;
  /** The name that a preopened directory is known by; undefined for one that the module opened. */
  readonly preopen: string | undefined;
}

/** What the module has open: 0, 1, 2, the preopened `/` as 3 when there are resources, and what it opens itself. */
export interface Descriptors {
  /** EBADF when `fd` is not open. */
  get(fd: number): Descriptor;
  /** EBADF when not open, ENOTDIR when no directory. */
  directory(fd: number): DirectoryDescriptor;
  /** Takes the lowest free number. EMFILE beyond `MAX_OPEN`. */
  add(descriptor: Descriptor): number;
  close(fd: number): void;
  /** Moves `from` onto `to`, closing what was there. Both must be open. */
  renumber(from: number, to: number): void;
}

/** A tool reads its few resources one after the other. */
const MAX_OPEN = 64;

export function createDescriptors(initial: readonly Descriptor[]): Descriptors {
  const open = new Map<number, Descriptor>(initial.entries());

  function get(fd: number): Descriptor {
    const descriptor = open.get(fd >>> 0);
    if (descriptor === undefined) throw new WasiError(ERRNO.badf);
    return descriptor;
  }

  return {
    get,
    directory(fd) {
      const descriptor = get(fd);
      if (descriptor.kind !== 'directory') throw new WasiError(ERRNO.notdir);
      return descriptor;
    },
    add(descriptor) {
      for (let fd = 0; fd < MAX_OPEN; fd++) {
        if (open.has(fd)) continue;
        open.set(fd, descriptor);
        return fd;
      }
      throw new WasiError(ERRNO.mfile);
    },
    close(fd) {
      get(fd);
      open.delete(fd >>> 0);
    },
    renumber(from, to) {
      const moved = get(from);
      get(to);
      open.delete(from >>> 0);
      open.set(to >>> 0, moved);
    },
  };
}
