import { afterAll, describe, expect, test, vi } from 'vitest';
import { startToolDriver, toolOf } from './fixtures/tool-driver.ts';

// A process is started here, and started anew: on a busy machine that takes seconds.
vi.setConfig({ testTimeout: 20_000, hookTimeout: 20_000 });

const { driver, call, run, failure } = startToolDriver();
afterAll(() => driver.close());

describe('nothing of Node, and no clock, zone or thread of its own', () => {
  const ABSENT = [
    'process',
    'require',
    'Buffer',
    'global',
    'self',
    'Intl',
    'setTimeout',
    'setInterval',
    'setImmediate',
    'queueMicrotask',
  ].concat(
    ['fetch', 'URL', 'WebAssembly', 'Atomics', 'SharedArrayBuffer', 'WeakRef', 'FinalizationRegistry', 'performance', 'crypto'],
    [
      'structuredClone',
      'MessageChannel',
      'Worker',
      'navigator',
      'gc',
      'lockdown',
      'Compartment',
      'ModuleSource',
      '__filename',
      '__dirname',
    ],
  );

  test.each(ABSENT)('%s does not exist', async (name) => {
    expect(await call(`return [typeof ${name}, Reflect.has(globalThis, ${JSON.stringify(name)})];`)).toEqual([
      'undefined',
      false,
    ]);
    expect(await call(`return typeof ${name};`)).toBe('undefined');
  });

  test.each(['Date.now()', 'new Date()', 'Math.random()'])('%s says what to use instead', async (expression) => {
    await expect(call(`return ${expression};`)).rejects.toMatchObject({
      code: 'ERR_TOOL_FAILED',
      message: expect.stringContaining('use ctx.now() instead of Date'),
    });
  });

  test.each(['Date.now()', 'new Date()', 'Math.random()', 'Temporal.Now.instant()'])('%s throws', async (expression) => {
    expect((await failure(toolOf(`return ${expression};`))).code).toBe('ERR_TOOL_FAILED');
  });

  test('console takes everything and is shared with nobody', async () => {
    expect(
      await call(
        'console.log(1); console.error({}); console.warn(); return Object.isFrozen(console) && Object.isFrozen(console.log);',
      ),
    ).toBe(true);
  });
});

describe('ways to a function that sees more', () => {
  /** Each must be undefined, or throw: what it may not do is reach `process`. */
  const ATTEMPTS = [
    'Function("return typeof process")()',
    '(() => {}).constructor("return typeof process")()',
    '(async () => {}).constructor("return typeof process")()',
    '(function* () {}).constructor("return typeof process")().next().value',
    '(async function* () {}).constructor("return typeof process")()',
    'ctx.now.constructor("return typeof process")()',
    'ctx.constructor.constructor("return typeof process")()',
    'Object.getPrototypeOf(ctx.http).constructor("return typeof process")()',
    'ctx.result(1).constructor.constructor("return typeof process")()',
    'params.constructor.constructor("return typeof process")()',
    'console.log.constructor("return typeof process")()',
    'module.constructor.constructor("return typeof process")()',
    'new (Object.getPrototypeOf(async () => {}).constructor)("return typeof process")()',
    'Reflect.construct(Function, ["return typeof process"], class {})()',
    '(0, eval)("typeof process")',
    '[]["flat"]["constructor"]("return typeof process")()',
    'Object.getOwnPropertyDescriptor(Function.prototype, "constructor").value("return typeof process")()',
    '(() => { try { ctx.zonedTime() } catch (e) { return e.constructor.constructor("return typeof process")() } })()',
    '(() => { try { ctx.resource(Symbol()) } catch (e) { return e.constructor.constructor("return typeof process")() } })()',
    'ctx.zonedTime(0, "UTC").constructor.constructor("return typeof process")()',
    '(() => { try { null.x } catch (e) { return e.constructor.constructor("return typeof process")() } })()',
    '(() => { const f = () => f(); try { f() } catch (e) { return e.constructor.constructor("return typeof process")() } })()',
    '(() => { Error.prepareStackTrace = (_, sites) => sites; return typeof new Error().stack[0].getThis })()',
    '(() => { const o = {}; Error.captureStackTrace(o); return /\\//.test(String(o.stack)) ? o.stack : undefined })()',
    '/\\//.test(String(new Error("x").stack)) ? new Error("x").stack : undefined',
    'arguments.callee.caller',
    '(function () { return this })()',
    'Function("return this")().process',
    '(0, eval)("this").process',
    'new Proxy(ctx.now, {}).constructor("return typeof process")()',
  ];

  test.each(ATTEMPTS)('%s', async (expression) => {
    const probe = `let got; try { got = ${expression}; } catch { got = undefined; } return typeof got === "object" && got !== null ? "object" : String(got);`;
    expect(['undefined']).toContain(await call(probe));
    expect(['undefined']).toContain(await call(`void globalThis; ${probe}`));
  });

  test.each([
    'import("node:fs")',
    'eval("import(\\"node:fs\\")")',
    'Function("return import(\\"node:fs\\")")()',
    '(0, eval)("im" + "port(\\"node:fs\\")")',
    'Function("return im" + "port(\\"node:fs\\")")()',
    'Function("return im\\\\u0070ort(\\"node:fs\\")")()',
    'Function("return import/**/(\\"node:fs\\")".replace("port", "po" + "rt"))()',
    'Function("return import\\n(\\"node:fs\\")".replace("port", "po" + "rt"))()',
  ])('no module by %s', async (expression) => {
    const { code, message } = await failure(toolOf(`const fs = await ${expression}; return Object.keys(fs);`));
    expect(['ERR_TOOL_FAILED', 'ERR_SANDBOX_START']).toContain(code);
    expect(message).not.toContain('readFile');
  });
});

