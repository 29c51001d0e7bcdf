import { distance } from 'fastest-levenshtein';
import type { RegistrySnapshot } from '../registry/registry.ts';

/** Changes of one character after which two ids are no longer taken for a slip of the pen. */
const MAX_CHANGES = 3;

/** The callable tool whose id is nearest to `id`, when one is near. */
export function nearestId(snapshot: RegistrySnapshot, id: string): string | undefined {
  let best: { id: string; changes: number } | undefined;
  for (const capability of snapshot.all()) {
    if (capability.kind !== 'tool' || !capability.callable || Math.abs(capability.id.length - id.length) > MAX_CHANGES) continue;
    const changes = distance(capability.id, id);
    if (changes <= MAX_CHANGES && changes < (best?.changes ?? Number.POSITIVE_INFINITY)) best = { id: capability.id, changes };
  }
  return best?.id;
}
