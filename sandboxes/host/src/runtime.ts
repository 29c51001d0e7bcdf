/** What a driver's worker module imports: `serveRuntime(runtime)` is its last statement. */

export { serveRuntime } from './process/serve-runtime.ts';
export type { Program, Runtime, RuntimeCall, RuntimeResult } from './runtime-contract.ts';
