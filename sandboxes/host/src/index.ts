export { createHostPool, type HostPool } from './host-pool.ts';
export { createHostedDriver, type HostedDriverOptions } from './hosted-driver.ts';
export { createProcessIsolation, type Isolation } from './isolation.ts';
export type { HostedCall, RunOptions } from './job.ts';
export type { HostEvent, HostPoolOptions } from './options.ts';
export type { Program } from './runtime-contract.ts';
