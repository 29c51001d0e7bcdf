export { createWasmDriver, type WasmDriverOptions } from './driver.ts';
export { secretPlaceholder } from './secret-placeholder.ts';
