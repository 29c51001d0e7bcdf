import type { Capability, Problem } from './model.ts';
import type { PluginFiles } from './plugin-files.ts';

/** Where a plugin's definition was found. */
export interface PluginPlace {
  readonly files: PluginFiles;
  readonly source: 'system' | 'user';
  readonly kind: 'skill' | 'tool';
  /** The definition, relative to the source's root: `tools/get_weather.yaml`, `tools/get_weather/get_weather.yaml`. */
  readonly file: string;
  /** The folder it is in. */
  readonly folder: string;
  /** The definition's name without `.yaml`. */
  readonly stem: string;
  /** False in the flat layout, where other plugins' files are in the same folder. */
  readonly hasOwnFolder: boolean;
}

/** Bytes that an executor or a resource names by digest, and where they came from. */
export interface ArtifactPlace {
  readonly digest: string;
  readonly path: string;
  /** `folder`: a build context, packed again each time it is read. */
  readonly kind: 'file' | 'folder';
}

/** What came of one definition file; broken ones come as capabilities that are not callable. */
export interface LoadedPlugin {
  readonly capability: Capability;
  /** The file was too broken to say its id; the id is the one its name suggests. */
  readonly idIsGuess: boolean;
  /** Line on which the id is written; of a file too broken for that, the line of its first problem. */
  readonly idLine: number;
  readonly artifacts: readonly ArtifactPlace[];
}

/** A definition file that does not even suggest an id leaves nothing but problems. */
export type ReadPlugin = LoadedPlugin | { readonly problems: readonly Problem[] };

export function hasError(problems: readonly Problem[]): boolean {
  return problems.some(({ severity }) => severity === 'error');
}
