import { join } from 'node:path';
import type { DataDir } from './data-dir.ts';

/** The environment as a process gets it. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that speak to this client and mean nothing to a service, which refuses a YUANBOT_ name that it does not know. */
const CLIENT_VARIABLES: readonly string[] = ['YUANBOT_ADDRESS', 'YUANBOT_MANAGER_ADDRESS'];

/** What a supervised service is told: where its data is, and that it ends when its stdin does. */
export function serviceEnvironment(inherited: Environment, dataDir: string, overrides: Environment): Environment {
  const kept = Object.fromEntries(Object.entries(inherited).filter(([name]) => !CLIENT_VARIABLES.includes(name)));
  return { ...kept, YUANBOT_DATA: dataDir, YUANBOT_SUPERVISED: '1', ...overrides };
}

/** Where an ephemeral platform, whose data folder is temporary, finds the user's own plugins: where they always are. */
export function userPlugins(persistentDataDir: string, env: Environment): Environment {
  return env[USER_PLUGINS] === undefined ? { [USER_PLUGINS]: join(persistentDataDir, 'plugins') } : {};
}

const USER_PLUGINS = 'YUANBOT_PLUGINS__USER';

const MANAGER_LISTEN = 'YUANBOT_SANDBOX_MANAGER__LISTEN';

/** Addresses that clash with no other platform: sockets in a folder of its own, ports that the kernel picks. */
export function ephemeralAddresses({ sockets }: DataDir): Environment {
  return {
    [MANAGER_LISTEN]: `unix:${sockets}/sandbox-manager.sock`,
    YUANBOT_SANDBOX_MANAGER__HTTP: '127.0.0.1:0',
    YUANBOT_ORCHESTRATOR__LISTEN: `unix:${sockets}/orchestrator.sock`,
    YUANBOT_ORCHESTRATOR__HTTP: '127.0.0.1:0',
  };
}

/** The manager's socket lies in the data folder unless configured elsewhere; where that path is too long, in a shorter one. */
export function shortSocket({ path, sockets }: DataDir, env: Environment): Environment {
  if (sockets === path || env[MANAGER_LISTEN] !== undefined) return {};
  return { [MANAGER_LISTEN]: `unix:${sockets}/sandbox-manager.sock` };
}
