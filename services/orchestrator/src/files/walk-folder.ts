import { type Dirent, readdirSync, statSync } from 'node:fs';
import { type FolderEntry, PluginFileError } from '../registry/plugin-files.ts';
import { isMissing, type ResolveInside, unreadable } from './inside-root.ts';

/** Files below one plugin's folder, at most: more is a dependency tree that was not meant to be there. */
const MAX_FILES = 5_000;
/** Folders in folders, at most; a link that leads back up would otherwise be walked for ever. */
const MAX_DEPTH = 32;

/** What is directly in `folder`, sorted by name; empty when it is not there. */
export function listFolder(resolve: ResolveInside, folder: string): FolderEntry[] {
  return entriesOf(resolve, folder)
    .map((entry) => ({ name: entry.name, kind: kindOf(resolve, `${folder}/${entry.name}`, entry) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * Regular files below `folder`, relative to it, in code unit order. A link is followed while it stays inside the root;
 * one that leaves it, and any special file, is refused unless `isLeftOut` says that the path does not count.
 */
export function walkFolder(resolve: ResolveInside, folder: string, isLeftOut: (path: string) => boolean): string[] {
  const files: string[] = [];
  const visit = (below: string, depth: number): void => {
    const at = below === '' ? folder : `${folder}/${below}`;
    if (depth > MAX_DEPTH) throw new PluginFileError(`\`${at}\` is nested deeper than ${MAX_DEPTH} folders.`, 'Flatten it.');
    for (const { name, kind } of listFolder(resolve, at)) {
      const path = below === '' ? name : `${below}/${name}`;
      if (kind === 'folder') visit(path, depth + 1);
      else if (isLeftOut(path)) continue;
      else if (kind === 'file') files.push(path);
      else throw refused(`${folder}/${path}`);
      if (files.length > MAX_FILES) {
        throw new PluginFileError(
          `\`${folder}\` holds more than ${MAX_FILES} files.`,
          'Leave out what is not needed; a build context does so with a `.dockerignore`.',
        );
      }
    }
  };
  visit('', 0);
  return files.sort();
}

function entriesOf(resolve: ResolveInside, folder: string): Dirent[] {
  try {
    const real = resolve(folder);
    return real === undefined ? [] : readdirSync(real, { withFileTypes: true });
  } catch (error) {
    if (isMissing(error)) return [];
    throw error instanceof PluginFileError ? error : unreadable(folder, error);
  }
}

function kindOf(resolve: ResolveInside, path: string, entry: Dirent): FolderEntry['kind'] {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  return entry.isSymbolicLink() ? kindBehindLink(resolve, path) : 'refused';
}

function kindBehindLink(resolve: ResolveInside, path: string): FolderEntry['kind'] {
  try {
    const real = resolve(path);
    const stat = real === undefined ? undefined : statSync(real, { throwIfNoEntry: false });
    if (stat?.isFile()) return 'file';
    return stat?.isDirectory() ? 'folder' : 'refused';
  } catch (error) {
    if (error instanceof PluginFileError) return 'refused';
    throw error;
  }
}

function refused(path: string): PluginFileError {
  return new PluginFileError(
    `\`${path}\` is a link that leads out of the plugin folder or nowhere, or a special file.`,
    'Replace it by a regular file; in a build context, list it in `.dockerignore` when it is not needed.',
  );
}
