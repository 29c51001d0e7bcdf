import { AddressError, isLocalAddress, parseAddress } from './address.ts';
import type { ConfigProblem } from './config-error.ts';
import type { ConfigKey } from './keys.ts';
import { type ConfigNode, nearestNode } from './tree.ts';

/**
 * While callers are not asked who they are, no server may be reachable from another machine. Looks at what was
 * written, so that it is told together with every other problem; the defaults are all local.
 */
export function findExposures(tree: ConfigNode, keys: readonly ConfigKey[]): ConfigProblem[] {
  const mode = nearestNode(tree, ['auth', 'mode']);
  if (mode.exact && mode.node.kind === 'value' && mode.node.value !== 'none') return [];
  return keys
    .filter(({ listens }) => listens)
    .flatMap(({ name, path }): ConfigProblem[] => {
      const { node, exact } = nearestNode(tree, path);
      if (!exact || node.kind !== 'value' || typeof node.value !== 'string' || !isExposed(node.value)) return [];
      const message = `${JSON.stringify(node.value)} may be reached from other machines, which auth.mode: none forbids; write 127.0.0.1:port, [::1]:port, localhost:port or unix:/path`;
      return [{ origin: node.origin, key: name, message }];
    });
}

/** A text that is no address at all is told by the key's own schema. */
function isExposed(written: string): boolean {
  try {
    return !isLocalAddress(parseAddress(written, '/'));
  } catch (error) {
    if (error instanceof AddressError) return false;
    throw error;
  }
}
