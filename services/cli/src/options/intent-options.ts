import type { Command } from 'commander';
import { collect, wholeNumber } from './values.ts';

/** What a turn needs, as flags. */
export interface IntentOptions {
  readonly domain?: readonly string[];
  readonly persona?: readonly string[];
  readonly query?: string;
  readonly skill?: readonly string[];
  readonly tool?: readonly string[];
  readonly maxSkills?: number;
  readonly maxTools?: number;
  readonly role?: readonly string[];
}

export function addIntentOptions(command: Command): Command {
  return command
    .option('-d, --domain <domain>', 'a capability domain, such as daily_chat or daily_chat/weather; repeatable', collect)
    .option('-p, --persona <filter>', 'a filter of the persona; repeatable', collect)
    .option('-q, --query <words>', "the user's words")
    .option('--skill <id>', 'a skill that a directive selected: first, still filtered; repeatable', collect)
    .option('--tool <id>', 'a tool that a directive proposed: first, still filtered; repeatable', collect)
    .option('--max-skills <n>', 'at most this many skills (default: 2)', wholeNumber)
    .option('--max-tools <n>', 'at most this many tools (default: as configured, 3)', wholeNumber)
    .option('--role <role>', 'a role of the user; repeatable', collect);
}

/** The request that the flags make. */
export function intentRequest(options: IntentOptions) {
  return {
    domains: [...(options.domain ?? [])],
    personaFilters: [...(options.persona ?? [])],
    query: options.query ?? '',
    selectedSkills: [...(options.skill ?? [])],
    candidateTools: [...(options.tool ?? [])],
    ...(options.maxSkills === undefined ? {} : { maxSkills: options.maxSkills }),
    ...(options.maxTools === undefined ? {} : { maxTools: options.maxTools }),
    roles: [...(options.role ?? [])],
  };
}
