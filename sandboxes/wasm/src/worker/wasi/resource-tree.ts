/** The tool's own files, read-only: what the module finds under `/`. Built once a program and shared by its calls. */
export type ResourceNode = ResourceFileNode | ResourceDirectory;

export interface ResourceFileNode {
  readonly kind: 'file';
  /** Unique in the tree, never 0. */
  readonly inode: bigint;
  readonly content: Uint8Array;
}

export interface ResourceDirectory {
  readonly kind: 'directory';
  readonly inode: bigint;
  readonly parent: ResourceDirectory | undefined;
  readonly children: ReadonlyMap<string, ResourceNode>;
}

/** A path in the executor descriptor that no file can have; a sentence for the tool's author. */
export class ResourcePathError extends Error {
  override readonly name = 'ResourcePathError';
}

/**
 * Builds the tree from relative paths with forward slashes. Throws `ResourcePathError` for a path that leaves it, has an
 * empty segment, or is both a file and a folder.
 */
export function buildResourceTree(resources: ReadonlyMap<string, Uint8Array>): ResourceDirectory {
  let inodes = 0n;

  function createDirectory(parent?: ResourceDirectory): ResourceDirectory & { readonly children: Map<string, ResourceNode> } {
    return { kind: 'directory', inode: ++inodes, parent, children: new Map() };
  }

  const folders = new Map([['', createDirectory()]]);

  function folder(path: string): ResourceDirectory & { readonly children: Map<string, ResourceNode> } {
    const known = folders.get(path);
    if (known !== undefined) return known;
    const [parentPath, name] = split(path);
    const parent = folder(parentPath);
    if (parent.children.has(name)) throw new ResourcePathError(`${path} is a file and a folder`);
    const made = createDirectory(parent);
    parent.children.set(name, made);
    folders.set(path, made);
    return made;
  }

  for (const [path, content] of resources) {
    if (path.includes('\0') || path.split('/').some((segment) => segment === '' || segment === '.' || segment === '..')) {
      throw new ResourcePathError(`${JSON.stringify(path)} is not a relative path inside the tool's folder`);
    }
    const [parentPath, name] = split(path);
    const parent = folder(parentPath);
    if (parent.children.has(name)) throw new ResourcePathError(`${path} is a file and a folder`);
    parent.children.set(name, { kind: 'file', inode: ++inodes, content });
  }
  return folder('');
}

function split(path: string): [parent: string, name: string] {
  const slash = path.lastIndexOf('/');
  return [path.slice(0, Math.max(slash, 0)), path.slice(slash + 1)];
}
