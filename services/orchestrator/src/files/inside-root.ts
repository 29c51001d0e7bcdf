import { lstatSync, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import { PluginFileError } from '../registry/plugin-files.ts';

/** Longest path accepted, in characters: Linux's own limit. */
const MAX_PATH_LENGTH = 4096;

/** Finds the real place of a path below a root; undefined when nothing is there. */
export type ResolveInside = (path: string) => string | undefined;

/**
 * Links are followed only while they stay inside the root: a Kubernetes ConfigMap is made of such links, a link to `/etc`
 * is an attack. Throws a `PluginFileError` for a path that leads out.
 */
export function createResolveInside(root: string): ResolveInside {
  let realRoot: string | undefined;

  return (path) => {
    checkRelative(path);
    let real: string;
    try {
      real = realpathSync.native(join(root, path));
      if (realRoot !== undefined && isInside(real, realRoot)) return real;
      // The first time, and when the root is itself a link that leads elsewhere now.
      realRoot = realpathSync.native(root);
    } catch (error) {
      if (!isMissing(error)) throw unreadable(path, error);
      if (!isLink(join(root, path))) return undefined;
      throw new PluginFileError(`\`${path}\` is a link that leads nowhere.`, 'Replace the link by the file it should lead to.');
    }
    if (isInside(real, realRoot)) return real;
    throw new PluginFileError(
      `\`${path}\` is a link that leads out of the plugin folder; such links are not followed.`,
      'Replace the link by a copy of what it leads to.',
    );
  };
}

function isInside(real: string, root: string): boolean {
  return real === root || real.startsWith(root + sep);
}

/** Refuses what is not a plain relative path: absolute ones, `..`, backslashes, NUL. */
function checkRelative(path: string): void {
  const segments = path.split('/');
  if (
    path.length <= MAX_PATH_LENGTH &&
    !/[\0\\]/.test(path) &&
    segments.every((segment) => segment !== '' && !/^\.\.?$/.test(segment))
  ) {
    return;
  }
  throw new PluginFileError(
    `${JSON.stringify(path.slice(0, 200))} is not a plain relative path.`,
    'Name a file below the plugin’s own folder, with forward slashes and without `..`.',
  );
}

export function unreadable(path: string, error: unknown): PluginFileError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  return new PluginFileError(`\`${path}\` cannot be read (${code}).`, 'Make it a regular file that the platform may read.', 0, {
    cause: error,
  });
}

export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}

function isLink(absolute: string): boolean {
  try {
    return lstatSync(absolute).isSymbolicLink();
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
