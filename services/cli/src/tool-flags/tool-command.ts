import { printableLine, printableText } from '@yuanbot/contract';
import { Command, Option } from 'commander';
import { flagNames } from './flag-name.ts';
import type { Parameter, ValueForm } from './parameter.ts';
import { choiceText, parseScalar, parseValue, placeholder } from './value-text.ts';

/** A tool's parameters as a command of their own. */
export interface ToolCommand {
  /** For its help; its settings are inherited from `call`. */
  readonly command: Command;
  /** The flag of each parameter that has one, without dashes. */
  readonly flags: ReadonlyMap<string, string>;
  /** The parameters that `args` give. Throws `CommanderError`: unknown flag, bad value. */
  parse(args: readonly string[]): ReadonlyMap<string, unknown>;
}

const PARAMETERS = 'Parameters:';

/**
 * Makes flags from a tool's parameters. `shared` are the options of `call` itself: they keep their names, appear in
 * the help and are known here, so that a misspelt one finds its neighbour.
 */
export function createToolCommand(
  call: Command,
  toolId: string,
  parameters: readonly Parameter[],
  shared: readonly Option[],
): ToolCommand {
  const flags = flagNames(
    parameters.map(({ name }) => name),
    shared.map((option) => option.name()),
  );
  const given = new Map<string, unknown>();
  const command = new Command(`${call.name()} ${printableLine(toolId)}`)
    .usage('[parameters] [options]')
    .copyInheritedSettings(call)
    .helpOption(false)
    .allowExcessArguments(false);
  // Beside `call`, not below it: its options are the shared ones, and would be told twice.
  command.parent = call.parent;
  for (const parameter of parameters) {
    const flag = flags.get(parameter.name);
    if (flag === undefined) continue;
    if (parameter.value.form === 'switch') addSwitch(command, flag, parameter, given);
    else addValueFlag(command, flag, parameter, parameter.value, given);
  }
  for (const option of shared) command.addOption(option);
  command.action(() => {});
  return {
    command,
    flags,
    parse(args) {
      command.parse(withKnownDashes(args, new Set(flags.values())), { from: 'user' });
      return given;
    },
  };
}

function addValueFlag(
  command: Command,
  flag: string,
  parameter: Parameter,
  value: Exclude<ValueForm, { form: 'switch' }>,
  given: Map<string, unknown>,
): void {
  const { name } = parameter;
  const option = new Option(`--${flag} <${placeholder(value)}>`, describe(parameter)).helpGroup(PARAMETERS);
  option.argParser((text: string) => {
    const said = value.form === 'list' ? [...listSoFar(given.get(name)), parseScalar(text, value.item)] : parseValue(text, value);
    given.set(name, said);
    return said;
  });
  command.addOption(option);
}

/** `--flag` and `--no-flag`; help shows the one that changes something. */
function addSwitch(command: Command, flag: string, parameter: Parameter, given: Map<string, unknown>): void {
  const states = [
    { option: new Option(`--${flag}`, describe(parameter)), says: true },
    { option: new Option(`--no-${flag}`, describe(parameter)), says: false },
  ];
  for (const { option, says } of states) {
    command.addOption(option.helpGroup(PARAMETERS).hideHelp(parameter.default === says));
    command.on(`option:${option.name()}`, () => given.set(parameter.name, says));
  }
}

function listSoFar(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** What help says of it: words and values of the tool's file, made printable; only its description may break lines. */
function describe(parameter: Parameter): string {
  const notes = [...formNotes(parameter.value)];
  if (parameter.required) notes.push('required');
  if (parameter.default !== undefined) notes.push(`default: ${choiceText(parameter.default)}`);
  const note = notes.length === 0 ? '' : `(${notes.join('; ')})`;
  return [printableText(parameter.description), printableLine(note)].filter((part) => part !== '').join(' ');
}

function formNotes(value: ValueForm): readonly string[] {
  switch (value.form) {
    case 'choice':
      return [`choices: ${value.choices.map(choiceText).join(', ')}`];
    case 'list':
      return ['repeatable', ...formNotes(value.item)];
    default:
      return [];
  }
}

/** A parameter `max_items` has the flag `--max-items`; `--max_items`, as the definition writes it, is the same. */
function withKnownDashes(args: readonly string[], flags: ReadonlySet<string>): string[] {
  return args.map((arg) => {
    const [, no = '', name = '', rest = ''] = /^--(no-)?([^=]+)(=.*)?$/s.exec(arg) ?? [];
    const dashed = name.replaceAll('_', '-');
    return name !== dashed && flags.has(dashed) ? `--${no}${dashed}${rest}` : arg;
  });
}
