import type { PermissionLevel } from '@yuanbot/contract';
import type { Capability } from '../registry/model.ts';

/** Which part of the index to list. */
export interface ListFilter {
  /** Empty: all. Whole names: `daily_chat` is not a prefix of `daily_chatter`. */
  readonly domainPrefix: string;
  /** Undefined: both. */
  readonly kind: Capability['kind'] | undefined;
  readonly includeDisabled: boolean;
  /** Undefined: all; a level lists tools only. */
  readonly permissionLevel: PermissionLevel | undefined;
  /** Every one of these; none: no condition. */
  readonly tags: readonly string[];
}
