import { isForPersona, match } from '../matching/match.ts';
import type { Rank, Ranked } from '../matching/rank.ts';
import { decidePermission } from '../policy/permission.ts';
import { definitionProblem } from '../registry/definition-problem.ts';
import type { Capability, Skill, Tool } from '../registry/model.ts';
import type { IndexedSnapshot } from '../registry/snapshot.ts';
import { withinBudget } from './budget.ts';
import { checkLoadRequest, type LoadRequest } from './load-request.ts';

export interface LoadSettings {
  /** `full`: everything that passes the filters, unless the request names a number (seed 003 §9.3). */
  readonly strategy: 'progressive' | 'full';
  readonly maxSkills: number;
  readonly maxTools: number;
}

export interface LoadResult {
  readonly skills: readonly Ranked<Skill>[];
  readonly tools: readonly Ranked<Tool>[];
  readonly tokens: TokenUse;
  /** Nothing passed the filters, whatever the numbers and the budget. */
  readonly abstained: boolean;
  /** A directive's choices that are not offered, and why; for the log. */
  readonly refused: readonly { readonly id: string; readonly reason: RefusalReason }[];
}

export type RefusalReason = 'unknown' | 'disabled' | 'broken' | 'other_persona' | 'role_missing';

/** Counted with a tokenizer. The index itself never enters a model's context, so it costs nothing there. */
export interface TokenUse {
  readonly index: number;
  /** Of what is offered. */
  readonly skills: number;
  readonly tools: number;
  /** Of all callable skills and tools together: what offering everything would take. */
  readonly allSkills: number;
  readonly allTools: number;
}

/** Stage 2 (seed 003 §6.2): chooses what one turn is offered. Throws a `RequestError` for a request that is unfit. */
export type LoadForIntent = (snapshot: IndexedSnapshot, request: LoadRequest) => LoadResult;

/**
 * A directive's choices come first and in its order, filtered by whether their definition is in order, for this persona, and for the
 * user's roles. They are not filtered by domain: whoever names a capability has decided that it belongs. What matches
 * follows, up to the numbers that the request or the settings give. A token budget is
 * spent in this order: the directive's skills and tools, matched skills, matched tools; what does not fit any more is left out whole.
 */
export function createLoadForIntent(settings: LoadSettings, rank: Rank): LoadForIntent {
  return (snapshot, request) => {
    checkLoadRequest(request);
    const full = settings.strategy === 'full';
    const skills = choose(
      snapshot,
      request,
      rank,
      'skill',
      request.maxSkills ?? (full ? Number.POSITIVE_INFINITY : settings.maxSkills),
    );
    const tools = choose(
      snapshot,
      request,
      rank,
      'tool',
      request.maxTools ?? (full ? Number.POSITIVE_INFINITY : settings.maxTools),
    );
    const offered = withinBudget([...skills.named, ...tools.named, ...skills.matched, ...tools.matched], request.tokenBudget);
    const offeredSkills = offered.filter((entry): entry is Ranked<Skill> => entry.capability.kind === 'skill');
    const offeredTools = offered.filter((entry): entry is Ranked<Tool> => entry.capability.kind === 'tool');
    const totals = snapshot.totals();
    return {
      skills: offeredSkills,
      tools: offeredTools,
      tokens: {
        index: 0,
        skills: sumTokens(offeredSkills),
        tools: sumTokens(offeredTools),
        allSkills: totals.skills,
        allTools: totals.tools,
      },
      abstained: !skills.found && !tools.found,
      refused: [...skills.refused, ...tools.refused],
    };
  };
}

interface Choice {
  readonly named: readonly Ranked[];
  readonly matched: readonly Ranked[];
  readonly refused: LoadResult['refused'];
  /** Something passed the filters, even if the number was 0. */
  readonly found: boolean;
}

function choose(snapshot: IndexedSnapshot, request: LoadRequest, rank: Rank, kind: Capability['kind'], max: number): Choice {
  const personas = request.persona === '' ? request.personaFilters : [request.persona, ...request.personaFilters];
  const named: Ranked[] = [];
  const refused: { id: string; reason: RefusalReason }[] = [];
  const ids = new Set(kind === 'skill' ? request.selectedSkills : request.candidateTools);
  for (const id of ids) {
    const capability = snapshot.get(id);
    const reason = reasonToRefuse(capability, kind, personas, request.roles);
    if (reason !== undefined) refused.push({ id, reason });
    else if (capability !== undefined) named.push({ capability, score: 0 });
  }
  const others = rank(match(snapshot, { kind, domains: request.domains, personas }), request.query);
  const matched: Ranked[] = [];
  let found = named.length > 0;
  for (const entry of others) {
    if (ids.has(entry.capability.id) || !mayRun(entry.capability, request.roles)) continue;
    found = true;
    if (named.length + matched.length >= max) break;
    matched.push(entry);
  }
  return { named: named.slice(0, max), matched, refused, found };
}

function reasonToRefuse(
  capability: Capability | undefined,
  kind: Capability['kind'],
  personas: readonly string[],
  roles: readonly string[],
): RefusalReason | undefined {
  if (capability?.kind !== kind) return 'unknown';
  if (!capability.enabled) return 'disabled';
  if (definitionProblem(capability) !== undefined) return 'broken';
  if (!isForPersona(capability, personas)) return 'other_persona';
  return mayRun(capability, roles) ? undefined : 'role_missing';
}

/** What the user may not run is not offered: the model would only learn to ask for what is refused. */
function mayRun(capability: Capability, roles: readonly string[]): boolean {
  return capability.kind === 'skill' || decidePermission(capability, roles) !== 'needs_admin';
}

function sumTokens(entries: readonly Ranked[]): number {
  return entries.reduce((sum, { capability }) => sum + capability.tokenCost, 0);
}
