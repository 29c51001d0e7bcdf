import { posix } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { ToolCallError } from '@yuanbot/contract';
import { extract, pack } from 'tar-stream';
import { remoteAdd } from './dockerfile.ts';
import { printableHead } from './printable-text.ts';

/** Files and folders in one context; a tool's folder has a few dozen. */
const MAX_ENTRIES = 10_000;

/**
 * Reads a build context (a tar) and writes it anew, so that the engine extracts what was checked here and
 * nothing else: regular files and folders with relative names, one Dockerfile at the root that has the
 * engine fetch nothing. Rejects with ERR_SANDBOX_START and what to change.
 */
export async function checkedBuildContext(context: Uint8Array): Promise<Uint8Array> {
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
        throw refused(`${quoted(name)} is a ${type}; only regular files and folders are built from`);
      if (seen.has(name) && type === 'file') throw refused(`${quoted(name)} is there twice`);
      if (seen.size >= MAX_ENTRIES) throw refused(`there are more than ${MAX_ENTRIES} files`);
      seen.add(name);
      const content = await buffer(entry);
      if (isDockerfile(name)) checkDockerfile(content);
      const header = { name, type, mode: mode ?? (type === 'file' ? 0o644 : 0o755), mtime: new Date(0) };
      if (type === 'file') writing.entry(header, content);
      else writing.entry(header);
    }
  } catch (error) {
    if (error instanceof ToolCallError) throw error;
    throw new ToolCallError('ERR_SANDBOX_START', "The tool's files to build from are not a readable tar.", { cause: error });
  }
  if (![...seen].some(isDockerfile)) throw refused('there is no Dockerfile at its root');
  writing.finalize();
  return written;
}

/** The engine takes `dockerfile` when there is no `Dockerfile`. */
function isDockerfile(name: string): boolean {
  return name.toLowerCase() === 'dockerfile';
}

function checkDockerfile(content: Uint8Array): void {
  const add = remoteAdd(Buffer.from(content).toString('utf8'));
  if (add === undefined) return;
  throw refused(
    `builds have no network, and \`${printableHead(add, 120)}\` may fetch something; put the file into the tool's folder and use COPY`,
  );
}

function checkedName(name: string): string {
  const normal = posix.normalize(name).replace(/\/$/, '');
  if (normal === '..' || normal.startsWith('../') || posix.isAbsolute(normal) || normal.includes('\0')) {
    throw refused(`${quoted(name)} is not a path inside the tool's folder`);
  }
  return normal;
}

function quoted(name: string): string {
  return `\`${printableHead(name, 120)}\``;
}

function refused(why: string): ToolCallError {
  return new ToolCallError('ERR_SANDBOX_START', `The image cannot be built from the tool's files: ${why}.`);
}
