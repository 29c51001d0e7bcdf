import { describe, expect, test } from 'vitest';
import { type Params, useConverter } from './conversion.ts';

const { convert, outputOf } = useConverter();

describe('CSV to JSON', () => {
  test('objects named by the header, every field text', async () => {
    const input = '姓名,电话\r\n张三,007\r\n"李 ""四""","1,5\n"\r\n';
    expect(await convert({ input, from: 'csv', to: 'json' })).toEqual({
      output: '[{"姓名":"张三","电话":"007"},{"姓名":"李 \\"四\\"","电话":"1,5\\n"}]',
      rows: 2,
      columns: 2,
    });
  });

  test('lists, when there is no header', async () => {
    expect(await convert({ input: '1;2\n3;4', from: 'csv', to: 'json', delimiter: ';', header: false })).toEqual({
      output: '[["1","2"],["3","4"]]',
      rows: 2,
      columns: 2,
    });
  });

  test.each([
    ['12345678901234567890', '12345678901234567890'],
    ['1.10', '1.10'],
    ['-1e+5', '-1e+5'],
    ['true', 'true'],
    ['', 'null'],
    ['""', '""'],
    ['"12"', '"12"'],
    ['007', '"007"'],
    ['+1', '"+1"'],
    ['.5', '".5"'],
    ['1.', '"1."'],
    ['1e', '"1e"'],
    ['NaN', '"NaN"'],
    ['True', '"True"'],
    [' 1', '" 1"'],
    ['null', '"null"'],
  ])('with types inferred, the field %j is %s', async (field, value) => {
    const output = await outputOf({ input: `a,b\n${field},x\n`, from: 'csv', to: 'json', types: 'infer' });
    expect(output).toBe(`[{"a":${value},"b":"x"}]`);
  });

  test('a byte order mark, empty lines and a missing last line end are no data', async () => {
    const rows = '[["a","b"],["1","2"]]';
    for (const input of ['\ufeffa,b\n1,2\n', '\n\na,b\r\n\r\n1,2', 'a,b\r1,2\r', 'a,b\n1,2\n\n\n']) {
      expect(await outputOf({ input, from: 'csv', to: 'json', header: false })).toBe(rows);
    }
    expect(await convert({ input: '', from: 'csv', to: 'json' })).toEqual({ output: '[]', rows: 0, columns: 0 });
  });

  test('indented like any JSON', async () => {
    const output = await outputOf({ input: 'a,b\n1,2\n', from: 'csv', to: 'json', indent: 2 });
    expect(output).toBe(JSON.stringify([{ a: '1', b: '2' }], null, 2));
  });
});

describe('JSON to CSV', () => {
  test('columns are all names in the order they first appear; what a row lacks is empty', async () => {
    const input = '[{"b":1.10,"a":12345678901234567890},{"c":"x","a":null,"b":{"k": [1, 2]}}]';
    expect(await convert({ input, from: 'json', to: 'csv' })).toEqual({
      output: 'b,a,c\r\n1.10,12345678901234567890,\r\n"{""k"":[1,2]}",,x\r\n',
      rows: 2,
      columns: 3,
    });
  });

  test('lists as they are, short ones filled up', async () => {
    expect(await convert({ input: '[["a","b"],[true],[]]', from: 'json', to: 'csv' })).toEqual({
      output: 'a,b\r\ntrue,\r\n,\r\n',
      rows: 3,
      columns: 2,
    });
  });

  test('text that would read as something else is quoted', async () => {
    const input = JSON.stringify([['12', '', 'true', 'a,b', 'a"b', 'a\nb', '\ufeff', 'a;b', ' a ']]);
    const output = await outputOf({ input, from: 'json', to: 'csv' });
    expect(output).toBe('"12","","true","a,b","a""b","a\nb","\ufeff",a;b, a \r\n');
  });

  test('without a header line when none is wanted', async () => {
    expect(await outputOf({ input: '[{"a":1}]', from: 'json', to: 'csv', header: false })).toBe('1\r\n');
  });

  test('a row of one empty field is not an empty line', async () => {
    expect(await outputOf({ input: '[{"a":null},{"a":1}]', from: 'json', to: 'csv' })).toBe('a\r\n""\r\n1\r\n');
  });
});

describe('regular forms', () => {
  test('CSV to CSV with another delimiter', async () => {
    const params = { input: '\ufeffa;b\n"1;2";3,4\n"x";""\n', delimiter: ';', output_delimiter: ',' };
    expect(await convert({ ...params, from: 'csv', to: 'csv' })).toEqual({
      output: 'a,b\r\n1;2,"3,4"\r\nx,""\r\n',
      rows: 2,
      columns: 2,
    });
  });

  test('JSON to JSON keeps numbers and the order of names', async () => {
    const input = ' {"2":1.0, "1":[ 1e400 , -0 ],"\\u0041\\/":"\\ud83d\\ude00\\u00e9\\u0001"} ';
    const output = await outputOf({ input, from: 'json', to: 'json' });
    expect(output).toBe('{"2":1.0,"1":[1e400,-0],"A/":"😀é\\u0001"}');
  });
});

