import { posix } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { ToolCallError } from '@yuanbot/contract';
import { extract, pack } from 'tar-stream';
import { buildRefusal, quoted } from './build-refusal.ts';
import { type FindBase, pinnedDockerfile } from './dockerfile.ts';

/** Files and folders in one context; a tool's folder has a few dozen. */
const MAX_ENTRIES = 10_000;

/**
 * Reads a build context (a tar) and writes it anew, so that the engine extracts what was checked here and
 * nothing else: regular files and folders with relative names, one Dockerfile at the root that has the
 * engine fetch nothing (`pinnedDockerfile`). Rejects with ERR_SANDBOX_START and what to change.
 */
export async function checkedBuildContext(context: Uint8Array, findBase: FindBase): Promise<Uint8Array> {
  const reading = extract();
  const writing = pack();
  const written = buffer(writing);
  const seen = new Set<string>();
  reading.end(context);
  try {
    for await (const entry of reading) {
      const { type, mode } = entry.header;
      const name = checkedName(entry.header.name);
      if (type !== 'file' && type !== 'directory')
        throw buildRefusal(`${quoted(name)} is a ${type}; only regular files and folders are built from`);
      if (seen.has(name) && type === 'file') throw buildRefusal(`${quoted(name)} is there twice`);
      if (seen.size >= MAX_ENTRIES) throw buildRefusal(`there are more than ${MAX_ENTRIES} files`);
      seen.add(name);
      const given = await buffer(entry);
      const content = isDockerfile(name) ? Buffer.from(await pinnedDockerfile(given, findBase)) : given;
      const header = { name, type, mode: mode ?? (type === 'file' ? 0o644 : 0o755), mtime: new Date(0) };
      if (type === 'file') writing.entry(header, content);
      else writing.entry(header);
    }
  } catch (error) {
    if (error instanceof ToolCallError) throw error;
    throw new ToolCallError('ERR_SANDBOX_START', "The tool's files to build from are not a readable tar.", { cause: error });
  }
  if (![...seen].some(isDockerfile)) throw buildRefusal('there is no Dockerfile at its root');
  writing.finalize();
  return written;
}

/** The engine takes `dockerfile` when there is no `Dockerfile`. */
function isDockerfile(name: string): boolean {
  return name.toLowerCase() === 'dockerfile';
}

function checkedName(name: string): string {
  const normal = posix.normalize(name).replace(/\/$/, '');
  if (normal === '..' || normal.startsWith('../') || posix.isAbsolute(normal) || normal.includes('\0')) {
    throw buildRefusal(`${quoted(name)} is not a path inside the tool's folder`);
  }
  return normal;
}
