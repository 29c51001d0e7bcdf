import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { buildC } from '../../../../test/fixtures/wasm/build.ts';
import { call, contentOf, failure, program, runtime } from '../calls.ts';
import { assemble } from '../wat.ts';

const echo = program(await buildC('echo.c'));
const probe = await buildC('probe.c');

function run(command: readonly string[], more: Parameters<typeof call>[0] = {}, resources?: Record<string, Uint8Array | string>) {
  const encode = (content: Uint8Array | string) => (typeof content === 'string' ? new TextEncoder().encode(content) : content);
  const mounted = new Map(Object.entries(resources ?? {}).map(([path, content]) => [path, encode(content)]));
  return runtime.run(program(probe, { command, env: ['QWEATHER_KEY', 'OTHER'], resources: mounted }), call(more));
}

/** A module that prints `line` and then does `then`. */
function printer(line: string, then = ''): Uint8Array {
  const data = [...new TextEncoder().encode(line)].map((byte) => `\\${byte.toString(16).padStart(2, '0')}`).join('');
  return assemble(`(module
    (import "wasi_snapshot_preview1" "fd_write" (func $fd_write (param i32 i32 i32 i32) (result i32)))
    (import "wasi_snapshot_preview1" "proc_exit" (func $proc_exit (param i32)))
    (memory (export "memory") 1)
    (data (i32.const 64) "${data}")
    (func $recurse (param i32) (result i32) (i32.add (call $recurse (local.get 0)) (i32.const 1)))
    (func (export "_start")
      (i32.store (i32.const 0) (i32.const 64))
      (i32.store (i32.const 4) (i32.const ${new TextEncoder().encode(line).length}))
      (drop (call $fd_write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 16)))
      ${then}))`);
}

const RESULT = '{"type":"result","content":1}\n';

describe('a call', () => {
  test('gives the envelope on stdin and takes the line on stdout', async () => {
    const paramsJson = '{"text":"元 \\"}{\\"","n":12345678901234567890,"list":[{"a":1.10}]}';
    const result = await runtime.run(echo, call({ paramsJson }));
    expect(result).toMatchObject({ contentJson: paramsJson, parts: [], steps: 0 });
    expect(result.peakMemoryBytes).toBe(2 * 65_536);
  });

  test('sees nothing of the one before', async () => {
    expect(await contentOf(run(['count']))).toBe(1);
    expect(await contentOf(run(['count']))).toBe(1);
  });

  test('takes a character that came in pieces', async () => {
    expect(await contentOf(run(['split']))).toBe('元');
  });

  test('has arguments, and placeholders for its secrets', async () => {
    expect(await contentOf(run(['args', '--flag', '值']))).toEqual(['tool', 'args', '--flag', '值']);
    expect(await contentOf(run(['env']))).toEqual(['QWEATHER_KEY={{secret:QWEATHER_KEY}}', 'OTHER={{secret:OTHER}}']);
  });

  test('has a clock, can sleep and gets fresh randomness', async () => {
    const { seconds, slept_ms } = (await contentOf(run(['time']))) as { seconds: number; slept_ms: number };
    expect(Math.abs(seconds - Date.now() / 1000)).toBeLessThan(60);
    expect(slept_ms).toBeGreaterThanOrEqual(20);
    expect(await contentOf(run(['random']))).not.toBe(await contentOf(run(['random'])));
  });

  test('has steps performed, and is started again with the answer', async () => {
    const asked: string[] = [];
    const performStep = (stepJson: string) => {
      asked.push(stepJson);
      return Promise.resolve({ field: 'response' as const, json: '{"status":200}' });
    };
    const stepper = assemble(`(module
      (import "wasi_snapshot_preview1" "fd_read" (func $fd_read (param i32 i32 i32 i32) (result i32)))
      (import "wasi_snapshot_preview1" "fd_write" (func $fd_write (param i32 i32 i32 i32) (result i32)))
      (memory (export "memory") 1)
      (data (i32.const 1024) "{\\22type\\22:\\22db\\22,\\22operation\\22:\\22read\\22}")
      (data (i32.const 2048) "{\\22type\\22:\\22result\\22,\\22content\\22:\\22done\\22}")
      (func (export "_start")
        (i32.store (i32.const 0) (i32.const 4096)) (i32.store (i32.const 4) (i32.const 4096))
        (drop (call $fd_read (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 8)))
        ;; A longer envelope carries an answer.
        (if (i32.gt_u (i32.load (i32.const 8)) (i32.const 80))
          (then (i32.store (i32.const 0) (i32.const 2048)) (i32.store (i32.const 4) (i32.const 34)))
          (else (i32.store (i32.const 0) (i32.const 1024)) (i32.store (i32.const 4) (i32.const 32))))
        (drop (call $fd_write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 8)))))`);
    const result = await runtime.run(program(stepper), call({ performStep }));
    expect(result).toMatchObject({ contentJson: '"done"', steps: 1 });
    expect(asked).toEqual(['{"type":"db","operation":"read"}']);
  });

  test('ends with the error of a refused step', async () => {
    const refusal = new Error('refused');
    await expect(run(['step'], { performStep: () => Promise.reject(refusal) })).rejects.toBe(refusal);
  });
});