describe('mistakes are named with their line and column', () => {
  test.each<[string, Partial<Params> & { input: string }, RegExp]>([
    ['a short row', { input: 'a,b\n1\n' }, /1 field.*first row has 2.*line 2, column 1 /],
    ['a long row', { input: 'a,b\r\n1,2\r\n\r\n1,2,3\r\n' }, /3 field.*line 4, column 1 /],
    ['an open quote', { input: 'a,b\n1,"2\n' }, /never closed.*line 2, column 3 /],
    ['text after a quote', { input: 'a\n"1"x\n' }, /After a closing quote.*line 2, column 4 /],
    ['a quote inside', { input: 'é😀"\n' }, /quote inside.*line 1, column 3 /],
    ['a name twice in the header', { input: 'a,b,a\n' }, /names "a" twice.*line 1, column 1 /],
    ['no JSON at all', { input: '', from: 'json' }, /Expected a list.*line 1, column 1 /],
    ['no list', { input: '{"a":1}', from: 'json' }, /Expected a list.*column 1 /],
    ['a list of values', { input: '[1]', from: 'json' }, /Every row must be.*column 2 /],
    ['mixed rows', { input: '[{"a":1},\n [1]]', from: 'json' }, /Every row must be.*line 2, column 2 /],
    ['rows without columns', { input: '[{},{}]', from: 'json' }, /no column.*column 1 /],
    ['a missing comma', { input: '[[1 2]]', from: 'json' }, /Expected ",".*column 5 /],
    ['a trailing comma', { input: '[[1,]]', from: 'json' }, /Expected a JSON value.*column 5 /],
    ['a name twice', { input: '{"a":1,\r\n"a":2}', from: 'json', to: 'json' }, /"a" stands twice.*line 2, column 1 /],
    ['an unquoted name', { input: '{a:1}', from: 'json', to: 'json' }, /Expected a text.*column 2 /],
    ['a missing colon', { input: '{"a" 1}', from: 'json', to: 'json' }, /Expected ":".*column 6 /],
    ['a leading zero', { input: '01', from: 'json', to: 'json' }, /end of the JSON.*column 2 /],
    ['a bare minus', { input: '[-]', from: 'json', to: 'json' }, /not a JSON number.*column 2 /],
    ['half a character', { input: '["\\ud83dx"]', from: 'json', to: 'json' }, /first half.*column 3 /],
    ['the other half', { input: '["\\ude00"]', from: 'json', to: 'json' }, /second half.*column 3 /],
    ['an unknown escape', { input: '["\\x"]', from: 'json', to: 'json' }, /escapes.*column 3 /],
    ['a short escape', { input: '["\\u12"]', from: 'json', to: 'json' }, /four hexadecimal.*column 3 /],
    ['a line break in a text', { input: '["a\nb"]', from: 'json', to: 'json' }, /control character.*column 4 /],
    ['an open text', { input: '["a', from: 'json', to: 'json' }, /never closed.*column 2 /],
    ['an open list', { input: '[1', from: 'json', to: 'json' }, /Expected "," or "\]".*column 3 /],
    ['two values', { input: '1 2', from: 'json', to: 'json' }, /end of the JSON.*column 3 /],
  ])('%s', async (_title, { from = 'csv', to = from === 'csv' ? 'json' : 'csv', ...params }, message) => {
    await expect(convert({ ...params, from, to })).rejects.toMatchObject({
      code: 'ERR_TOOL_FAILED',
      message: expect.stringMatching(message),
    });
  });

  test('64 levels are read, 65 are refused', async () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    expect(await outputOf({ input: nested(64), from: 'json', to: 'json' })).toBe(nested(64));
    await expect(outputOf({ input: nested(65), from: 'json', to: 'json' })).rejects.toThrow(/more than 64 levels.*column 65 /);
  });
});

describe('large inputs', { timeout: 30_000 }, () => {
  test('a megabyte of small fields', async () => {
    const input = `a,b\n${'1,2\n'.repeat(50_000)}`;
    expect(await convert({ input, from: 'csv', to: 'json' })).toMatchObject({ rows: 50_000, columns: 2 });
  });

  test('fields and texts made of escapes alone take time in proportion to their length', async () => {
    const quotes = '"'.repeat(400_000);
    expect((await outputOf({ input: `"${quotes}"\n`, from: 'csv', to: 'json', header: false })).length).toBe(400_006);
    const text = JSON.stringify(['\n'.repeat(200_000)]);
    expect(await outputOf({ input: text, from: 'json', to: 'json' })).toBe(text);
  });

  test('a result that would outgrow the memory is refused with a word on what to do', async () => {
    const input = `${'x'.repeat(1_000)}\n${'1\n'.repeat(100_000)}`;
    await expect(outputOf({ input, from: 'csv', to: 'json' })).rejects.toThrow(/too long; convert the data in parts/);
  });
});
