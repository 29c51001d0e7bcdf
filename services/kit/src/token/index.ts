export * from './claims.ts';
export * from './keys.ts';
export * from './mint.ts';
export * from './replay.ts';
export * from './verify.ts';