describe('resources', () => {
  const resources = { 'data/zones.txt': 'Asia/Shanghai', empty: '', 'data/more/deep.json': '{}' };

  test.each([
    ['data/zones.txt', { size: 13, end: 13, tail: 'Shanghai' }],
    ['/data/zones.txt', { size: 13, end: 13, tail: 'Shanghai' }],
    ['./data//zones.txt', { size: 13, end: 13, tail: 'Shanghai' }],
    ['empty', { size: 0, end: 0, tail: '' }],
  ])('reads %s', async (path, want) => {
    expect(await contentOf(run(['read', path], {}, resources))).toEqual(want);
  });

  test('lists folders', async () => {
    expect(await contentOf(run(['list', '/'], {}, resources))).toEqual(['data/', 'empty']);
    expect(await contentOf(run(['list', 'data'], {}, resources))).toEqual(['zones.txt', 'more/']);
  });

  test('lists a folder that is larger than one buffer', async () => {
    const names = Array.from({ length: 300 }, (_, index) => `file-with-a-long-name-${index}`);
    const listed = await contentOf(run(['list', '/'], {}, Object.fromEntries(names.map((name) => [name, '']))));
    expect(listed).toEqual(names);
  });

  // 44 ENOENT, 54 ENOTDIR, 76 ENOTCAPABLE
  test.each([
    ['../etc/passwd', 76],
    ['data/../../etc/passwd', 76],
    ['data/../empty', 76],
    ['/etc/passwd', 44],
    ['/proc/self/environ', 44],
    ['data/zones.txt/', 54],
    ['data/zones.txt/x', 54],
    ['constructor', 44],
    ['__proto__', 44],
  ])('refuses %s', async (path, errno) => {
    expect(await contentOf(run(['read', path], {}, resources))).toEqual({ failed: 'open', errno });
  });

  test('cannot be changed', async () => {
    const content = new TextEncoder().encode('as it was');
    expect(await contentOf(run(['write', 'empty'], {}, { empty: content }))).toMatchObject({ failed: 'open', errno: 76 });
    expect(await contentOf(run(['write', 'new'], {}, { empty: content }))).toMatchObject({ failed: 'open', errno: 76 });
    expect(new TextDecoder().decode(content)).toBe('as it was');
  });

  test('are not mounted when there are none', async () => {
    expect(await contentOf(run(['read', 'empty']))).toEqual({ failed: 'open', errno: 76 });
    expect(await contentOf(run(['list', '/']))).toMatchObject({ failed: 'opendir' });
  });

  test.each([['../up'], ['/root'], ['a//b'], ['a/./b'], ['nul\0']])('%j is no path of a resource', async (path) => {
    await expect(run(['count'], {}, { [path]: '' })).rejects.toMatchObject(
      failure('ERR_SANDBOX_START', /resources cannot be mounted/),
    );
  });

  test('cannot be a file and a folder', async () => {
    await expect(run(['count'], {}, { a: '', 'a/b': '' })).rejects.toMatchObject(
      failure('ERR_SANDBOX_START', /a is a file and a folder/),
    );
    await expect(run(['count'], {}, { 'a/b': '', a: '' })).rejects.toMatchObject(
      failure('ERR_SANDBOX_START', /a is a file and a folder/),
    );
  });
});

