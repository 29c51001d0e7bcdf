import { ToolCallError } from '@yuanbot/contract';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { executableOf, startToolDriver, toolOf } from './fixtures/tool-driver.ts';

// A process is started here, and started anew: on a busy machine that takes seconds.
vi.setConfig({ testTimeout: 20_000, hookTimeout: 20_000 });

const { driver, call, run, failure, prepareFailure } = startToolDriver();
afterAll(() => driver.close());

describe('parameters and results', () => {
  test('parameters come parsed, hostile keys as data', async () => {
    const paramsJson = '{"__proto__":{"polluted":1},"constructor":2,"text":"漢😀"}';
    const body =
      'return { keys: Object.keys(params), polluted: params.polluted ?? null, own: params["__proto__"], text: params.text };';
    expect(await call(body, { paramsJson })).toEqual({
      keys: ['__proto__', 'constructor', 'text'],
      polluted: null,
      own: { polluted: 1 },
      text: '漢😀',
    });
  });

  test.each([
    ['nothing', 'return;', null],
    ['undefined in a list', 'return [undefined];', [null]],
    ['a value with toJSON', 'return { toJSON: () => ({ a: 1 }) };', { a: 1 }],
    ['a date', 'return new Date(0);', '1970-01-01T00:00:00.000Z'],
    ['a thenable', 'return { then: (resolve) => resolve(5) };', 5],
    ['an object that looks like a wrapper', 'return { content: 1, parts: [] };', { content: 1, parts: [] }],
  ])('%s is a result', async (_, body, content) => {
    expect(await call(body)).toEqual(content);
  });

  test('a number that a double cannot hold can be written', async () => {
    expect((await run(toolOf('return { id: JSON.rawJSON("12345678901234567890") };'))).contentJson).toBe(
      '{"id":12345678901234567890}',
    );
  });

  test.each([
    ['a function', 'return () => {};', 'function'],
    ['a function inside', 'return { deep: [{ call: () => {} }] };', '"call"'],
    ['a symbol', 'return { s: Symbol("x") };', 'symbol'],
    ['a BigInt', 'return { big: 1n };', 'BigInt'],
    ['NaN', 'return { n: 0 / 0 };', 'NaN'],
    ['a cycle', 'const a = {}; a.a = a; return a;', 'circular'],
    ['a getter that throws', 'return { get x() { throw new Error("no x"); } };', 'no x'],
    ['nesting without end', 'let a = []; for (let i = 0; i < 1e5; i++) a = [a]; return a;', 'call stack'],
  ])('%s is not a result, and the message says why', async (_, body, words) => {
    const { code, message } = await failure(toolOf(body));
    expect(code).toBe('ERR_OUTPUT_INVALID');
    expect(message).toContain(words);
    expect(message).not.toContain('\n');
  });

  test('parts go beside the content', async () => {
    const source = toolOf(
      'return ctx.result({ a: 1 }, [{ mediaType: "image/png", data: "AAAA" }, { mediaType: "text/html", uri: "https://x/y", name: "y" }]);',
    );
    const { contentJson, parts } = await run(source);
    expect(contentJson).toBe('{"a":1}');
    expect(parts).toEqual([
      { mediaType: 'image/png', data: 'AAAA', uri: '', name: '' },
      { mediaType: 'text/html', data: '', uri: 'https://x/y', name: 'y' },
    ]);
    for (const wrong of ['[{}]', '5', '[{ mediaType: "a/b", data: 1 }]']) {
      expect((await failure(toolOf(`return ctx.result(1, ${wrong});`))).code).toBe('ERR_OUTPUT_INVALID');
    }
  });

  test('content and parts together are limited', async () => {
    const limits = { outputBytes: 1000 };
    expect((await failure(toolOf('return "x".repeat(999);'), { limits })).code).toBe('ERR_OUTPUT_LIMIT');
    expect(await call('return "x".repeat(998);', { limits })).toHaveLength(998);
    const parts = toolOf('return ctx.result(1, [{ mediaType: "a/b", data: "A".repeat(1000) }]);');
    expect((await failure(parts, { limits })).code).toBe('ERR_OUTPUT_LIMIT');
  });
});

