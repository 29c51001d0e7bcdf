import { parseKeepingNumbers, printableLine } from '@yuanbot/contract';
import type { LoadForIntentResponse } from '@yuanbot/proto/capability';
import type { Command } from 'commander';
import { loadDocument } from '../documents/intent.ts';
import { tokensLine } from '../report/tokens-line.ts';
import { printForeignText, printJson } from '../terminal/print-document.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { World } from '../world.ts';
import { addIntentCommand } from './intent-command.ts';

/** `load`: what a turn gets, whole. */
export function addLoadCommand(program: Command, world: World): void {
  addIntentCommand(program, world, {
    name: 'load',
    summary: 'load what a turn needs: prompts and definitions',
    description:
      'Load what a turn needs, as a backend gets it: the prompts of the chosen skills and the definitions of the chosen tools.',
    examples: `
Examples:
  yuanbot-cli load --skill bedtime_story --max-tools 0
  yuanbot-cli load --domain daily_chat --json | jq '[.tools[].definition]'`,
    document: loadDocument,
    print: printLoaded,
  });
}

function printLoaded(stdout: Terminal, { skills, tools, tokens }: LoadForIntentResponse): void {
  const { bold } = stdout.colors;
  if (skills.length + tools.length === 0) stdout.write('Nothing was loaded.\n\n');
  for (const { id, name, version, prompt, tokens: cost } of skills) {
    stdout.write(`${bold(printableLine(`# skill ${id} · ${name} ${version} · ${cost} tokens`))}\n\n`);
    printForeignText(stdout, prompt);
    stdout.write('\n');
  }
  for (const { id, definitionJson, tokens: cost } of tools) {
    stdout.write(`${bold(printableLine(`# tool ${id} · ${cost} tokens`))}\n\n`);
    printJson(stdout, parseKeepingNumbers(definitionJson));
    stdout.write('\n');
  }
  stdout.write(tokensLine(tokens, stdout.colors));
}
