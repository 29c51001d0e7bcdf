import type { LoadForIntentResponse } from '@yuanbot/proto/capability';
import type { Command } from 'commander';
import { type ConnectionOptions, withConnection } from '../connection/connect.ts';
import { embeddedOption } from '../options/embedded-option.ts';
import { addIntentOptions, type IntentOptions, intentRequest } from '../options/intent-options.ts';
import { printJson } from '../terminal/print-document.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { World } from '../world.ts';

/** A command that asks what a turn needs; they differ in what they show of the answer. */
export interface IntentView {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly examples: string;
  document(loaded: LoadForIntentResponse): unknown;
  print(stdout: Terminal, loaded: LoadForIntentResponse): void;
}

interface IntentCommandOptions extends ConnectionOptions, IntentOptions {
  readonly json?: boolean;
}

/** The answer comes from memory and a few files; a platform that takes longer is not well. */
const INTENT_TIMEOUT_MS = 30_000;

export function addIntentCommand(program: Command, world: World, view: IntentView): void {
  const command = program.command(view.name).summary(view.summary).description(view.description);
  addIntentOptions(command)
    .addOption(embeddedOption())
    .addHelpText('after', view.examples)
    .action(async (_options: unknown, self: Command) => {
      const options = self.optsWithGlobals<IntentCommandOptions>();
      await withConnection(world, options, async ({ client }) => {
        const call = { signal: world.interrupted, timeoutMs: INTENT_TIMEOUT_MS };
        const loaded = await client.loadForIntent(intentRequest(options), call);
        if (options.json) printJson(world.stdout, view.document(loaded));
        else view.print(world.stdout, loaded);
      });
    });
}
