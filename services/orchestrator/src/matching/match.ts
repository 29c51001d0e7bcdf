import { isAtOrBelow } from '../registry/domain.ts';
import type { Capability } from '../registry/model.ts';
import type { IndexedSnapshot } from '../registry/snapshot.ts';
import { END, inBoth } from './sorted-lists.ts';

export interface MatchRequest {
  readonly kind: Capability['kind'];
  /** None: every domain. One that nothing is in matches nothing. */
  readonly domains: readonly string[];
  /** Who is talking: the persona's name and whatever else its filters are called. */
  readonly personas: readonly string[];
}

/**
 * The callable capabilities that are at or below one of the domains and meant for one of the personas (seed 003 §8), in
 * the order of their ids, each once. They are found one by one as they are asked for: who needs three takes three.
 */
export function* match(
  snapshot: IndexedSnapshot,
  { kind, domains, personas }: MatchRequest,
): Generator<Capability, void, undefined> {
  const index = kind === 'skill' ? snapshot.index.skills : snapshot.index.tools;
  const inDomain = domains.length === 0 ? [index.all] : outermost(domains).map((domain) => index.domains.below(domain));
  const forPersona = [index.everyone, ...new Set(personas).values().map((persona) => index.personas.with(persona))];
  const next = inBoth(inDomain, forPersona);
  for (let place = next(); place !== END; place = next()) {
    const capability = snapshot.at(place);
    if (capability?.callable === true) yield capability;
  }
}

/** Whether the capability is meant for one of the personas; no filters: for everyone. */
export function isForPersona({ personaFilters }: Pick<Capability, 'personaFilters'>, personas: readonly string[]): boolean {
  return personaFilters.length === 0 || personaFilters.some((persona) => personas.includes(persona));
}

/** Without those that another one of them covers. */
function outermost(domains: readonly string[]): readonly string[] {
  const distinct = [...new Set(domains)];
  return distinct.filter((domain) => !distinct.some((other) => other !== domain && isAtOrBelow(domain, other)));
}
