import { fileURLToPath } from 'node:url';
import type { SandboxDriver } from '@yuanbot/contract';
import { createHostedDriver, type HostedDriverOptions } from '@yuanbot/host';

export type WasmDriverOptions = HostedDriverOptions;

/**
 * WASI preview 1 command modules, in any language, in worker threads of separate host processes. Protocol `oneshot`: a
 * fresh instance for each line.
 */
export function createWasmDriver(options: WasmDriverOptions): SandboxDriver {
  const workerModule = fileURLToPath(new URL('./worker/main.ts', import.meta.url));
  return createHostedDriver({ workerModule, ...options, kind: 'wasm' });
}
