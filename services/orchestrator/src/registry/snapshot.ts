import { type CapabilityIndex, createCapabilityIndex } from './capability-index.ts';
import type { MergedSources } from './merge-sources.ts';
import type { Capability, Problem, Tool } from './model.ts';
import type { RegistrySnapshot } from './registry.ts';

/** A snapshot together with the indexes that matching and listing walk. */
export interface IndexedSnapshot extends RegistrySnapshot {
  readonly index: CapabilityIndex;
  /** By place in the ordered list, the form in which the index answers. */
  at(place: number): Capability | undefined;
  /** Tokens that every callable skill and tool together would take in a model's context. */
  totals(): { readonly skills: number; readonly tools: number };
}

/** What the sandboxes found, by tool id. It holds for the executor it was found for, and for no later one. */
export type Preparations = ReadonlyMap<string, { readonly executorDigest: string; readonly problem: Problem }>;

/** The parts of a snapshot that stay the same while only findings of the sandboxes come and go. */
export interface SnapshotBase {
  readonly capabilities: readonly Capability[];
  readonly problems: readonly Problem[];
  readonly places: ReadonlyMap<string, number>;
  readonly index: CapabilityIndex;
}

export function createSnapshotBase({ capabilities, problems }: MergedSources): SnapshotBase {
  const places = new Map(capabilities.map(({ id }, place) => [id, place]));
  return { capabilities, problems, places, index: createCapabilityIndex(capabilities) };
}

export function createSnapshot(
  { capabilities, problems, places, index }: SnapshotBase,
  preparations: Preparations,
): IndexedSnapshot {
  const prepared = new Map<number, Capability>();
  for (const [id, { executorDigest, problem }] of preparations) {
    const place = places.get(id);
    const tool = place === undefined ? undefined : capabilities[place];
    if (place === undefined || tool?.kind !== 'tool' || tool.executor.digest !== executorDigest) continue;
    prepared.set(place, withFinding(tool, problem));
  }
  const at = (place: number): Capability | undefined => prepared.get(place) ?? capabilities[place];
  const get = (id: string): Capability | undefined => {
    const place = places.get(id);
    return place === undefined ? undefined : at(place);
  };
  let all: readonly Capability[] | undefined;
  let totals: { skills: number; tools: number } | undefined;

  return {
    index,
    at,
    get,
    tool(id) {
      const capability = get(id);
      return capability?.kind === 'tool' ? capability : undefined;
    },
    all() {
      all ??=
        prepared.size === 0
          ? capabilities
          : Object.freeze(capabilities.map((capability, place) => prepared.get(place) ?? capability));
      return all;
    },
    problems: () => problems,
    totals() {
      totals ??= { skills: sumTokens(index.skills.all, at), tools: sumTokens(index.tools.all, at) };
      return totals;
    },
  };
}

function withFinding(tool: Tool, problem: Problem): Tool {
  return Object.freeze({
    ...tool,
    problems: Object.freeze([...tool.problems, problem]),
    callable: tool.callable && problem.severity !== 'error',
  });
}

function sumTokens(places: readonly number[], at: (place: number) => Capability | undefined): number {
  let tokens = 0;
  for (const place of places) {
    const capability = at(place);
    if (capability?.callable === true) tokens += capability.tokenCost;
  }
  return tokens;
}
