import { getHeapStatistics } from 'node:v8';

const MIB = 1024 * 1024;
/**
 * Growth, in bytes, after which a collection is worth its 5–10 ms. Outside the heap little, because the next call's
 * limit for that is its own, exactly; in the heap more than what V8 lets pile up between its own small collections.
 */
const EXTERNAL_GROWTH_BYTES = 8 * MIB;
const HEAP_GROWTH_BYTES = 40 * MIB;

/**
 * Frees what a heavy call left behind, so that the memory the manager sees during a call is that call's own. Needs
 * `--expose-gc`, which the manager gives to every host process; tool code in a compartment does not see it.
 */
export function createHeapCleaner(): () => void {
  const { gc } = globalThis as { gc?: (options: object) => void };
  if (gc === undefined) throw new Error('The host process was started without --expose-gc.');
  let clean = getHeapStatistics();
  return () => {
    const now = getHeapStatistics();
    const external = now.external_memory - clean.external_memory;
    const heap = now.used_heap_size - clean.used_heap_size;
    if (external <= EXTERNAL_GROWTH_BYTES && heap <= HEAP_GROWTH_BYTES) return;
    // A plain collection leaves it to the next one to count what typed arrays gave back.
    gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    clean = getHeapStatistics();
  };
}
