import { Argument, type Command } from 'commander';
import { completionScript, SHELLS, type Shell, TOOL_IDS_COMMAND } from '../completion/completion-script.ts';
import { type ConnectionOptions, withConnection } from '../connection/connect.ts';
import { listCapabilities } from '../connection/list-capabilities.ts';
import type { World } from '../world.ts';

/** `completion`, and the hidden command that its scripts ask for the ids of tools. */
export function addCompletionCommand(program: Command, world: World): void {
  program
    .command('completion')
    .summary('print a completion script for a shell')
    .description('Print a script that makes a shell complete commands, flags and the ids of tools.')
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .addHelpText('after', `\nExample:\n  source <(yuanbot-cli completion bash)`)
    .action((shell: Shell) => world.stdout.write(completionScript(program, shell)));
  program.command(TOOL_IDS_COMMAND, { hidden: true }).action(async (_options: unknown, command: Command) => {
    const options = command.optsWithGlobals<ConnectionOptions>();
    await withConnection(world, options, async (connection) => {
      const { capabilities: tools } = await listCapabilities(connection, { kind: 'tool' }, world.interrupted, KEYSTROKE_MS);
      // Ids go to a shell's word list: one that a shell could read as more than a word is left out.
      for (const { id } of tools) if (/^[\w.-]+$/.test(id)) world.stdout.write(`${id}\n`);
    });
  });
}

/** Somebody waits with a finger on the tab key. */
const KEYSTROKE_MS = 700;
