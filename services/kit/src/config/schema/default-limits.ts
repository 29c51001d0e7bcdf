import { decimal } from '../values/decimal.ts';
import { section } from '../values/section.ts';
import { wholeNumber } from '../values/whole-number.ts';

export function defaultLimitsSchema() {
  return section({
    memory_mb: wholeNumber({ min: 8, max: 65_536, default: 128, meaning: 'MiB of memory.' }),
    cpus: decimal({ min: 0.01, max: 256, default: 0.5, meaning: 'Processor cores; 0.5 is half a core.' }),
    pids: wholeNumber({ min: 1, max: 32_768, default: 64, meaning: 'Processes and threads together (docker).' }),
    output_kb: wholeNumber({ min: 1, max: 262_144, default: 256, meaning: 'KiB that a tool may print in all.' }),
  })
    .transform((read) => ({
      memoryMb: read.memory_mb,
      cpus: read.cpus,
      pids: read.pids,
      outputBytes: read.output_kb * 1024,
    }))
    .prefault({})
    .describe("What a call may use when the tool's file does not say.");
}
