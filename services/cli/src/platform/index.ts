export { type Platform, type PlatformOptions, type RunningService, startPlatform } from './platform.ts';
export { PlatformStartError } from './start-failure.ts';
