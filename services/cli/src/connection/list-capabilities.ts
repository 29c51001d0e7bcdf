import { type CapabilityInfo, CapabilityKind, type Problem } from '@yuanbot/proto/capability';
import type { Connection } from './connect.ts';

export interface CapabilityFilter {
  /** A domain; those below it count too. */
  readonly domain?: string;
  readonly kind?: 'skill' | 'tool';
  /** All of them. */
  readonly tag?: readonly string[];
  /** Disabled ones too. */
  readonly all?: boolean;
}

/** A listing is answered from memory; a platform that takes longer is not well. */
const LIST_TIMEOUT_MS = 30_000;

export interface Listing {
  readonly capabilities: readonly CapabilityInfo[];
  /** Of files that no capability came from. */
  readonly fileProblems: readonly Problem[];
}

/** Every page of the listing. Rejects with `RpcError`. */
export async function listCapabilities(
  { client }: Pick<Connection, 'client'>,
  { domain = '', kind, tag = [], all = false }: CapabilityFilter,
  signal: AbortSignal,
  timeoutMs = LIST_TIMEOUT_MS,
): Promise<Listing> {
  const capabilities: CapabilityInfo[] = [];
  const fileProblems: Problem[] = [];
  let pageToken = '';
  do {
    const page = await client.listCapabilities(
      {
        domainPrefix: domain,
        kind: kind === undefined ? CapabilityKind.UNSPECIFIED : KINDS[kind],
        tags: [...tag],
        includeDisabled: all,
        pageToken,
      },
      { signal, timeoutMs },
    );
    capabilities.push(...page.capabilities);
    fileProblems.push(...page.fileProblems);
    pageToken = page.nextPageToken;
  } while (pageToken !== '');
  return { capabilities, fileProblems };
}

const KINDS = { skill: CapabilityKind.SKILL, tool: CapabilityKind.TOOL } as const;
