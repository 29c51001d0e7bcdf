import { checkLength, invalidRequest } from './request-errors.ts';

/** What one turn of a conversation needs (seed 003 §8). Field names follow `LoadForIntentRequest`. */
export interface LoadRequest {
  /** Capability domains; none: all. */
  readonly domains: readonly string[];
  readonly persona: string;
  readonly personaFilters: readonly string[];
  /** The user's words; may be empty. */
  readonly query: string;
  readonly roles: readonly string[];
  /** A directive's own choice, in its order. */
  readonly selectedSkills: readonly string[];
  readonly candidateTools: readonly string[];
  /** Undefined: the configured number (`progressive`), or no bound (`full`). */
  readonly maxSkills: number | undefined;
  readonly maxTools: number | undefined;
  /** Tokens that everything offered may take together; 0: no bound. */
  readonly tokenBudget: number;
}

/** Entries of one list: a turn has a handful; each costs a walk along the index. */
const MAX_ENTRIES = 64;
/** Characters of one entry; the longest domain there can be has some 500. */
const MAX_LENGTH = 512;

/** Throws an invalid `RequestError` that names the field. */
export function checkLoadRequest({ domains, personaFilters, persona, selectedSkills, candidateTools }: LoadRequest): void {
  const lists = { domains, persona_filters: personaFilters, selected_skills: selectedSkills, candidate_tools: candidateTools };
  for (const [name, list] of Object.entries(lists)) {
    if (list.length > MAX_ENTRIES)
      throw invalidRequest(`${name} has ${list.length} entries; at most ${MAX_ENTRIES} are allowed.`);
    for (const [index, entry] of list.entries()) {
      // An empty domain would be "everything" to some and "nothing" to others.
      if (entry === '') throw invalidRequest(`${name}[${index}] is empty; leave the entry out.`);
      checkLength(`${name}[${index}]`, entry, MAX_LENGTH);
    }
  }
  checkLength('persona', persona, MAX_LENGTH);
}
