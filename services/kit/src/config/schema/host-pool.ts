import { section } from '../values/section.ts';
import { wholeNumber } from '../values/whole-number.ts';

/** Cores per host process. A host that is killed takes its calls with it, so a large machine gets several. */
const CORES_PER_HOST = 4;
/** A worker that waits for a step is idle: two at least, so that one such call does not block its host. */
const MIN_WORKERS = 2;

/** Sizes of the processes that hold wasm or thread code. */
export function hostPoolSchema(cores: number, meaning: string) {
  return section({
    hosts: wholeNumber({
      min: 1,
      max: 256,
      default: Math.min(256, Math.max(1, Math.ceil(cores / CORES_PER_HOST))),
      meaning: 'Host processes. Default: one for every four cores.',
    }),
    workers_per_host: wholeNumber({
      min: 1,
      max: 256,
      default: Math.min(CORES_PER_HOST, Math.max(MIN_WORKERS, cores)),
      meaning: 'Worker threads in each host, one call at a time each. Default: one a core, at least 2, at most 4.',
    }),
  })
    .transform((read) => ({ hosts: read.hosts, workersPerHost: read.workers_per_host }))
    .prefault({})
    .describe(meaning);
}