describe('errors of a tool', () => {
  test.each([
    ['an error', 'throw new RangeError("The city is not known.");', 'The city is not known.'],
    ['a text', 'throw "plain";', 'plain'],
    ['nothing', 'throw undefined;', 'The tool failed without a message.'],
    ['a message that throws', 'throw { get message() { throw 1; } };', 'The tool failed without a message.'],
    ['a message that is no text', 'throw { message: { toString() { return "x"; } } };', 'The tool failed without a message.'],
    [
      'a proxy',
      'throw new Proxy({}, { get() { throw 1; }, getPrototypeOf() { throw 2; } });',
      'The tool failed without a message.',
    ],
    ['a look-alike of ours', 'throw Object.assign(new Error("mine"), { name: "ToolCallError", code: "ERR_INTERNAL" });', 'mine'],
  ])('%s is ERR_TOOL_FAILED with its message', async (_, body, message) => {
    expect(await failure(toolOf(body))).toEqual({ code: 'ERR_TOOL_FAILED', message });
  });

  test('a stack overflow is the tool’s, and the thread lives on', async () => {
    expect((await failure(toolOf('const f = () => f(); f();'))).code).toBe('ERR_TOOL_FAILED');
    expect(await call('return 1;')).toBe(1);
  });

  test('a rejection nobody handles harms neither this call nor the next', async () => {
    expect(await call('Promise.reject(new Error("late")); void (async () => { throw 1; })(); return 1;')).toBe(1);
    expect((await run(toolOf('return 2;'))).stats.warm).toBe(false);
    const again = await run(toolOf('return 2;'));
    // Prepared in the same thread before: had that died, this one would not be warm.
    expect(again.stats.warm).toBe(true);
  });
});

describe('a file that cannot be used', () => {
  test.each([
    ['a syntax error', 'const a = 1;\nlet b = ;\n', ['line 2', "Unexpected token ';'"]],
    ['an error in a function body', 'module.exports = () => {\n\n  return 1 +;\n};', ['line 3']],
    ['an ES module', 'import fs from "fs";\nmodule.exports = () => 1;', ['line 1', 'cjs']],
    ['an export', 'const a = 1;\nexport default a;', ['line 2', 'cjs']],
    ['a dynamic import', 'module.exports = async () => 1;\n\nconst x = () => import("node:fs");', ['line 3', 'import']],
    ['an HTML comment', 'const a = 1;\n<!-- comment\nmodule.exports = () => a;', ['line 2']],
    ['an end of its wrapper', '});\nconst shared = [];\n(function (module) {', ['line 1']],
    ['sloppy code', 'module.exports = () => { with (Math) {} };', ['line 1', 'with']],
    ['no export', 'const main = async () => 1;', ['module.exports']],
    ['an export that is no function', 'module.exports = { run: () => 1 };', ['module.exports']],
    ['a require', 'const fs = require("fs");\nmodule.exports = () => 1;', ['require']],
    ['a throw while it loads', 'throw new Error("no configuration");', ['no configuration']],
  ])('%s is ERR_SANDBOX_START with the place and the cause, at prepare and at run', async (_, source, words) => {
    const prepared = await prepareFailure(source);
    expect(prepared.code).toBe('ERR_SANDBOX_START');
    for (const word of words) expect(prepared.message).toContain(word);
    expect(await failure(source)).toEqual(prepared);
    expect(prepared.message).not.toContain('/');
  });

  test('bytes that are no text, and no file at all, are refused', async () => {
    expect((await prepareFailure(Uint8Array.of(0xff, 0xfe, 0x00))).code).toBe('ERR_SANDBOX_START');
    const { signal } = new AbortController();
    await expect(driver.prepare({ ...executableOf(''), artifact: undefined }, signal)).rejects.toMatchObject({
      code: 'ERR_SANDBOX_START',
    });
  });

  test('a byte order mark, a comment at the end, and CRLF are fine', async () => {
    expect((await run('\ufeffmodule.exports = () => 7;\r\n// end')).contentJson).toBe('7');
  });
});

describe('limits', () => {
  test.each([
    ['a busy loop', 'for (;;);'],
    ['a promise that never settles', 'await new Promise(() => {});'],
    ['promise jobs without end', 'for (;;) await null;'],
    ['promise jobs that outlive the result', 'void (async () => { for (;;) await null; })(); return 1;'],
    ['a catastrophic regular expression', 'return /^(a+)+$/.test("a".repeat(60) + "b");'],
    ['a toJSON that never returns', 'return { toJSON() { for (;;); } };'],
    ['a thrown message that never returns', 'throw { get message() { for (;;); } };'],
  ])('%s ends by the time limit', async (_, body) => {
    await call('return 0;');
    const startedAt = performance.now();
    expect((await failure(toolOf(body), { limits: { timeoutMs: 150 } })).code).toBe('ERR_SANDBOX_TIMEOUT');
    expect(performance.now() - startedAt).toBeLessThan(150 + 250 + 100);
  });

  test('a file that never finishes loading is ended too', async () => {
    await using impatient = startToolDriver();
    const cancel = new AbortController();
    const ended = impatient.driver.prepare(executableOf('for (;;);'), cancel.signal);
    cancel.abort();
    await expect(ended).rejects.toMatchObject({ code: 'ERR_CANCELLED' });
    expect(await impatient.call('return 1;')).toBe(1);
  });

  test.each([
    ['typed arrays', 'const all = []; for (;;) all.push(new Uint8Array(1e6).fill(1));'],
    ['plain objects', 'const all = []; for (;;) all.push({ n: all.length });'],
    [
      'strings',
      'let text = "x"; const all = []; for (;;) { if (text.length < 2e6) text += text; all.push(text + all.length); all.at(-1).charCodeAt(1); }',
    ],
  ])('%s without end are ERR_SANDBOX_MEMORY', { timeout: 20_000 }, async (_, body) => {
    expect((await failure(toolOf(body))).code).toBe('ERR_SANDBOX_MEMORY');
    expect(await call('return 1;')).toBe(1);
  });
});

