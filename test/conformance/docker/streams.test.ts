import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { BUSYBOX_IMAGE } from '../../fixtures/images.ts';
import { executionOf } from '../execution.ts';
import { executableOf } from '../tools/executable.ts';
import { type OpenDocker, openDocker } from './open-docker.ts';

const RESULT = `echo '{"type":"result","content":"done"}'`;
/** More than every pipe and socket buffer on the way holds. */
const LARGE_PARAMS = JSON.stringify({ text: 'x'.repeat(1_000_000) });

describe('streams of a container', () => {
  let docker: OpenDocker;
  beforeAll(async () => {
    docker = await openDocker();
  });
  afterEach(async () => {
    expect(await docker.containers()).toEqual([]);
  });
  afterAll(() => docker[Symbol.asyncDispose]());

  function run(script: string, changes: Parameters<typeof executionOf>[1] = {}) {
    const executable = executableOf('docker', { image: BUSYBOX_IMAGE, command: ['sh', '-c', script] });
    return docker.driver.run(executionOf(executable, changes));
  }

  it.each([
    ['prints before it reads', `${RESULT}; cat > /dev/null`],
    ['exits at once, reading nothing', RESULT],
    ['closes its stdin', `exec <&-; ${RESULT}`],
    ['reads after a while', `sleep 1; cat > /dev/null; ${RESULT}`],
    ['closes its stdout before it exits', `${RESULT}; exec >&-; sleep 1`],
    ['leaves a process behind that holds its stdout', `sleep 3600 & ${RESULT}`],
    ['prints much on stderr', `head -c 1000000 /dev/zero | tr '\\0' 'e' >&2; ${RESULT}`],
    ['exits non-zero after its result', `${RESULT}; exit 1`],
  ])('a tool that %s', async (_what, script) => {
    for (const paramsJson of ['{}', LARGE_PARAMS]) {
      expect((await run(script, { paramsJson })).contentJson).toBe('"done"');
    }
  });

  it('a tool that gets a megabyte and gives it back', async () => {
    const echo = String.raw`sed 's/^{"params":\(.*\),"approved":.*$/{"type":"result","content":\1}/'`;
    const { contentJson } = await run(echo, { paramsJson: LARGE_PARAMS, limits: { outputBytes: 2_000_000 } });
    expect(contentJson).toBe(LARGE_PARAMS);
  });

  it('a character that comes byte by byte, in frames of one byte', async () => {
    const bytes = [...Buffer.from('{"type":"result","content":"缘🌸"}\n')].map(
      (byte) => `\\${byte.toString(8).padStart(3, '0')}`,
    );
    const { contentJson } = await run(bytes.map((byte) => `printf '${byte}'`).join(';'));
    expect(contentJson).toBe('"缘🌸"');
  });

  it('bytes that are not UTF-8', async () => {
    await expect(run(`printf '{"type":"result","content":"\\377"}'`)).rejects.toMatchObject({ code: 'ERR_OUTPUT_INVALID' });
  });

  it('two lines', async () => {
    await expect(run(`${RESULT}; ${RESULT}`)).rejects.toMatchObject({ code: 'ERR_OUTPUT_INVALID' });
  });

  it('a flood of tiny frames is cut at the limit', async () => {
    await expect(run('while :; do printf x; done', { limits: { outputBytes: 2_000 } })).rejects.toMatchObject({
      code: 'ERR_OUTPUT_LIMIT',
    });
  });

  it('exactly what it may print, and one byte more', async () => {
    const line = '{"type":"result","content":"done"}\n';
    expect((await run(RESULT, { limits: { outputBytes: line.length } })).contentJson).toBe('"done"');
    await expect(run(RESULT, { limits: { outputBytes: line.length - 1 } })).rejects.toMatchObject({ code: 'ERR_OUTPUT_LIMIT' });
  });

  it('the limit is for all that a call prints, steps and all', async () => {
    const step = '{"type":"db","operation":"again"}\n';
    const script = `read -r line; case "$line" in *db_response*) ${RESULT};; *) printf '%s\\n' '${step.trim()}';; esac`;
    const performStep = async () => ({ field: 'db_response', json: '1' }) as const;
    const both = step.length + '{"type":"result","content":"done"}\n'.length;
    expect((await run(script, { performStep, limits: { outputBytes: both } })).contentJson).toBe('"done"');
    await expect(run(script, { performStep, limits: { outputBytes: both - 1 } })).rejects.toMatchObject({
      code: 'ERR_OUTPUT_LIMIT',
    });
  });

  it('a flood on stderr', async () => {
    await expect(run('yes >&2')).rejects.toMatchObject({ code: 'ERR_OUTPUT_LIMIT', message: expect.stringContaining('stderr') });
  });

  it('the reason that a tool gives on stderr, escaped, is in the message', async () => {
    await expect(run(`printf 'no \\033[31mkey\\n' >&2; exit 3`)).rejects.toMatchObject({
      code: 'ERR_TOOL_FAILED',
      message: 'The tool ended with exit code 3: no \\u{1b}[31mkey',
    });
  });

  it('a tool whose child alone runs out of memory, and that says so itself', async () => {
    const script = `tail /dev/zero; echo '{"type":"error","message":"too much for me"}'`;
    await expect(run(script)).rejects.toMatchObject({ code: 'ERR_TOOL_FAILED', message: 'too much for me' });
  });
});
