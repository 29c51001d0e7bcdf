import type { Capability } from './model.ts';
import { createTagIndex, type TagIndex } from './tags.ts';
import { createDomainTrie, type DomainTrie } from './trie.ts';

/**
 * Stage 1 (seed 003 §6.1): what matching needs, in memory. Capabilities stand in it as places in the ordered list, small
 * whole numbers in ascending lists, so that combining conditions is walking along such lists.
 */
export interface CapabilityIndex {
  readonly skills: KindIndex;
  readonly tools: KindIndex;
  /** Of every capability, disabled and broken ones included: for listings. */
  readonly tags: TagIndex;
}

/** The callable capabilities of one kind. */
export interface KindIndex {
  readonly all: readonly number[];
  readonly domains: Pick<DomainTrie, 'below'>;
  /** Those without persona filters. */
  readonly everyone: readonly number[];
  readonly personas: Pick<TagIndex, 'with'>;
}

export function createCapabilityIndex(capabilities: readonly Capability[]): CapabilityIndex {
  const tags = createTagIndex();
  const kinds = { skill: createKindIndex(), tool: createKindIndex() };
  for (const [place, capability] of capabilities.entries()) {
    for (const tag of capability.tags) tags.insert(tag, place);
    if (capability.callable) kinds[capability.kind].insert(capability, place);
  }
  return { skills: kinds.skill.index, tools: kinds.tool.index, tags };
}

function createKindIndex(): { index: KindIndex; insert(capability: Capability, place: number): void } {
  const all: number[] = [];
  const everyone: number[] = [];
  const domains = createDomainTrie();
  const personas = createTagIndex();
  return {
    index: { all, domains, everyone, personas },
    insert(capability, place) {
      all.push(place);
      for (const domain of capability.domains) domains.insert(domain, place);
      if (capability.personaFilters.length === 0) everyone.push(place);
      for (const persona of capability.personaFilters) personas.insert(persona, place);
    },
  };
}