describe('powers', () => {
  test('clock, chance, identity', async () => {
    const before = Date.now();
    const body =
      'return { now: ctx.now(), random: [ctx.random(), ctx.random()], userId: ctx.userId, id: ctx.invocationId, approved: ctx.approved };';
    const got = (await call(body)) as { now: number; random: [number, number] };
    expect(got).toMatchObject({ userId: 'user-1', id: 'call-1', approved: true });
    expect(got.now).toBeGreaterThanOrEqual(before);
    expect(got.now).toBeLessThanOrEqual(Date.now());
    expect(got.random.every((value) => value >= 0 && value < 1)).toBe(true);
    expect(got.random[0]).not.toBe(got.random[1]);
  });

  test('all of them are frozen', async () => {
    expect(await call('return [ctx, ...Object.values(ctx)].filter((power) => !Object.isFrozen(power)).length;')).toBe(0);
  });

  test('time in a zone; an unknown zone is named', async () => {
    expect(await call('return ctx.zonedTime(0, "Asia/Shanghai");')).toEqual({
      year: 1970,
      month: 1,
      day: 1,
      hour: 8,
      minute: 0,
      second: 0,
      weekday: 4,
      offsetMinutes: 480,
    });
    expect((await failure(toolOf('return ctx.zonedTime(0, "Mars/Olympus");'))).message).toContain('"Mars/Olympus"');
  });

  test('the tool’s own files, and no others', async () => {
    const resources = new Map([['data/a.txt', Buffer.from('ä')]]);
    expect(await call('return ctx.resource("data/a.txt"); /* own */', { resources })).toBe('ä');
    const other = toolOf('return ctx.resource("../../etc/passwd");');
    expect(await failure(other, { resources })).toMatchObject({ code: 'ERR_TOOL_FAILED' });
  });

  test('steps go to the platform, and their answers come back parsed', async () => {
    const steps: unknown[] = [];
    const performStep = async (step: unknown) => {
      steps.push(step);
      return { field: 'response', json: '{"status":200,"__proto__":{"x":1}}' } as const;
    };
    const body = `const answer = await ctx.http({ method: 'get', url: 'https://a/b', headers: { h: '1' }, desc: 'why', extra: 1 });
      await ctx.db('read', { n: 1 }); return { status: answer.status, x: answer.x ?? null };`;
    expect(await call(body, { performStep })).toEqual({ status: 200, x: null });
    expect(steps).toEqual([
      { type: 'http', method: 'GET', url: 'https://a/b', headers: { h: '1' }, desc: 'why' },
      { type: 'db', operation: 'read', params: { n: 1 } },
    ]);
  });

  test.each([
    'try { await ctx.http({ method: "GET", url: "https://a/" }); } catch { } return "swallowed";',
    'try { await ctx.db("x"); } finally { return "swallowed"; }',
    'return await Promise.race([ctx.db("x").catch(() => "swallowed"), new Promise(() => {})]);',
    'return await Promise.any([ctx.db("x"), new Promise(() => {})]);',
  ])('a refused step ends the call with the platform’s code: %s', async (body) => {
    const performStep = () => Promise.reject(new ToolCallError('ERR_SCOPE_DENIED', 'Not declared.'));
    expect(await failure(toolOf(body), { performStep })).toEqual({ code: 'ERR_SCOPE_DENIED', message: 'Not declared.' });
    expect(await call('return 1;')).toBe(1);
  });

  test('a malformed step is refused', async () => {
    expect((await failure(toolOf('await ctx.http();'))).code).toBe('ERR_STEP_INVALID');
    expect((await failure(toolOf('await ctx.db({});'))).code).toBe('ERR_STEP_INVALID');
  });
});

test('a bundle of 150 KB runs, and is prepared once', async () => {
  const lines = Array.from(
    { length: 1_400 },
    (_, n) => `exports.f${n} = function (a, b) { const x = a + b * ${n}; return x > 10 ? { k: x, l: [1, 2, 3] } : x * 2; };`,
  );
  const source = `const exports_ = {}; (function (exports) {\n${lines.join('\n')}\n})(exports_);\nmodule.exports = async ({ n }) => exports_.f7(n, 1);`;
  expect(source.length).toBeGreaterThan(140_000);
  expect(JSON.parse((await run(source, { paramsJson: '{"n":1}' })).contentJson)).toBe(16);
  const { stats } = await run(source, { paramsJson: '{"n":2}' });
  expect(stats.warm).toBe(true);
});
