import type { Command } from 'commander';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** Prints the ids of tools, one a line, for the scripts; quiet where no platform answers. */
export const TOOL_IDS_COMMAND = 'tool-ids';

interface Completed {
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly { readonly long: string; readonly description: string }[];
}

/** A script that completes commands, their flags, and the ids of tools after `call`. */
export function completionScript(program: Command, shell: Shell): string {
  const globals = flagsOf(program).filter(({ long }) => !PER_COMMAND.includes(long));
  const commands = program
    .createHelp()
    .visibleCommands(program)
    .map((command) => ({
      name: command.name(),
      summary: command.summary(),
      flags: [...flagsOf(command), ...globals],
    }));
  return WRITERS[shell](program.name(), commands);
}

/** Flags that every command has itself, or that mean nothing after one. */
const PER_COMMAND: readonly string[] = ['--help', '--version'];

function flagsOf(command: Command): Completed['flags'] {
  return command
    .createHelp()
    .visibleOptions(command)
    .flatMap(({ long, description }) => (long === undefined ? [] : [{ long, description }]));
}

const WRITERS: Readonly<Record<Shell, (name: string, commands: readonly Completed[]) => string>> = {
  bash: (name, commands) => `# Put this into ~/.bashrc:  source <(${name} completion bash)
_${idOf(name)}() {
  local word="\${COMP_WORDS[COMP_CWORD]}"
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map((command) => command.name).join(' ')}" -- "$word"))
    return
  fi
  local flags=""
  case "\${COMP_WORDS[1]}" in
${commands.map((command) => `    ${command.name}) flags="${command.flags.map(({ long }) => long).join(' ')}" ;;`).join('\n')}
  esac
  if [ "\${COMP_WORDS[1]}" = call ] && [ "$COMP_CWORD" -eq 2 ]; then
    flags="$flags $(${name} ${TOOL_IDS_COMMAND} 2>/dev/null)"
  fi
  COMPREPLY=($(compgen -W "$flags" -- "$word"))
}
complete -o default -F _${idOf(name)} ${name}
`,
  zsh: (name, commands) => `#compdef ${name}
# Put this into ~/.zshrc, after compinit:  source <(${name} completion zsh)
_${idOf(name)}() {
  local -a commands flags ids
  commands=(
${commands.map((command) => `    ${quoted(`${command.name}:${command.summary}`)}`).join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  case "$words[2]" in
${commands.map((command) => `    ${command.name}) flags=(${command.flags.map(({ long, description }) => quoted(`${long}:${description.replaceAll(':', '\\:')}`)).join(' ')}) ;;`).join('\n')}
  esac
  if [[ "$words[2]" == call ]] && (( CURRENT == 3 )); then
    ids=(\${(f)"$(${name} ${TOOL_IDS_COMMAND} 2>/dev/null)"})
    _describe tool ids
  fi
  _describe flag flags || _files
}
compdef _${idOf(name)} ${name}
`,
  fish: (name, commands) => `# Put this into ~/.config/fish/completions/${name}.fish:  ${name} completion fish > …
complete -c ${name} -n __fish_use_subcommand -f
${commands.map((command) => `complete -c ${name} -n __fish_use_subcommand -a ${command.name} -d ${quoted(command.summary)}`).join('\n')}
${commands
  .flatMap((command) =>
    command.flags.map(
      ({ long, description }) =>
        `complete -c ${name} -n '__fish_seen_subcommand_from ${command.name}' -l ${long.slice(2)} -d ${quoted(description)}`,
    ),
  )
  .join('\n')}
complete -c ${name} -n '__fish_seen_subcommand_from call' -f -a '(${name} ${TOOL_IDS_COMMAND} 2>/dev/null)'
`,
};

function idOf(name: string): string {
  return name.replaceAll('-', '_');
}

/** For a shell: within single quotes only the quote itself means something. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
