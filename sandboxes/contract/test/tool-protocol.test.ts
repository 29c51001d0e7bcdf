import {
  converseOneshot,
  envelopeLine,
  parseToolLine,
  type StepAnswer,
  singleLine,
  type ToolCall,
  ToolCallError,
} from '@yuanbot/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const call: ToolCall = { paramsJson: '{"city":"北京"}', approved: true, userId: 'u"1', invocationId: 'inv' };

function failure(line: string): string {
  try {
    return JSON.stringify(parseToolLine(line));
  } catch (error) {
    if (error instanceof ToolCallError) return `${error.code}: ${error.message}`;
    throw error;
  }
}

describe('the envelope', () => {
  it('is one JSON line with what the tool is told', () => {
    expect(JSON.parse(envelopeLine(call))).toEqual({
      params: { city: '北京' },
      approved: true,
      user_id: 'u"1',
      invocation_id: 'inv',
    });
  });

  it('carries the answer to a step under its own name', () => {
    expect(JSON.parse(envelopeLine(call, { field: 'db_response', json: '[1]' }))).toMatchObject({ db_response: [1] });
  });

  it('law: is valid JSON on one line, whatever the user is called', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (userId, invocationId) => {
        const line = envelopeLine({ ...call, userId, invocationId });
        expect(line).not.toContain('\n');
        expect(JSON.parse(line)).toMatchObject({ user_id: userId, invocation_id: invocationId });
      }),
    );
  });
});

describe('a line of a tool', () => {
  it('is a result, with its content as JSON text', () => {
    expect(parseToolLine('{"type":"result","content":"晴，25°C"}')).toEqual({
      type: 'result',
      contentJson: '"晴，25°C"',
      parts: [],
    });
    expect(parseToolLine('{"type":"result"}')).toMatchObject({ contentJson: 'null' });
  });

  it('keeps numbers as they were written', () => {
    const content = '{"id":12345678901234567890,"n":1.10000000000000000}';
    expect(parseToolLine(`{"type":"result","content":${content}}`)).toMatchObject({ contentJson: content });
  });

  it('may have parts', () => {
    expect(parseToolLine('{"type":"result","content":1,"parts":[{"media_type":"image/png","data":"AA=="}]}')).toMatchObject({
      parts: [{ mediaType: 'image/png', data: 'AA==', uri: '', name: '' }],
    });
  });

  it('is a step', () => {
    expect(parseToolLine('{"type":"http","method":"get","url":"https://x.org","headers":{"a":"b"},"desc":"why"}')).toEqual({
      type: 'http',
      method: 'GET',
      url: 'https://x.org',
      headers: { a: 'b' },
      desc: 'why',
    });
    expect(parseToolLine('{"type":"db","operation":"read_memories","params":{"q":1}}')).toEqual({
      type: 'db',
      operation: 'read_memories',
      params: { q: 1 },
    });
  });

  it.each([
    ['{"type":"error","message":"no such city"}', /^ERR_TOOL_FAILED: no such city$/],
    ['{"type":"error"}', /^ERR_TOOL_FAILED: The tool failed without a message/],
    ['{"type":"error","message":"a\\u001b[2J\\u202eb"}', /^ERR_TOOL_FAILED: a\\u\{1b\}\[2J\\u\{202e\}b$/],
    ['\u001b[2J\u202e', /^ERR_OUTPUT_INVALID: .*not JSON: \\u\{1b\}\[2J\\u\{202e\}$/],
    ['no json', /^ERR_OUTPUT_INVALID: .*not JSON: no json/],
    ['[]', /^ERR_OUTPUT_INVALID: .*not an object/],
    ['{"type":"shell"}', /^ERR_OUTPUT_INVALID: .*unknown type "shell"/],
    ['{}', /^ERR_OUTPUT_INVALID: .*unknown type none/],
    ['{"type":"result","parts":{}}', /^ERR_OUTPUT_INVALID: .*not a list/],
    ['{"type":"result","parts":[{"data":1}]}', /^ERR_OUTPUT_INVALID: .*number 1/],
    ['{"type":"http","url":"https://x.org"}', /^ERR_STEP_INVALID: .*`method`/],
    ['{"type":"http","method":"GET","url":"https://x.org","headers":{"a":1}}', /^ERR_STEP_INVALID: .*`headers`/],
    ['{"type":"http","method":"GET","url":"https://x.org","body":{}}', /^ERR_STEP_INVALID: .*`body`/],
    ['{"type":"db","operation":"x","params":[]}', /^ERR_STEP_INVALID: .*`params`/],
    ['{"type":"mail"}', /^ERR_STEP_INVALID: .*mail step.*`operation`/],
  ])('%s', (line, want) => {
    expect(failure(line)).toMatch(want);
  });

  it('law: is understood, or a coded error that is not long', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 5000 }), fc.json()), (line) => {
        expect(failure(line).length).toBeLessThan(3000);
      }),
    );
  });
});

describe('singleLine', () => {
  it('takes the one line there is', () => {
    expect(singleLine('\n {"a":1} \r\n\n')).toBe(' {"a":1} \r');
  });

  it.each([
    ['', /without printing a result line/],
    ['\n \n', /without printing a result line/],
    ['{}\n{}', /more than one line/],
  ])('%j is ERR_OUTPUT_INVALID', (output, want) => {
    expect(() => singleLine(output)).toThrow(want);
  });
});

describe('converseOneshot', () => {
  it('starts the tool again with the answer to each step', async () => {
    const lines: string[] = [];
    const answers: StepAnswer[] = [
      { field: 'response', json: '{"status":200}' },
      { field: 'db_response', json: '[]' },
    ];
    const printed = [
      '{"type":"http","method":"GET","url":"https://x.org"}',
      '{"type":"db","operation":"read"}',
      '{"type":"result","content":"done"}',
    ];
    const { result, steps } = await converseOneshot(
      call,
      async (line) => {
        lines.push(line);
        return printed.shift() ?? '';
      },
      async () => answers.shift() ?? { field: 'response', json: 'null' },
    );
    expect(result.contentJson).toBe('"done"');
    expect(steps).toBe(2);
    expect(lines.map((line) => Object.keys(JSON.parse(line) as object).at(-1))).toEqual([
      'invocation_id',
      'response',
      'db_response',
    ]);
  });

  it('ends with the platform’s refusal of a step', async () => {
    const refusal = new ToolCallError('ERR_SCOPE_DENIED', 'no');
    const conversation = converseOneshot(
      call,
      async () => '{"type":"db","operation":"drop"}',
      () => Promise.reject(refusal),
    );
    await expect(conversation).rejects.toBe(refusal);
  });
});
