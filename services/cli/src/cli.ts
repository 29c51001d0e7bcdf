import { CommanderError } from 'commander';
import { describeFailure } from './failure/describe-failure.ts';
import { EXIT_CODES, type ExitCode } from './failure/exit-code.ts';
import { createProgram } from './program.ts';
import { printFailure } from './terminal/print-failure.ts';
import type { World } from './world.ts';

/** Runs one command line to its end. Never rejects: what failed is told on stderr, and in the exit code. */
export async function runCli(world: World): Promise<ExitCode> {
  try {
    await createProgram(world).parseAsync([...world.args], { from: 'user' });
    return EXIT_CODES.ok;
  } catch (error) {
    if (error instanceof CommanderError && isHelp(error)) return error.exitCode === 0 ? EXIT_CODES.ok : EXIT_CODES.usage;
    const failure = describeFailure(error, world.interrupted);
    printFailure(world.stderr, failure, world.args.includes('--json'));
    return failure.exitCode;
  }
}

/** Help and version have been printed by then; they end parsing in the same way as an error does. */
function isHelp({ code }: CommanderError): boolean {
  return code === 'commander.help' || code === 'commander.helpDisplayed' || code === 'commander.version';
}
