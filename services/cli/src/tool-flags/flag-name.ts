import { printableLine } from '@yuanbot/contract';
import { Option } from 'commander';

/**
 * A name that can follow `--` without a second meaning for a shell or for commander (`=`, blanks and commas have one):
 * words of letters and digits with single dashes between them. Some letters are invisible: help could not show those.
 */
const PLAIN = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}.]*(?:-[\p{L}\p{M}\p{N}.]+)*$/u;

/**
 * Gives every parameter its flag: its own name with `-` for `_`. A name that already means something (a flag of ours,
 * `no-…`, a key that every JavaScript object has) gets `param-` before it; one that cannot be a flag gets none and is given by `--params`.
 *
 * `taken` are flags of ours, without their dashes.
 */
export function flagNames(parameters: readonly string[], taken: readonly string[]): ReadonlyMap<string, string> {
  const used = new Set([...Object.getOwnPropertyNames(Object.prototype), ...taken].map(keyOf));
  const flags = new Map<string, string>();
  for (const parameter of parameters) {
    const name = parameter.replaceAll('_', '-');
    const flag = [name, `param-${name}`].find((candidate) => isFree(candidate, used));
    if (flag === undefined) continue;
    flags.set(parameter, flag);
    used.add(keyOf(flag));
  }
  return flags;
}

function isFree(name: string, used: ReadonlySet<string>): boolean {
  return PLAIN.test(name) && printableLine(name) === name && !name.startsWith('no-') && !used.has(keyOf(name));
}

/** The key that commander keeps a flag's value under: `--a-b` and `--aB` share one. */
function keyOf(name: string): string {
  return new Option(`--${name}`).attributeName();
}
