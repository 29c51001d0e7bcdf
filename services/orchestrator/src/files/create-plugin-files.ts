import type { PluginFiles } from '../registry/plugin-files.ts';
import { decodeText } from './decode-text.ts';
import { createResolveInside } from './inside-root.ts';
import { packFolder } from './pack-folder.ts';
import { readRegularFile } from './read-file.ts';
import { listFolder, walkFolder } from './walk-folder.ts';

/** The plugin files below `root`, an absolute path; it need not exist (yet). */
export function createPluginFiles(root: string): PluginFiles {
  const resolve = createResolveInside(root);

  function read(path: string, maxBytes: number): Buffer | undefined {
    const real = resolve(path);
    return real === undefined ? undefined : readRegularFile(real, path, maxBytes)?.bytes;
  }

  return {
    async list(folder) {
      return listFolder(resolve, folder).filter(({ name }) => !isHidden(name));
    },
    async walk(folder) {
      return walkFolder(resolve, folder, isHidden);
    },
    async readText(path, maxBytes) {
      const bytes = read(path, maxBytes);
      return bytes === undefined ? undefined : decodeText(bytes, path);
    },
    async readBytes(path, maxBytes) {
      return read(path, maxBytes);
    },
    async packFolder(folder) {
      return packFolder(resolve, folder);
    },
  };
}

/** Editors' and tools' own files, and the `..data` folders behind a Kubernetes ConfigMap's links. */
function isHidden(path: string): boolean {
  return path.split('/').some((segment) => segment.startsWith('.'));
}
