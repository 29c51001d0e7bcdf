import { CliError } from '../failure/cli-error.ts';
import { EXIT_CODES } from '../failure/exit-code.ts';

/** Where `npm start` listens when nothing else is configured. */
export const DEFAULT_ADDRESS = '127.0.0.1:7420';

/**
 * Checks an address that a person gave: `host:port`, `[ipv6]:port` or `unix:/path` (a relative path is taken in
 * `cwd`). `from` says where it was given. Throws a usage `CliError`.
 */
export async function checkAddress(text: string, from: string, cwd: string): Promise<string> {
  // Loaded here: the default address needs no check, and a command starts the sooner without the configuration's schemas.
  const { AddressError, formatAddress, parseAddress } = await import('@yuanbot/kit/config');
  try {
    const address = parseAddress(text, cwd);
    if (address.kind === 'tcp' && address.port === 0) throw new AddressError('has port 0, where nothing can be called');
    return formatAddress(address);
  } catch (error) {
    if (!(error instanceof AddressError)) throw error;
    throw new CliError(EXIT_CODES.usage, 'USAGE', `${from}: "${text}" ${error.message}.`, { cause: error });
  }
}
