export { createWasmDriver, type WasmDriverOptions } from './driver.ts';
