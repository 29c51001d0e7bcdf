import { isAtOrBelow } from '../registry/domain.ts';
import type { Capability } from '../registry/model.ts';
import type { IndexedSnapshot } from '../registry/snapshot.ts';
import type { ListFilter } from './list-filter.ts';
import { createPageToken, readPageToken } from './page-token.ts';
import { invalidRequest } from './request-errors.ts';

/** Field names follow `ListCapabilitiesRequest`. */
export interface ListRequest extends ListFilter {
  /** 0: the default of 100; at most 1000, more is taken as that. */
  readonly pageSize: number;
  /** Empty: from the beginning. */
  readonly pageToken: string;
}

export interface ListResult {
  /**
   * Ordered by id. Broken definitions are in it with `callable: false` and their problems, under the id that the file or
   * at least its name gives; for the rest see `problems`.
   */
  readonly capabilities: readonly Capability[];
  /** Empty: nothing follows. */
  readonly nextPageToken: string;
}

const DEFAULT_PAGE = 100;
/** Entries of a page: at some 500 bytes each well below gRPC's message limit of 4 MiB. */
const MAX_PAGE = 1000;
const MAX_TAGS = 64;

/**
 * One page of the index. A token says after which id the next page begins, so pages stay right while plugins come and
 * go: what is there all the time is listed exactly once. Throws an invalid `RequestError` for a token that is none, or
 * is another filter's.
 */
export function listCapabilities(snapshot: IndexedSnapshot, { pageSize, pageToken, ...filter }: ListRequest): ListResult {
  if (filter.tags.length > MAX_TAGS)
    throw invalidRequest(`tags has ${filter.tags.length} entries; at most ${MAX_TAGS} are allowed.`);
  const size = pageSize === 0 ? DEFAULT_PAGE : Math.min(pageSize, MAX_PAGE);
  const after = pageToken === '' ? undefined : readPageToken(pageToken, filter);
  const page: Capability[] = [];
  for (const capability of candidates(snapshot, filter.tags)) {
    if ((after !== undefined && capability.id <= after) || !fits(capability, filter)) continue;
    const last = page.at(-1);
    if (page.length === size && last !== undefined)
      return { capabilities: page, nextPageToken: createPageToken(last.id, filter) };
    page.push(capability);
  }
  return { capabilities: page, nextPageToken: '' };
}

function* candidates(snapshot: IndexedSnapshot, tags: readonly string[]): Generator<Capability, void, undefined> {
  if (tags.length === 0) {
    yield* snapshot.all();
    return;
  }
  for (const place of snapshot.index.tags.withAll(tags)) {
    const capability = snapshot.at(place);
    if (capability !== undefined) yield capability;
  }
}

function fits(capability: Capability, { domainPrefix, kind, includeDisabled, permissionLevel }: ListFilter): boolean {
  if (!capability.enabled && !includeDisabled) return false;
  if (kind !== undefined && capability.kind !== kind) return false;
  if (permissionLevel !== undefined && (capability.kind !== 'tool' || capability.permissionLevel !== permissionLevel))
    return false;
  return domainPrefix === '' || capability.domains.some((domain) => isAtOrBelow(domain, domainPrefix));
}
