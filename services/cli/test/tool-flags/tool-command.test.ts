import { Command, CommanderError, Option } from 'commander';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parametersOf } from '../../src/tool-flags/parameter.ts';
import { paramsJson } from '../../src/tool-flags/params-source.ts';
import { createToolCommand } from '../../src/tool-flags/tool-command.ts';

function toolCommand(schema: object) {
  const program = new Command('yuanbot-cli').exitOverride().configureOutput({ outputError: () => {} });
  const call = program.command('call');
  return createToolCommand(call, 'some_tool', parametersOf(schema), [new Option('-u, --user <id>', 'the user')]);
}

function parse(schema: object, args: readonly string[]): unknown {
  return JSON.parse(paramsJson({}, toolCommand(schema).parse(args)));
}

const SCHEMA = {
  type: 'object',
  properties: {
    city: { type: 'string', description: '城市名称' },
    format: { type: 'string', enum: ['full', 'date', 'time'], default: 'full' },
    max_items: { type: 'integer' },
    ratio: { type: 'number' },
    verbose: { type: 'boolean' },
    cache: { type: 'boolean', default: true },
    tags: { type: 'array', items: { type: 'string' } },
    scores: { type: 'array', items: { type: 'number' } },
    filter: { type: 'object' },
    user: { type: 'string' },
  },
  required: ['city'],
};

describe('flags of a tool', () => {
  test('give parameters of the right types', () => {
    const args = [
      '--city',
      '北京',
      '--max-items=3',
      '--ratio',
      '-0.5e3',
      '--verbose',
      '--no-cache',
      '--tags',
      'a',
      '--tags',
      '-b',
    ];
    expect(parse(SCHEMA, [...args, '--filter', '{"x":[1,null]}', '--param-user', 'u'])).toEqual({
      city: '北京',
      max_items: 3,
      ratio: -500,
      verbose: true,
      cache: false,
      tags: ['a', '-b'],
      filter: { x: [1, null] },
      user: 'u',
    });
  });

  test('may be written as the definition writes the name', () => {
    expect(parse(SCHEMA, ['--max_items', '3', '--city', '--max_city'])).toEqual({ max_items: 3, city: '--max_city' });
  });

  test('say nothing of what is not given: defaults are the platform’s', () => {
    expect(parse(SCHEMA, [])).toEqual({});
  });

  test('keep numbers as they are written', () => {
    const given = toolCommand(SCHEMA).parse(['--max-items', '12345678901234567890', '--scores', '0.10000000000000000555']);
    expect(paramsJson({}, given)).toBe('{"max_items":12345678901234567890,"scores":[0.10000000000000000555]}');
  });

  test('carry a parameter named __proto__ as data', () => {
    const schema = JSON.parse('{"properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"}}}');
    const given = toolCommand(schema).parse(['--param-constructor', 'x']);
    expect(paramsJson(JSON.parse('{"__proto__":1}'), given)).toBe('{"__proto__":1,"constructor":"x"}');
  });

  test.each([
    [['--format', 'week'], "option '--format <choice>' argument 'week' is invalid. Allowed choices are full, date, time."],
    [['--max-items', '1.5'], "option '--max-items <integer>' argument '1.5' is invalid. Write a whole number."],
    [['--ratio', '0x10'], "option '--ratio <number>' argument '0x10' is invalid. Write a number."],
    [['--filter', '{x}'], "option '--filter <json>' argument '{x}' is invalid. Write JSON, in quotes for the shell."],
    [['--city'], "option '--city <string>' argument missing"],
    [['--citty', 'x'], "unknown option '--citty'\n(Did you mean --city?)"],
    [['--usr', 'x'], "unknown option '--usr'\n(Did you mean --user?)"],
    [['Beijing'], 'too many arguments'],
  ])('%j is refused in words', (args, message) => {
    expect(() => toolCommand(SCHEMA).parse(args)).toThrow(CommanderError);
    expect(() => toolCommand(SCHEMA).parse(args)).toThrow(message);
  });

  test('appear in the help with types, choices, defaults and what is required', () => {
    const help = toolCommand(SCHEMA).command.helpInformation();
    expect(help).toContain('Usage: yuanbot-cli call some_tool [parameters] [options]');
    expect(help).toMatch(/Parameters:\n +--city <string> +城市名称 \(required\)/);
    expect(help).toMatch(/--format <choice> +\(choices: full, date, time; default: full\)/);
    expect(help).toMatch(/--tags <string> +\(repeatable\)/);
    expect(help).toMatch(/--no-cache +\(default: true\)/);
    expect(help).not.toMatch(/--cache/);
    expect(help).toMatch(/Options:\n +-u, --user <id> +the user/);
  });
});

test('law: what a flag says is what the tool gets', () => {
  const value = fc.oneof(
    fc.string().map((text) => ({ property: { type: 'string' }, text, json: text })),
    fc.integer().map((number) => ({ property: { type: 'integer' }, text: String(number), json: number })),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => {
      const json = JSON.parse(JSON.stringify(number));
      return { property: { type: 'number' }, text: JSON.stringify(number), json };
    }),
    fc.jsonValue().map((json) => ({ property: {}, text: JSON.stringify(json), json: JSON.parse(JSON.stringify(json)) })),
  );
  fc.assert(
    fc.property(value, fc.boolean(), ({ property, text, json }, joined) => {
      const args = joined ? [`--p=${text}`] : ['--p', text];
      expect(parse({ properties: { p: property } }, args)).toEqual({ p: json });
    }),
  );
});
