import type { LoadForIntentResponse } from '@yuanbot/proto/capability';
import type { Command } from 'commander';
import { matchDocument } from '../documents/intent.ts';
import { tokensLine } from '../report/tokens-line.ts';
import { renderTable } from '../terminal/table.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { World } from '../world.ts';
import { addIntentCommand } from './intent-command.ts';

/** `match`: what would be chosen for a turn. */
export function addMatchCommand(program: Command, world: World): void {
  addIntentCommand(program, world, {
    name: 'match',
    summary: 'show what would be chosen for a turn',
    description: 'Show which skills and tools the platform would choose for a turn, and what they cost. `load` shows them whole.',
    examples: `
Examples:
  yuanbot-cli match --domain emotional_care --persona gentle
  yuanbot-cli match --query "今天几号？" --max-tools 1`,
    document: matchDocument,
    print: printChoice,
  });
}

interface Chosen {
  readonly kind: 'skill' | 'tool';
  readonly id: string;
  readonly score: number;
  readonly tokens: number;
}

function printChoice(stdout: Terminal, loaded: LoadForIntentResponse): void {
  const chosen: Chosen[] = [
    ...loaded.skills.map(({ id, score, tokens }) => ({ kind: 'skill' as const, id, score, tokens })),
    ...loaded.tools.map(({ id, score, tokens }) => ({ kind: 'tool' as const, id, score, tokens })),
  ];
  if (chosen.length === 0) stdout.write('Nothing would be chosen.\n');
  stdout.write(
    renderTable<Chosen>(
      [
        { title: 'kind', text: ({ kind }) => kind },
        { title: 'id', text: ({ id }) => id },
        { title: 'score', align: 'right', text: ({ score }) => score.toFixed(2) },
        { title: 'tokens', align: 'right', text: ({ tokens }) => String(tokens) },
      ],
      chosen,
      stdout.colors,
    ),
  );
  stdout.write(`\n${tokensLine(loaded.tokens, stdout.colors)}`);
}
