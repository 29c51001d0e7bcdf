import { join } from 'node:path';
import { filePath } from '../values/file-path.ts';
import { section } from '../values/section.ts';
import { wholeNumber } from '../values/whole-number.ts';
import type { Surroundings } from './surroundings.ts';

export function pluginsSchema({ cwd, dataDir }: Surroundings) {
  return section({
    system: filePath({
      base: cwd,
      default: 'configs/Plugins',
      meaning: 'Folder of the shipped skills and tools (system source), read only. Relative to the working folder.',
    }),
    user: filePath({
      base: cwd,
      default: join(dataDir, 'plugins'),
      meaning:
        "Folder of the user's own skills and tools; they win over the system source on the same id. Default: plugins in $YUANBOT_DATA.",
    }),
    resource_cache_mb: wholeNumber({
      min: 1,
      max: 65_536,
      default: 64,
      meaning: 'MiB of resource files that the orchestrator keeps in memory, least recently used out first.',
    }),
  })
    .transform((read) => ({
      system: read.system,
      user: read.user,
      resourceCacheMb: read.resource_cache_mb,
    }))
    .prefault({})
    .describe('Where skills and tools come from.');
}
