import { findPlugins, type PluginSource } from './find-plugins.ts';
import type { ArtifactPlace, LoadedPlugin } from './loaded-plugin.ts';
import type { Problem } from './model.ts';
import type { ToolDefaults } from './tool-defaults.ts';
import { readYuanSkill } from './yuan-skill.ts';
import { readYuanTool } from './yuan-tool.ts';

/** What one source holds, before anything is said of how its capabilities get along. */
export interface LoadedSource {
  readonly source: PluginSource;
  readonly plugins: readonly LoadedPlugin[];
  /** Of files that do not even suggest an id. */
  readonly problems: readonly Problem[];
  readonly artifacts: readonly ArtifactPlace[];
}

/** Plugins read in one go, some ten milliseconds' worth; then whatever else the process has to do gets its turn. */
const BATCH = 32;

export async function loadSource(source: PluginSource, defaults: ToolDefaults): Promise<LoadedSource> {
  const { places, problems } = await findPlugins(source);
  const plugins: LoadedPlugin[] = [];
  const loose: Problem[] = [...problems];
  for (const [index, place] of places.entries()) {
    if (index % BATCH === BATCH - 1) await new Promise((resume) => setImmediate(resume));
    const read = place.kind === 'skill' ? await readYuanSkill(place) : await readYuanTool(place, defaults);
    if ('capability' in read) plugins.push(read);
    else loose.push(...read.problems);
  }
  return { source, plugins, problems: loose, artifacts: plugins.flatMap(({ artifacts }) => artifacts) };
}