describe('an ending', () => {
  test.each([
    [
      'exit 3',
      ['exit', '3'],
      'ERR_TOOL_FAILED',
      /exited with code 3 and no result\. It wrote on stderr: going \\u\{1b\}\[31mdown$/,
    ],
    ['exit 0 without a line', ['exit', '0'], 'ERR_OUTPUT_INVALID', /without printing a result line/],
    ['nothing printed', ['silent'], 'ERR_OUTPUT_INVALID', /without printing a result line/],
    ['abort', ['abort'], 'ERR_SANDBOX_CRASHED', /crashed: unreachable\. It had 0\.\d of the 32\.0 MiB/],
    ['a flood of output', ['flood'], 'ERR_OUTPUT_LIMIT', /more than the 65536 bytes/],
    ['memory used up', ['memory'], 'ERR_SANDBOX_MEMORY', /ran out of memory\. It had 3[12]\.\d of the 32\.0 MiB/],
  ])('%s', async (_name, command, code, message) => {
    await expect(run(command)).rejects.toMatchObject(failure(code, message));
  });

  test('with a code after a valid line is a result', async () => {
    expect(await contentOf(run(['result-then-exit']))).toBe('kept');
  });

  test.each([
    ['unreachable', '(unreachable)', /unreachable/],
    ['division by zero', '(drop (i32.div_u (i32.const 1) (i32.const 0)))', /divide by zero/],
    ['a load outside memory', '(drop (i32.load (i32.const -4)))', /memory access out of bounds/],
    ['endless recursion', '(drop (call $recurse (i32.const 1)))', /call stack overflowed/],
  ])('%s after a valid line is a crash', async (_name, then, message) => {
    await expect(runtime.run(program(printer(RESULT, then)), call())).rejects.toMatchObject(
      failure('ERR_SANDBOX_CRASHED', message),
    );
  });

  test('with an error line is the tool’s own failure', async () => {
    const line = '{"type":"error","message":"no such city"}\n';
    for (const then of ['', '(call $proc_exit (i32.const 1))']) {
      await expect(runtime.run(program(printer(line, then)), call())).rejects.toMatchObject(
        failure('ERR_TOOL_FAILED', /^no such city$/),
      );
    }
  });

  test('with two lines or with bytes that are no UTF-8 is no result', async () => {
    await expect(runtime.run(program(printer(RESULT + RESULT)), call())).rejects.toMatchObject(
      failure('ERR_OUTPUT_INVALID', /more than one line/),
    );
    const broken = printer(RESULT);
    broken[broken.indexOf(0x31, broken.lastIndexOf(0x3a))] = 0xff;
    await expect(runtime.run(program(broken), call())).rejects.toMatchObject(failure('ERR_OUTPUT_INVALID', /not UTF-8/));
  });

  test('at the output limit exactly is a result', async () => {
    const limit = RESULT.length;
    expect(await contentOf(runtime.run(program(printer(RESULT)), call({ outputBytes: limit })))).toBe(1);
    await expect(runtime.run(program(printer(RESULT)), call({ outputBytes: limit - 1 }))).rejects.toMatchObject(
      failure('ERR_OUTPUT_LIMIT', /more than the 29 bytes/),
    );
  });

  test('cannot be swallowed by a module that catches exceptions', async () => {
    const catcher = (body: string) =>
      program(
        assemble(`(module
          (import "wasi_snapshot_preview1" "proc_exit" (func $proc_exit (param i32)))
          (import "wasi_snapshot_preview1" "fd_write" (func $fd_write (param i32 i32 i32 i32) (result i32)))
          (memory (export "memory") 1)
          (data (i32.const 64) "{\\22type\\22:\\22result\\22,\\22content\\22:1}")
          (func (export "_start")
            (i32.store (i32.const 0) (i32.const 64)) (i32.store (i32.const 4) (i32.const 29))
            (try (do ${body}) (catch_all))
            (try (do (drop (call $fd_write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 8)))) (catch_all))))`),
      );
    await expect(runtime.run(catcher('(call $proc_exit (i32.const 5))'), call())).rejects.toMatchObject(
      failure('ERR_TOOL_FAILED', /code 5 and no result/),
    );
    const flood = '(loop $again (drop (call $fd_write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 8))) (br $again))';
    await expect(runtime.run(catcher(flood), call())).rejects.toMatchObject(failure('ERR_OUTPUT_LIMIT', /65536/));
  });

  test('by an exception that nothing catches is a crash', async () => {
    const thrower = assemble(`(module (tag $t (param i32)) (memory (export "memory") 1)
      (func (export "_start") (throw $t (i32.const 1))))`);
    await expect(runtime.run(program(thrower), call())).rejects.toMatchObject(
      failure('ERR_SANDBOX_CRASHED', /exception was not caught/),
    );
  });
});

describe('memory', () => {
  test('beyond the limit is refused inside the module', async () => {
    const grower = (pages: number) =>
      program(
        assemble(`(module (memory (export "memory") 1) (func (export "_start")
          (if (i32.eq (memory.grow (i32.const ${pages})) (i32.const -1)) (then (unreachable)))))`),
      );
    // 8 MiB are 128 pages, one of which is there from the start.
    await expect(runtime.run(grower(127), call({ memoryMb: 8 }))).rejects.toMatchObject(failure('ERR_OUTPUT_INVALID', /without/));
    await expect(runtime.run(grower(128), call({ memoryMb: 8 }))).rejects.toMatchObject(
      failure('ERR_SANDBOX_CRASHED', /unreachable\. It had 0\.1 of the 8\.0 MiB/),
    );
  });

  test('from the start beyond the limit ends the call', async () => {
    const large = program(assemble('(module (memory (export "memory") 65536) (func (export "_start")))'));
    await expect(runtime.run(large, call())).rejects.toMatchObject(
      failure('ERR_SANDBOX_MEMORY', /begins with 4096 MiB .* may use 32 MiB/),
    );
  });

  test('is what the module declares, where that is less', async () => {
    const small = program(
      assemble(`(module (memory (export "memory") 1 2) (func (export "_start")
        (if (i32.eq (memory.grow (i32.const 2)) (i32.const -1)) (then (unreachable)))))`),
    );
    await expect(runtime.run(small, call())).rejects.toMatchObject(failure('ERR_SANDBOX_CRASHED', /of the 0\.1 MiB/));
  });

  test('is named by a language runtime that says so on stderr', async () => {
    const text = 'memory allocation of 1073741824 bytes failed';
    const toStderr = assemble(`(module
      (import "wasi_snapshot_preview1" "fd_write" (func $fd_write (param i32 i32 i32 i32) (result i32)))
      (memory (export "memory") 1) (data (i32.const 64) "${text}")
      (func (export "_start")
        (i32.store (i32.const 0) (i32.const 64)) (i32.store (i32.const 4) (i32.const ${text.length}))
        (drop (call $fd_write (i32.const 2) (i32.const 0) (i32.const 1) (i32.const 8))) (unreachable)))`);
    await expect(runtime.run(program(toStderr), call())).rejects.toMatchObject(
      failure('ERR_SANDBOX_MEMORY', /ran out of memory/),
    );
  });

  // Fresh pages come from the kernel, slowly on a busy machine.
  test('of calls that have ended is given back', { timeout: 30_000 }, async () => {
    const toucher = program(
      assemble(`(module (memory (export "memory") 1) (func (export "_start")
        (drop (memory.grow (i32.const 255))) (memory.fill (i32.const 0) (i32.const 1) (i32.const 16777216))))`),
    );
    const residentMib = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024;
    const before = residentMib();
    for (let index = 0; index < 20; index++) await runtime.run(toucher, call()).catch(() => {});
    // They touched 320 MiB; 64 MiB may be dead at once, and one more was alive.
    expect(residentMib() - before).toBeLessThan(200);
  });
});
