import { section } from '../values/section.ts';
import { authSchema } from './auth.ts';
import { capabilitiesSchema } from './capabilities.ts';
import { logSchema } from './log.ts';
import { orchestratorSchema } from './orchestrator.ts';
import { pluginsSchema } from './plugins.ts';
import { sandboxManagerSchema } from './sandbox-manager.ts';
import type { Surroundings } from './surroundings.ts';

/** The whole of configs/bot.yaml. */
export function botSchema(surroundings: Surroundings) {
  return section({
    capabilities: capabilitiesSchema(surroundings),
    plugins: pluginsSchema(surroundings),
    orchestrator: orchestratorSchema(surroundings),
    sandbox_manager: sandboxManagerSchema(surroundings),
    auth: authSchema(),
    log: logSchema(),
  }).transform((read) => ({
    capabilities: read.capabilities,
    plugins: read.plugins,
    orchestrator: read.orchestrator,
    sandboxManager: read.sandbox_manager,
    auth: read.auth,
    log: read.log,
    dataDir: surroundings.dataDir,
  }));
}
