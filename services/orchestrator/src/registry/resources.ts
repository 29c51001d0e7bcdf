import { sha256Digest } from '@yuanbot/kit/canonical';
import { lookup } from 'mrmime';
import type { ArtifactPlace, PluginPlace } from './loaded-plugin.ts';
import type { Problem, Resource } from './model.ts';
import { fileProblem, PluginFileError } from './plugin-files.ts';

/** One resource, in bytes; all resources of one plugin. */
export const MAX_RESOURCE_BYTES = 16 * 1024 * 1024;
const MAX_TOTAL_BYTES = 64 * 1024 * 1024;

export interface PluginResources {
  /** Paths relative to the plugin's folder (`resources/prompts_zh.txt`), sorted. */
  readonly resources: readonly Resource[];
  readonly artifacts: readonly ArtifactPlace[];
  /** With an error among them the two lists are empty: never half of a plugin's resources. */
  readonly problems: readonly Problem[];
}

/** What is in the plugin's `resources/` folder (seed 003 §4.2, §10.1); nothing in the flat layout. */
export async function readResources(place: PluginPlace): Promise<PluginResources> {
  if (!place.hasOwnFolder) return { resources: [], artifacts: [], problems: [] };
  try {
    return { ...(await readFolder(place)), problems: [] };
  } catch (error) {
    return { resources: [], artifacts: [], problems: [fileProblem(error, `${place.folder}/resources`)] };
  }
}

async function readFolder({ files, folder }: PluginPlace): Promise<Pick<PluginResources, 'resources' | 'artifacts'>> {
  const resources: Resource[] = [];
  const artifacts: ArtifactPlace[] = [];
  let total = 0;
  for (const name of await files.walk(`${folder}/resources`)) {
    const path = `${folder}/resources/${name}`;
    const bytes = await files.readBytes(path, MAX_RESOURCE_BYTES);
    if (bytes === undefined) continue;
    total += bytes.length;
    if (total > MAX_TOTAL_BYTES) {
      throw new PluginFileError(
        `\`${folder}/resources\` holds more than ${MAX_TOTAL_BYTES} bytes.`,
        'Make the resources smaller.',
      );
    }
    const digest = sha256Digest(bytes);
    resources.push({
      path: `resources/${name}`,
      size: bytes.length,
      digest,
      mediaType: lookup(name) ?? 'application/octet-stream',
    });
    artifacts.push({ digest, path, kind: 'file' });
  }
  return { resources, artifacts };
}
