export { createDockerDriver, type DockerDriver, type DockerDriverOptions, type DockerStatus } from './driver.ts';
export type { Log } from './log.ts';
export { type ManagerIdentity, readManagerIdentity } from './manager-identity.ts';
