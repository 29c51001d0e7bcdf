import { Command } from 'commander';
import stringWidth from 'string-width';
import { addCallCommand } from './commands/call.ts';
import { addCompletionCommand } from './commands/completion.ts';
import { addListCommand } from './commands/list.ts';
import { addLoadCommand } from './commands/load.ts';
import { addMatchCommand } from './commands/match.ts';
import { addResourceCommand } from './commands/resource.ts';
import { addStatusCommand } from './commands/status.ts';
import { addUpCommand } from './commands/up.ts';
import { DEFAULT_ADDRESS } from './connection/address.ts';
import { EXIT_CODE_MEANINGS } from './failure/exit-code.ts';
import type { World } from './world.ts';

/** Every command of the client. Parsing it throws `CommanderError`, or what the command throws; nothing ends the process. */
export function createProgram(world: World): Command {
  const { stdout, stderr } = world;
  const { bold } = stdout.colors;
  const program = new Command('yuanbot-cli')
    .description('The command line of the Yuan·Bot capability platform: what it can do, and doing it.')
    .version(world.version, '-V, --version', 'print the version')
    .option('--json', 'one JSON document on stdout, errors as JSON on stderr')
    .option(
      '--address <address>',
      `where the platform is: host:port or unix:/path (env: YUANBOT_ADDRESS; default: ${DEFAULT_ADDRESS})`,
    )
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      // An error is told once, by whoever catches it.
      outputError: () => {},
      getOutHelpWidth: () => stdout.columns ?? PLAIN_WIDTH,
      getErrHelpWidth: () => stderr.columns ?? PLAIN_WIDTH,
      getOutHasColors: () => stdout.colors.isColorSupported,
      getErrHasColors: () => stderr.colors.isColorSupported,
    })
    .configureHelp({ showGlobalOptions: true, displayWidth: (text) => stringWidth(text), styleTitle: (title) => bold(title) })
    .addHelpText('after', closing());
  addUpCommand(program, world);
  addListCommand(program, world);
  addMatchCommand(program, world);
  addLoadCommand(program, world);
  addCallCommand(program, world);
  addResourceCommand(program, world);
  addStatusCommand(program, world);
  addCompletionCommand(program, world);
  return program;
}

/** Columns of help text that goes to no terminal. */
const PLAIN_WIDTH = 100;

function closing(): string {
  const codes = EXIT_CODE_MEANINGS.map(([code, meaning]) => `  ${String(code).padStart(3)}  ${meaning}`).join('\n');
  return `
Examples:
  yuanbot-cli up                                      start a platform and serve
  yuanbot-cli list                                    what is there
  yuanbot-cli call get_current_datetime --help        a tool's parameters
  yuanbot-cli call get_current_datetime --embedded    a call without a running platform

Exit codes:
${codes}`;
}
