export * from './call-memory.ts';
export * from './outcome-bytes.ts';
