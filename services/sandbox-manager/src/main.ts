// The sandbox-manager's process: the only file of the service that reads it.
import { nodeProcess, runService } from '@yuanbot/kit/service';
import { startSandboxManager } from './sandbox-manager.ts';

await runService(
  {
    name: 'sandbox-manager',
    drainMs: (config) => config.sandboxManager.drainTimeoutMs,
    start: (context) => startSandboxManager(context, { nodePath: process.execPath, pid: process.pid }),
  },
  nodeProcess(process),
);
