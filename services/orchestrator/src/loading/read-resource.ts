import { LRUCache } from 'lru-cache';
import { clipText } from '../registry/clip-text.ts';
import type { Resource } from '../registry/model.ts';
import type { Registry } from '../registry/registry.ts';
import { checkLength, invalidRequest, MAX_SHOWN, notFound, shown } from './request-errors.ts';

export interface ResourceRequest {
  readonly capabilityId: string;
  /** As the capability lists it. */
  readonly path: string;
  /** In bytes. */
  readonly offset: number;
  /** In bytes; 0: as much as one answer holds. */
  readonly limit: number;
}

export interface ResourcePart {
  readonly content: Uint8Array;
  readonly info: Resource;
  /** Nothing follows after `content`. */
  readonly end: boolean;
}

/** Bytes of one answer, at most: a quarter of gRPC's message limit. The caller asks again from where it ended. */
const MAX_PART_BYTES = 1024 * 1024;

/**
 * Stage 3 (seed 003 §6.3): a capability's own files, by the paths that it lists. A caller's path is compared with that
 * list and never reaches the file system. Rejects with a `RequestError`.
 */
export type ReadResource = (
  registry: Pick<Registry, 'snapshot' | 'readArtifact'>,
  request: ResourceRequest,
) => Promise<ResourcePart>;

/** Keeps up to `cacheBytes` of resources in memory by digest, least recently used out first; readers of one file share its reading. */
export function createReadResource(cacheBytes: number): ReadResource {
  const cache = new LRUCache<string, Uint8Array, Pick<Registry, 'readArtifact'>>({
    maxSize: cacheBytes,
    sizeCalculation: (bytes) => Math.max(1, bytes.length),
    fetchMethod: (digest, _stale, { context }) => context.readArtifact(digest),
  });

  return async (registry, { capabilityId, path, offset, limit }) => {
    checkLength('capability_id', capabilityId, MAX_ID);
    checkLength('path', path, MAX_PATH);
    const capability = registry.snapshot().get(capabilityId);
    if (capability === undefined) throw notFound(`There is no capability ${shown(capabilityId)}.`);
    if (!capability.callable)
      throw notFound(`The capability ${shown(capabilityId)} is disabled or broken; its resources are not served.`);
    const info = capability.resources.find((resource) => resource.path === path);
    if (info === undefined) {
      throw notFound(`${shown(capabilityId)} has no resource ${shown(path)}. ${listed(capability.resources)}`);
    }
    if (offset > info.size) throw invalidRequest(`offset ${offset} is beyond the end of the resource (${info.size} bytes).`);
    const bytes = await cache.fetch(info.digest, { context: registry });
    if (bytes === undefined) {
      throw notFound(
        `The resource ${shown(path)} has changed or gone since the plugins were read; try again after they are read anew.`,
      );
    }
    const end = Math.min(bytes.length, offset + (limit === 0 ? MAX_PART_BYTES : Math.min(limit, MAX_PART_BYTES)));
    return { content: bytes.subarray(offset, end), info, end: end === bytes.length };
  };
}

/** Characters of an id, twice what one can have; of a path, what the system takes. */
const MAX_ID = 256;
const MAX_PATH = 4096;

/** Names that a message lists, at most. */
const MAX_LISTED = 5;

function listed(resources: readonly Resource[]): string {
  if (resources.length === 0) return 'It has no resources.';
  const names = resources.slice(0, MAX_LISTED).map(({ path }) => clipText(path, MAX_SHOWN));
  return `It has: ${names.join(', ')}${resources.length > MAX_LISTED ? ', …' : ''}.`;
}
