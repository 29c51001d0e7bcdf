import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { pack } from 'tar-stream';

/** Where a container finds the tool's own files. */
const RESOURCES_FOLDER = 'resources';
/** Everybody may read, nobody write; the root is read-only as it is. */
const READ_ONLY = 0o444;

/**
 * The build context that puts a tool's own files on top of an image. A layer, because files cannot be
 * copied into a container with a read-only root, and folders of the host are never mounted.
 */
export async function resourceLayer(
  imageId: string,
  resources: ReadonlyMap<string, Uint8Array>,
): Promise<{ readonly digest: string; readonly context: Uint8Array }> {
  const tar = pack();
  const writing = buffer(tar);
  const header = { mtime: new Date(0), mode: READ_ONLY };
  tar.entry({ ...header, name: 'Dockerfile' }, `FROM ${imageId}\nCOPY ${RESOURCES_FOLDER} /${RESOURCES_FOLDER}\n`);
  for (const path of [...resources.keys()].sort()) {
    tar.entry({ ...header, name: `${RESOURCES_FOLDER}/${path}` }, Buffer.from(resources.get(path) ?? []));
  }
  tar.finalize();
  const context = await writing;
  return { digest: `sha256:${createHash('sha256').update(context).digest('hex')}`, context };
}
