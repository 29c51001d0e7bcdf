export * from './call-memory.ts';