describe('no state from call to call', () => {
  const twice = async (source: string) =>
    [await run(source), await run(source)].map(({ contentJson }) => JSON.parse(contentJson));

  test.each([
    ['a variable of the file', 'let count = 0; module.exports = () => ++count;'],
    ['an object of the file', 'const seen = []; module.exports = () => seen.push(1);'],
    ['a class field', 'class C { static n = 0; } module.exports = () => ++C.n;'],
    ['a regular expression', 'module.exports = () => { const r = /a/g; r.test("aa"); return r.lastIndex; };'],
    ['a property of the exported function', 'module.exports = function tool() { tool.n = (tool.n ?? 0) + 1; return tool.n; };'],
    ['module and exports', 'exports.n = (exports.n ?? 0) + 1; const { n } = exports; module.exports = () => n;'],
    ['a property of globalThis', 'globalThis.n = (globalThis.n ?? 0) + 1; module.exports = () => n;'],
    ['a name that a library leaves', 'globalThis.lib = { n: 0 }; module.exports = () => ++lib.n;'],
    [
      'code made of text',
      'module.exports = () => { const g = Function("return this")(); try { g.n = (g.n ?? 0) + 1; } catch { return 1; } return g.n; };',
    ],
    [
      'an escaped name',
      'module.exports = () => { const g = \\u0067lobalThis; try { g.n = (g.n ?? 0) + 1; } catch { return 1; } return g.n; };',
    ],
    [
      'indirect eval',
      'module.exports = () => { try { (0, eval)("var n = (typeof n === \'number\' ? n : 0) + 1"); } catch {} return typeof n === "number" ? n : 1; };',
    ],
  ])('%s starts anew', async (_, source) => {
    expect(await twice(source)).toEqual([1, 1]);
  });

  test('the strings of a template literal are the same frozen list for all, and hold nothing', async () => {
    const source =
      'const tag = (strings) => { try { strings.n = 1; strings.raw.n = 1; } catch { return 1; } return 2; }; module.exports = () => tag`x`;';
    expect(await twice(source)).toEqual([1, 1]);
  });

  test.each([
    'Object.prototype.polluted = 1;',
    'Array.prototype.push = () => 1;',
    'Object.prototype["toJSON"] = () => 1;',
    '({}).__proto__.polluted = 1;',
    'Function.prototype.call = 1;',
    'Promise.prototype.then = 1;',
    'JSON.stringify = () => "1";',
    'Object.setPrototypeOf(Object.prototype, null);',
    'Object.defineProperty(Array.prototype, "0", { set() {} });',
    'Symbol.iterator.x = 1;',
    'TextDecoder.prototype.decode = () => "x";',
    'ctx.now = 1;',
    'ctx.now.cache = 1;',
    'ctx.extra = 1;',
    'Object.getPrototypeOf(ctx).extra = 1;',
    'Object.getPrototypeOf(ctx.http).extra = 1;',
    'console.extra = 1;',
    'console.log.extra = 1;',
    'ctx.zonedTime(0, "UTC").constructor.extra = 1;',
  ])('%s changes nothing for the next call', async (statement) => {
    await run(toolOf(`try { ${statement} } catch {} return 0;`));
    const probe = `const p = []; p.push(1); return [({}).polluted ?? null, ({}).extra ?? null, p, typeof ctx.now(), (await Promise.resolve(3)),
      JSON.stringify({ a: [1] }), new TextDecoder().decode(new TextEncoder().encode("ä")), ctx.now.cache ?? null, ctx.extra ?? null, console.extra ?? null,
      console.log.extra ?? null, (() => {}).extra ?? null, Object.extra ?? null, Symbol.iterator.x ?? null];`;
    expect(await call(probe)).toEqual([null, null, [1], 'number', 3, '{"a":[1]}', 'ä', ...Array(7).fill(null)]);
  });

  test('nothing that can be reached from a tool takes a mark', async () => {
    // Walks every object reachable from the globals and the powers by property, getter or prototype. What is of this
    // call alone (its own parameters and module) is left out.
    const walk = (visit: string) => `
      const own = new Set([params, module, module.exports]);
      const seen = new Set();
      const open = [Object.getPrototypeOf(async () => {}), Object.getPrototypeOf(function* () {}), ctx, console, tag\`x\`,
        Object.getPrototypeOf([][Symbol.iterator]()), /x/, Error, Promise, Temporal, Function, eval, ...GLOBALS];
      let marks = 0;
      while (open.length > 0) {
        const at = open.pop();
        if ((typeof at !== 'object' && typeof at !== 'function') || at === null || seen.has(at) || own.has(at)) continue;
        seen.add(at);
        ${visit}
        open.push(Object.getPrototypeOf(at));
        for (const key of Reflect.ownKeys(at)) {
          const { value, get, set } = Object.getOwnPropertyDescriptor(at, key);
          open.push(value, get, set);
        }
      }
      return [marks, seen.size];`;
    const file = (globals: string, visit: string) =>
      `function tag(strings) { return strings; }\nmodule.exports = async (params, ctx) => { const GLOBALS = ${globals}; ${walk(visit)} };`;
    const mark = `try { Object.defineProperty(at, 'mark', { value: 1 }); } catch {}`;
    const count = `if (Object.hasOwn(at, 'mark')) marks++;`;
    for (const globals of [
      '[globalThis]',
      '[Object, Array, Map, Set, JSON, Math, Reflect, Proxy, TextDecoder, Symbol, Iterator, (0, eval)("this")]',
    ]) {
      await run(file(globals, mark));
      const [marks, seen] = JSON.parse((await run(file(globals, count))).contentJson);
      expect(seen).toBeGreaterThan(500);
      expect(marks).toBe(0);
    }
  });

  test('powers of a call that is over do nothing in the next', async () => {
    const performed: unknown[] = [];
    const performStep = async (step: unknown) => {
      performed.push(step);
      return { field: 'db_response', json: '1' } as const;
    };
    // Left behind: a job that waits for an answer, and would ask again with it.
    await call('void (async () => { for (;;) await ctx.db("again"); })(); return 1;', { performStep });
    const before = performed.length;
    expect(await call('await ctx.db("mine"); return 2;', { performStep })).toBe(2);
    expect(performed.slice(before)).toEqual([{ type: 'db', operation: 'mine' }]);
  });
});
