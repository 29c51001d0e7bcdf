import { fileURLToPath } from 'node:url';
import type { SandboxDriver } from '@yuanbot/contract';
import { createHostedDriver, type HostedDriverOptions } from '@yuanbot/host';

/**
 * The thread sandbox: a tool's JavaScript in a SES compartment, in a worker thread of a host process (DESIGN §2, §3).
 * Tools are CommonJS text, `module.exports = async (params, ctx) => result`; what `ctx` offers is in worker/powers.ts.
 */
export function createThreadDriver(options: HostedDriverOptions): SandboxDriver {
  const workerModule = fileURLToPath(new URL('./worker/main.ts', import.meta.url));
  return createHostedDriver({ workerModule, ...options, kind: 'local_thread', takesCommand: false });
}
