import { sha256Digest } from '@yuanbot/kit/canonical';
import { MAX_ENTRY_BYTES } from './executor.ts';
import type { LoadedSource } from './load-source.ts';
import type { ArtifactPlace } from './loaded-plugin.ts';
import { PluginFileError, type PluginFiles } from './plugin-files.ts';

/** Finds the bytes that a snapshot names by digest, where they were when it was made. */
export interface ArtifactStore {
  /**
   * Undefined when no place is known for the digest, or when what is there now is something else: `changed` is told of
   * each such place. The bytes always have the digest that was asked for.
   */
  read(digest: string, changed: (path: string) => void): Promise<Uint8Array | undefined>;
}

export function createArtifactStore(sources: readonly LoadedSource[]): ArtifactStore {
  const places = new Map<string, { files: PluginFiles; place: ArtifactPlace }[]>();
  for (const { source, artifacts } of sources) {
    for (const place of artifacts) {
      const known = places.get(place.digest);
      if (known === undefined) places.set(place.digest, [{ files: source.files, place }]);
      else known.push({ files: source.files, place });
    }
  }
  return {
    async read(digest, changed) {
      for (const { files, place } of places.get(digest) ?? []) {
        const bytes = await readPlace(files, place);
        if (bytes !== undefined && sha256Digest(bytes) === digest) return bytes;
        changed(place.path);
      }
      return undefined;
    },
  };
}

async function readPlace(files: PluginFiles, { path, kind }: ArtifactPlace): Promise<Uint8Array | undefined> {
  try {
    return kind === 'folder' ? await files.packFolder(path) : await files.readBytes(path, MAX_ENTRY_BYTES);
  } catch (error) {
    // It was readable when the snapshot was made: unreadable now is one way of having changed.
    if (error instanceof PluginFileError) return undefined;
    throw error;
  }
}
