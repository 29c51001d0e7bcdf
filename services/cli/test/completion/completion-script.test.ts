import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { runCli } from '../../src/cli.ts';
import { capturedWorld } from '../captured-world.ts';

async function script(shell: string): Promise<string> {
  const { world, stdout } = capturedWorld(['completion', shell]);
  expect(await runCli(world)).toBe(0);
  return stdout();
}

/** What bash offers for the words of a command line, the last of them unfinished. */
async function bashOffers(...words: string[]): Promise<string[]> {
  const line = ['yuanbot-cli', ...words].map((word) => `'${word}'`).join(' ');
  const ask = `yuanbot-cli() { [ "$1" = tool-ids ] && echo get_current_datetime; }
COMP_WORDS=(${line}); COMP_CWORD=${words.length}; COMPREPLY=(); _yuanbot_cli; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync('bash', ['-c', `${await script('bash')}\n${ask}`], { encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout.split('\n').filter((offer) => offer !== '');
}

describe('bash', () => {
  test('completes commands', async () => {
    expect(await bashOffers('l')).toEqual(['list', 'load']);
  });
  test('completes the flags of a command', async () => {
    expect(await bashOffers('list', '--d')).toEqual(['--domain']);
    expect(await bashOffers('list', '--js')).toEqual(['--json']);
  });
  test('asks the platform for the ids of tools', async () => {
    expect(await bashOffers('call', 'get')).toEqual(['get_current_datetime']);
  });
});

test.each(['zsh', 'fish'])('%s is told of every command', async (shell) => {
  const text = await script(shell);
  for (const command of ['up', 'list', 'match', 'load', 'call', 'resource', 'status', 'completion'])
    expect(text).toContain(command);
  expect(text).toContain('tool-ids');
});
