export * from './driver.ts';
export * from './errors.ts';
export * from './executor.ts';
export * from './json-numbers.ts';
export * from './limits.ts';
export * from './oneshot.ts';
export * from './secret-placeholder.ts';
export * from './tool-protocol.ts';
