import { fileURLToPath } from 'node:url';
import { type ExecutorDescriptor, type SandboxDriver, ToolCallError } from '@yuanbot/contract';
import { createHostedDriver, type HostedDriverOptions } from '@yuanbot/host';

export type WasmDriverOptions = HostedDriverOptions;

/**
 * WASI preview 1 command modules, in any language, in worker threads of separate host processes. Protocol `oneshot`: a
 * fresh instance for each line.
 */
export function createWasmDriver(options: WasmDriverOptions): SandboxDriver {
  const workerModule = fileURLToPath(new URL('./worker/main.ts', import.meta.url));
  const hosted = createHostedDriver({ workerModule, ...options, kind: 'wasm' });
  return {
    ...hosted,
    async prepare(executable, signal) {
      checkDescriptor(executable.descriptor);
      await hosted.prepare(executable, signal);
    },
    async run(execution) {
      checkDescriptor(execution.executable.descriptor);
      return hosted.run(execution);
    },
  };
}

function checkDescriptor({ protocol, network }: ExecutorDescriptor): void {
  if (protocol !== 'oneshot') {
    throw new ToolCallError('ERR_SANDBOX_START', `A wasm tool speaks the protocol oneshot, not ${protocol}.`);
  }
  if (network !== 'none') {
    throw new ToolCallError('ERR_SANDBOX_START', 'A wasm tool has no network; it asks for http steps instead.');
  }
}
