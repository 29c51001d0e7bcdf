import * as z from 'zod';
import { AddressError, parseAddress } from '../address.ts';
import { must, shown } from './shown.ts';

export interface ListenAddressKey {
  readonly default: string;
  readonly meaning: string;
  /** Relative unix paths are taken here. */
  readonly socketDir: string;
}

/** An address that one of our servers listens on; the mark `listens` puts it under the rule of `exposure.ts`. */
export function listenAddress({ default: fallback, meaning, socketDir }: ListenAddressKey) {
  return z
    .string(must('host:port, [IPv6]:port or unix:/path'))
    .transform((written, context) => {
      try {
        return parseAddress(written, socketDir);
      } catch (error) {
        if (!(error instanceof AddressError)) throw error;
        context.addIssue({ code: 'custom', message: `${shown(written)} ${error.message}` });
        return z.NEVER;
      }
    })
    .prefault(fallback)
    .meta({ description: meaning, listens: true });
}
