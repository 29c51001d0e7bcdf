export { type Address, AddressError, formatAddress, isLocalAddress, parseAddress } from './address.ts';
export type { Config } from './config.ts';
export { ConfigError, type ConfigProblem } from './config-error.ts';
export type { ConfigKey } from './keys.ts';
export { type ConfigSources, loadConfig } from './load-config.ts';
export { type ConfigInput, parseConfig } from './parse-config.ts';
export { describeConfig } from './reference.ts';
