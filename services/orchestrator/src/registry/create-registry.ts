import { createArtifactStore } from './artifact-store.ts';
import type { PluginSource } from './find-plugins.ts';
import { loadSource } from './load-source.ts';
import { mergeSources } from './merge-sources.ts';
import type { Problem } from './model.ts';
import { boundProblem } from './problem-limits.ts';
import type { Registry } from './registry.ts';
import { createSnapshot, createSnapshotBase, type IndexedSnapshot, type Preparations } from './snapshot.ts';
import type { ToolDefaults } from './tool-defaults.ts';

export interface RegistryOptions {
  /** In order of precedence, the weakest first: system, then user. */
  readonly sources: readonly PluginSource[];
  readonly defaults: ToolDefaults;
  readonly log: RegistryLog;
}

/** The two methods of a pino logger that are used. */
export interface RegistryLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export interface LoadedRegistry extends Registry {
  snapshot(): IndexedSnapshot;
  /** Reads everything anew. The snapshot changes in one step when all is read; several calls at once are done in order. */
  reload(): Promise<void>;
}

/** Reads the sources; rejects only for what is not the fault of any plugin. */
export async function createRegistry({ sources, defaults, log }: RegistryOptions): Promise<LoadedRegistry> {
  let preparations: Preparations = new Map();
  let current = await load();
  let snapshot = createSnapshot(current.base, preparations);
  let reloading: Promise<void> = Promise.resolve();

  async function load() {
    const loaded = await Promise.all(sources.map((source) => loadSource(source, defaults)));
    const merged = mergeSources(loaded);
    logOutcome(log, merged.capabilities.length, [...merged.problems, ...merged.capabilities.flatMap(({ problems }) => problems)]);
    return { base: createSnapshotBase(merged), artifacts: createArtifactStore(loaded) };
  }

  return {
    snapshot: () => snapshot,
    readArtifact(digest) {
      return current.artifacts.read(digest, (path) =>
        log.warn(
          { path, digest },
          'a plugin file is no longer what it was when it was loaded; its tool cannot run until the plugins are read again',
        ),
      );
    },
    reportPreparation(toolId, executorDigest, problem) {
      const known = preparations.get(toolId);
      if (problem === undefined && known?.executorDigest !== executorDigest) return;
      const changed = new Map(preparations);
      if (problem === undefined) changed.delete(toolId);
      else changed.set(toolId, { executorDigest, problem: Object.freeze(boundProblem(problem)) });
      preparations = changed;
      snapshot = createSnapshot(current.base, preparations);
    },
    reload() {
      const next = reloading.then(async () => {
        current = await load();
        snapshot = createSnapshot(current.base, preparations);
      });
      reloading = next.catch(() => undefined); // Told to whoever asked for it; the next one starts all the same.
      return next;
    },
  };
}

/** Problems written to the log one by one; the rest is in the listing. */
const MAX_LOGGED = 50;

function logOutcome(log: RegistryLog, capabilities: number, problems: readonly Problem[]): void {
  for (const { file, line, severity, message, mend } of problems.slice(0, MAX_LOGGED)) {
    log.warn({ file, line, severity, mend }, `plugin problem: ${message}`);
  }
  log.info({ capabilities, problems: problems.length }, 'plugins read');
}
