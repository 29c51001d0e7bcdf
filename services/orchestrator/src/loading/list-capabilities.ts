import { isAtOrBelow } from '../registry/domain.ts';
import type { Capability } from '../registry/model.ts';
import type { IndexedSnapshot } from '../registry/snapshot.ts';
import type { ListFilter } from './list-filter.ts';
import { listedBytes } from './listed-bytes.ts';
import { createPageToken, readPageToken } from './page-token.ts';
import { checkLength, invalidRequest } from './request-errors.ts';

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
const MAX_PAGE = 1000;
/**
 * Bytes of a page, unless its only entry has more, which cannot be more than some 500 KiB: half of gRPC's usual limit, as the
 * first page also tells the problems of files that no capability came of.
 */
const MAX_PAGE_BYTES = 2 * 1024 * 1024;
const MAX_TAGS = 64;
/** Characters of a domain or a tag; the longest there can be are shorter. */
const MAX_LENGTH = 512;
/** Characters of a page token; ours have some 230. */
const MAX_TOKEN = 512;

/**
 * One page of the index, which has fewer entries than asked for when they would not fit into a message. A token says after which id the next page begins, so pages stay right while plugins come and
 * go: what is there all the time is listed exactly once. Throws an invalid `RequestError` for a token that is none, or
 * is another filter's, and for texts that are too long.
 */
export function listCapabilities(snapshot: IndexedSnapshot, { pageSize, pageToken, ...filter }: ListRequest): ListResult {
  checkTexts(pageToken, filter);
  const size = pageSize === 0 ? DEFAULT_PAGE : Math.min(pageSize, MAX_PAGE);
  const after = pageToken === '' ? undefined : readPageToken(pageToken, filter);
  const page: Capability[] = [];
  let bytes = 0;
  for (const capability of candidates(snapshot, filter.tags)) {
    if ((after !== undefined && capability.id <= after) || !fits(capability, filter)) continue;
    const last = page.at(-1);
    bytes += listedBytes(capability);
    if ((page.length === size || bytes > MAX_PAGE_BYTES) && last !== undefined)
      return { capabilities: page, nextPageToken: createPageToken(last.id, filter) };
    page.push(capability);
  }
  return { capabilities: page, nextPageToken: '' };
}

function checkTexts(pageToken: string, { domainPrefix, tags }: ListFilter): void {
  if (tags.length > MAX_TAGS) throw invalidRequest(`tags has ${tags.length} entries; at most ${MAX_TAGS} are allowed.`);
  for (const [index, tag] of tags.entries()) checkLength(`tags[${index}]`, tag, MAX_LENGTH);
  checkLength('domain_prefix', domainPrefix, MAX_LENGTH);
  checkLength('page_token', pageToken, MAX_TOKEN);
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
