import { canonicalJson, sha256Digest } from '@yuanbot/kit/canonical';
import * as z from 'zod';
import type { ListFilter } from './list-filter.ts';
import { invalidRequest } from './request-errors.ts';

/** Version, last id of the page, digest of the filter. Opaque to callers: its form may change with the version. */
const content = z.tuple([z.literal(1), z.string().min(1).max(128), z.string().length(16)]);

export function createPageToken(lastId: string, filter: ListFilter): string {
  return Buffer.from(JSON.stringify([1, lastId, filterDigest(filter)])).toString('base64url');
}

/** The id after which the page begins. */
export function readPageToken(token: string, filter: ListFilter): string {
  const [, lastId, digest] = parse(token);
  if (digest !== filterDigest(filter)) {
    throw invalidRequest('page_token is of a listing with another filter; begin again without it, or keep the filter.');
  }
  return lastId;
}

function parse(token: string): z.infer<typeof content> {
  try {
    return content.parse(JSON.parse(Buffer.from(token, 'base64url').toString()));
  } catch {
    throw invalidRequest('page_token is not one of ours; begin again without it.');
  }
}

/** Enough of a digest to tell one filter from another; nobody gains by making two alike. */
function filterDigest({ domainPrefix, kind, includeDisabled, permissionLevel, tags }: ListFilter): string {
  const filter = [domainPrefix, kind ?? '', includeDisabled, permissionLevel ?? '', [...new Set(tags)].sort()];
  return sha256Digest(canonicalJson(filter)).slice(-16);
}
