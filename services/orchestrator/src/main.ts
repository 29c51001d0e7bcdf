// The orchestrator's process: the only file of the service that reads it.
import { nodeProcess, runService } from '@yuanbot/kit/service';
import { startOrchestrator } from './orchestrator.ts';

await runService(
  {
    name: 'orchestrator',
    drainMs: (config) => config.orchestrator.drainTimeoutMs,
    start: startOrchestrator,
  },
  nodeProcess(process),
);
