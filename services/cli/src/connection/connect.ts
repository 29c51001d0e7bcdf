import { join, resolve } from 'node:path';
import { createClient, type RpcClient, RpcError, RpcStatus } from '@yuanbot/proto';
import { CapabilityService } from '@yuanbot/proto/capability';
import { CliError } from '../failure/cli-error.ts';
import { EXIT_CODES } from '../failure/exit-code.ts';
import { startPlatform } from '../platform/index.ts';
import type { World } from '../world.ts';
import { checkAddress, DEFAULT_ADDRESS } from './address.ts';

/** How a command finds its platform; the values of the flags. */
export interface ConnectionOptions {
  readonly address?: string;
  readonly embedded?: boolean;
}

export interface Connection {
  readonly client: RpcClient<typeof CapabilityService>;
  readonly address: string;
  /** The sandbox-manager's, where the platform runs on this machine. Throws a usage `CliError` when it is not an address. */
  managerAddress(): Promise<string>;
}

/**
 * Runs `work` against the platform that the options name, or against one that lives as long as `work`.
 *
 * Throws an UNREACHABLE `CliError` when nothing answers at the address, and whatever `work` throws.
 */
export async function withConnection<T>(
  world: World,
  options: ConnectionOptions,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  if (!options.embedded) {
    return withClient({ address: await addressOf(world, options), managerAddress: () => managerAddressOf(world) }, work);
  }
  if (options.address !== undefined) {
    throw new CliError(EXIT_CODES.usage, 'USAGE', '--embedded brings up a platform of its own; --address names another.', {
      hint: 'Give one of the two.',
    });
  }
  const { root, nodePath, env, interrupted: signal } = world;
  const platform = await startPlatform({ root, nodePath, env, ephemeral: true, signal });
  try {
    const { orchestrator, sandboxManager } = platform;
    return await withClient({ address: orchestrator.listen, managerAddress: async () => sandboxManager.listen }, work);
  } finally {
    await platform.stop(world.forced);
  }
}

async function addressOf({ env, cwd }: World, { address }: ConnectionOptions): Promise<string> {
  if (address !== undefined) return checkAddress(address, '--address', cwd);
  const fromEnvironment = env['YUANBOT_ADDRESS'];
  return fromEnvironment === undefined ? DEFAULT_ADDRESS : checkAddress(fromEnvironment, 'YUANBOT_ADDRESS', cwd);
}

/** By default a socket in the data folder, as in the configuration. */
function managerAddressOf({ env, cwd, root }: World): Promise<string> {
  const dataDir = resolve(cwd, env['YUANBOT_DATA'] ?? join(root, 'data'));
  const address = env['YUANBOT_MANAGER_ADDRESS'] ?? `unix:${join(dataDir, 'sandbox-manager.sock')}`;
  return checkAddress(address, 'YUANBOT_MANAGER_ADDRESS', cwd);
}

async function withClient<T>(addresses: Omit<Connection, 'client'>, work: (connection: Connection) => Promise<T>): Promise<T> {
  const client = createClient(CapabilityService, addresses.address);
  try {
    return await work({ client, ...addresses });
  } catch (error) {
    throw isUnreachable(error, client) ? noPlatform(addresses.address, error) : error;
  } finally {
    client.close();
  }
}

/** grpc-js: the channel has a connection. */
const READY = 2;

/** The same status comes from a platform that shuts down; then there is a connection, and its own words are the better ones. */
function isUnreachable(error: unknown, { channel }: Connection['client']): error is RpcError {
  if (!(error instanceof RpcError)) return false;
  if (error.code !== RpcStatus.UNAVAILABLE && error.code !== RpcStatus.DEADLINE_EXCEEDED) return false;
  return channel.getChannel().getConnectivityState(false) !== READY;
}

function noPlatform(address: string, cause: RpcError): CliError {
  return new CliError(EXIT_CODES.unreachable, 'UNREACHABLE', `No platform answers at ${address}.`, {
    hint: 'Start one with `npm start`, name another with --address, or add --embedded to bring one up for this command.',
    cause,
  });
}
