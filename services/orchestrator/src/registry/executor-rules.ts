import type { PermissionLevel, SandboxKind } from '@yuanbot/contract';
import type { ValuePath } from './document.ts';
import { type ExecutorFields, isReadingOperation } from './executor-fields.ts';
import type { Tool } from './model.ts';
import { formatNetPattern, keepsReadonlyPromise } from './net-pattern.ts';

/** A rule that a tool's file breaks although each of its values is well formed. */
export interface BrokenRule {
  readonly path: ValuePath;
  readonly severity: 'warning' | 'error';
  readonly message: string;
  readonly mend: string;
}

interface Rules {
  readonly permissionLevel: PermissionLevel;
  readonly confirm: Tool['confirm'] | undefined;
  readonly type: SandboxKind;
  readonly executor: ExecutorFields;
  /** A folder with this one plugin in it, rather than files beside other plugins'. */
  readonly hasOwnFolder: boolean;
}

/** How much each answer asks of the user, from least to most. */
const CONFIRMATIONS: readonly Tool['confirm'][] = ['never', 'first_use', 'always', 'each_step'];

/** What a level asks for when the file says nothing (DESIGN §3, "Permission levels"). */
export const CONFIRM_OF_LEVEL: Readonly<Record<PermissionLevel, Tool['confirm']>> = {
  readonly: 'never',
  user_data: 'first_use',
  system: 'always',
};

/** Every rule of DESIGN §3 that a tool's file breaks. */
export function brokenRules(rules: Rules): readonly BrokenRule[] {
  return [
    ...confirmRules(rules),
    ...(rules.permissionLevel === 'readonly' ? readonlyRules(rules) : []),
    ...sandboxRules(rules),
    ...folderRules(rules),
  ];
}

function confirmRules({ permissionLevel, confirm }: Rules): BrokenRule[] {
  const least = CONFIRM_OF_LEVEL[permissionLevel];
  if (confirm === undefined || CONFIRMATIONS.indexOf(confirm) >= CONFIRMATIONS.indexOf(least)) return [];
  return [
    error(
      ['confirm'],
      `\`confirm: ${confirm}\` is looser than what \`permission_level: ${permissionLevel}\` asks for.`,
      `Write \`confirm: ${least}\` or stricter, or leave it out.`,
    ),
  ];
}

function readonlyRules({ executor }: Rules): BrokenRule[] {
  return [
    ...executor.net.flatMap((pattern, index) =>
      keepsReadonlyPromise(pattern)
        ? []
        : [
            error(
              ['executor', 'net', index],
              `A readonly tool must not write, but \`${formatNetPattern(pattern)}\` allows that on every host below the pattern.`,
              'Name the exact host for methods other than GET and HEAD, or write `permission_level: user_data`.',
            ),
          ],
    ),
    ...executor.db.flatMap((operation, index) =>
      isReadingOperation(operation)
        ? []
        : [
            error(
              ['executor', 'db', index],
              `A readonly tool must not write, but \`${operation}\` is not an operation that reads.`,
              'List operations that begin with read_, list_, search_ or get_, or write `permission_level: user_data`.',
            ),
          ],
    ),
  ];
}

function sandboxRules(rules: Rules): BrokenRule[] {
  const { type, executor } = rules;
  return type === 'docker' ? dockerRules(rules) : codeRules(type, executor);
}

function dockerRules({ executor, permissionLevel }: Rules): BrokenRule[] {
  const broken: BrokenRule[] = [];
  if ((executor.image === undefined) === (executor.build === undefined)) {
    const both = executor.image !== undefined;
    broken.push(
      error(
        ['executor', both ? 'build' : 'type'],
        both ? 'A docker tool has either `image` or `build`, not both.' : 'A docker tool needs `image` or `build`.',
        both ? 'Remove one of them.' : 'Add `image: <reference>`, or `build: .` and a Dockerfile.',
      ),
    );
  }
  if (executor.fallback !== undefined && permissionLevel !== 'readonly') {
    broken.push(error(['executor', 'fallback'], 'Only a readonly tool may fall back to another sandbox.', 'Remove `fallback`.'));
  }
  if (executor.fallback !== undefined && executor.entry === undefined) {
    broken.push(error(['executor', 'fallback'], 'A fallback needs a script to run.', 'Add `entry: <script>.js` beside it.'));
  }
  if (executor.entry !== undefined && executor.fallback === undefined) {
    broken.push(
      warning(
        ['executor', 'entry'],
        'A docker tool uses `entry` for its fallback only.',
        'Remove it, or add `fallback: local_thread`.',
      ),
    );
  }
  if (executor.network === 'proxy' && executor.env.length > 0) {
    broken.push(
      error(
        ['executor', 'env'],
        'A tool with `network: proxy` cannot use secrets: their placeholders cannot be replaced inside its TLS connections.',
        'Use http steps and `network: none`, or remove `env`.',
      ),
    );
  }
  return broken;
}

function codeRules(type: 'wasm' | 'local_thread', executor: ExecutorFields): BrokenRule[] {
  const broken: BrokenRule[] = [];
  if (executor.entry === undefined) {
    broken.push(
      error(
        ['executor', 'type'],
        `A ${type} tool needs an \`entry\`.`,
        `Add \`entry: ${type === 'wasm' ? 'module.wasm' : 'tool.js'}\`.`,
      ),
    );
  }
  for (const key of ['image', 'build', 'fallback'] as const) {
    if (executor[key] !== undefined) {
      broken.push(error(['executor', key], `\`${key}\` is for docker tools only.`, `Remove it, or write \`type: docker\`.`));
    }
  }
  if (executor.network === 'proxy') {
    broken.push(error(['executor', 'network'], '`network: proxy` is for docker tools only.', 'Remove it and use http steps.'));
  }
  if (type === 'local_thread' && executor.command.length > 0) {
    broken.push(error(['executor', 'command'], 'A local_thread tool has no command line.', 'Remove `command`.'));
  }
  return broken;
}

/** Beside other plugins' files, "the tool's folder" would be all of theirs. */
function folderRules({ executor, hasOwnFolder }: Rules): BrokenRule[] {
  if (hasOwnFolder) return [];
  const mend = 'Move the tool’s files into a folder of their own, named like the tool.';
  return [
    ...(executor.build === undefined
      ? []
      : [error(['executor', 'build'], '`build` needs a folder that holds this one tool.', mend)]),
    ...(executor.fs === 'none' ? [] : [error(['executor', 'fs'], '`fs: read` needs a folder that holds this one tool.', mend)]),
  ];
}

function error(path: ValuePath, message: string, mend: string): BrokenRule {
  return { path, severity: 'error', message, mend };
}

function warning(path: ValuePath, message: string, mend: string): BrokenRule {
  return { path, severity: 'warning', message, mend };
}
