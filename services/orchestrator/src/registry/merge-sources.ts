import { withCallNamesSettled } from './call-names.ts';
import { deepFreeze } from './deep-freeze.ts';
import { showKey } from './document.ts';
import type { LoadedSource } from './load-source.ts';
import type { LoadedPlugin } from './loaded-plugin.ts';
import type { Capability, Problem } from './model.ts';
import { boundProblems, MAX_LOOSE_PROBLEMS, MAX_PROBLEMS_OF_CAPABILITY } from './problem-limits.ts';

export interface MergedSources {
  /** One for each id, ordered by id (by code units). */
  readonly capabilities: readonly Capability[];
  /** Of files from which no capability came. */
  readonly problems: readonly Problem[];
}

/**
 * Makes one list of what the sources hold. Later sources win on the same id, and win even when their capability is
 * broken: falling back to what it was to replace could drop a restriction that it adds. The same id twice in one source:
 * neither is callable. An id that only a file's name suggests never displaces a written one.
 */
export function mergeSources(sources: readonly LoadedSource[]): MergedSources {
  const byId = new Map<string, Capability>();
  for (const { plugins } of sources) {
    for (const [id, [plugin, ...others]] of groupById(plugins.filter(({ idIsGuess }) => !idIsGuess))) {
      if (plugin === undefined) continue;
      const overridesSystem = byId.get(id)?.source === 'system' && plugin.capability.source === 'user';
      const capability = others.length === 0 ? plugin.capability : inConflict(plugin, others);
      byId.set(id, { ...capability, overridesSystem });
    }
  }
  const problems = sources.flatMap((source) => source.problems);
  for (const { capability } of sources.flatMap(({ plugins }) => plugins.filter(({ idIsGuess }) => idIsGuess))) {
    if (byId.has(capability.id)) problems.push(...capability.problems);
    else byId.set(capability.id, capability);
  }
  const capabilities = withCallNamesSettled([...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1)));
  return deepFreeze({
    capabilities: capabilities.map((capability) => ({
      ...capability,
      problems: boundProblems(capability.problems, MAX_PROBLEMS_OF_CAPABILITY),
    })),
    problems: boundProblems(problems, MAX_LOOSE_PROBLEMS),
  });
}

function groupById(plugins: readonly LoadedPlugin[]): Map<string, LoadedPlugin[]> {
  return Map.groupBy(plugins, ({ capability }) => capability.id);
}

/** Files that one message names. */
const MAX_NAMED = 3;

/** The listing's one entry for an id that several files of a source claim. */
function inConflict(first: LoadedPlugin, others: readonly LoadedPlugin[]): Capability {
  const claimants = [first, ...others];
  const names = claimants
    .slice(0, MAX_NAMED)
    .map(({ capability }) => `\`${showKey(capability.file)}\``)
    .join(' and ');
  const rest = claimants.length > MAX_NAMED ? ` and ${claimants.length - MAX_NAMED} more` : '';
  const problems = claimants.flatMap(({ capability, idLine }): Problem[] => [
    {
      severity: 'error',
      file: capability.file,
      line: idLine,
      message: `The id \`${capability.id}\` is there more than once: in ${names}${rest}.`,
      mend: 'Give each capability an id of its own, or remove one of the files.',
    },
    ...capability.problems,
  ]);
  return { ...first.capability, problems, callable: false };
}
