import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import * as fc from 'fast-check';
import { generateKeyPair, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { createLog, type Log, type LogOptions, silentLog } from '../../src/logging/index.ts';
import { maskSecrets } from '../../src/logging/mask-secrets.ts';

const { privateKey } = await generateKeyPair('EdDSA');
const TOKEN = await new SignJWT({ sub: 'user' }).setProtectedHeader({ alg: 'EdDSA' }).sign(privateKey);

/** A log onto a real stream, and the text it has written so far. */
function written(options: Partial<LogOptions> = {}): { log: Log; text: () => Promise<string> } {
  const destination = new PassThrough();
  const log = createLog({ service: 'orchestrator', instance: 'a', level: 'info', format: 'json', destination, ...options });
  return {
    log,
    async text() {
      await nextTurn();
      return destination.read()?.toString() ?? '';
    },
  };
}

describe('a line', () => {
  it('is one JSON object with time, level, service, instance and the fields of its children', async () => {
    const { log, text } = written();
    log.child({ invocation_id: 'inv-1' }).warn({ run_ms: 1.5, err: new Error('cause') }, 'The call ended.\n');
    const lines = (await text()).trimEnd().split('\n');
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      level: 'warn',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      service: 'orchestrator',
      instance: 'a',
      invocation_id: 'inv-1',
      run_ms: 1.5,
      err: { type: 'Error', message: 'cause', stack: expect.stringContaining('logging.test.ts') },
      msg: 'The call ended.\n',
    });
  });

  it('is written from the level of the configuration on', async () => {
    const { log, text } = written({ level: 'warn' });
    log.info({}, 'no');
    log.child({}).error({}, 'yes');
    expect(JSON.parse(await text()).msg).toBe('yes');
  });

  it('is readable at a terminal, and cannot steer it', async () => {
    const { log, text } = written({ format: 'pretty' });
    log.info({ tool_id: 'calculate' }, 'done\n\u001b[2JINFO fake \u202e');
    expect(await text()).toMatch(
      /^\[\d\d:\d\d:\d\d\.\d{3}\] INFO: done\\u\{a\}\\u\{1b\}\[2JINFO fake \\u\{202e\} \{"service":"orchestrator","instance":"a","tool_id":"calculate"\}\n$/,
    );
  });
});

describe('credentials', () => {
  it.each([
    ['a message', (log: Log) => log.info({}, `refused ${TOKEN}`)],
    ['a message, behind a newline', (log: Log) => log.info({}, `refused\n${TOKEN}\t${TOKEN}`)],
    ['a message, url-encoded', (log: Log) => log.info({}, `auth=Bearer%20${TOKEN}`)],
    ['a field of another name', (log: Log) => log.info({ note: { deep: [{ text: TOKEN }] } }, 'x')],
    ['an error', (log: Log) => log.error({ err: new Error(`bad ${TOKEN}`, { cause: new Error(TOKEN) }) }, 'x')],
    ['a child', (log: Log) => log.child({ caller: TOKEN }).info({}, 'x')],
    ['an object key', (log: Log) => log.info({ [TOKEN]: 1 }, 'x')],
  ])('that look like a token are masked in %s', async (_where, write) => {
    for (const format of ['json', 'pretty'] as const) {
      const { log, text } = written({ format });
      write(log);
      const line = await text();
      expect(line).toContain('[token]');
      for (const part of TOKEN.split('.')) expect(line).not.toContain(part);
      if (format === 'json') JSON.parse(line);
    }
  });

  it('are masked by the name of their field, at any depth', async () => {
    const { log, text } = written();
    log.info(
      {
        token: 'hunter2',
        auth_token: 'hunter2 "quoted" \\',
        request: { headers: { Authorization: ['Bearer hunter2', 'Basic hunter2'], deep: { er: { password: 'hunter2' } } } },
        token_cost: 250,
        note: 'the "token":"stays" in a text',
      },
      'x',
    );
    const line = await text();
    expect(line).not.toContain('hunter2');
    expect(JSON.parse(line)).toMatchObject({ token: '[redacted]', token_cost: 250, note: 'the "token":"stays" in a text' });
  });

  it.each([
    'sandbox.manager.internal:7430',
    '2026-11-30T03:08:43.697Z',
    '10.255.255.254',
    `sha256:${'a'.repeat(64)}`,
    'node_modules/.pnpm/pino@10.4.0/node_modules/pino/lib/proto.js',
    'capabilities.sandbox.docker.build.network',
  ])('are not seen in %s', (text) => {
    expect(maskSecrets(JSON.stringify({ text }))).toBe(JSON.stringify({ text }));
  });

  const part = fc.stringMatching(/^[\w-]{16,60}$/);
  const jws = fc.tuple(part, part, fc.stringMatching(/^[\w-]{86}$/)).map((parts) => parts.join('.'));

  it('leave no line that is not JSON, and no token in it, whatever is around them', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), jws, fc.string({ unit: 'binary' }), (before, token, after) => {
        const masked = maskSecrets(
          JSON.stringify({ msg: `${before} ${token} ${after}`, inner: `${before}\n${token}\u001b${after}` }),
        );
        JSON.parse(masked);
        expect(masked).not.toContain(token.slice(5));
      }),
    );
  });

  it('are looked for in time that grows with the line, not its square', () => {
    const hostile = ['eyJ', 'a', 'a.', 'eyJ.', '"token":"', '\\', '-_.'].map((piece) => piece.repeat(300_000));
    const started = performance.now();
    for (const text of hostile) maskSecrets(JSON.stringify({ text }));
    // About 0.1 s on a busy machine; a quadratic search of 900,000 characters takes minutes.
    expect(performance.now() - started).toBeLessThan(4000);
  });
});

describe('silentLog', () => {
  it('takes everything and says nothing', () => {
    silentLog.child({ a: 1 }).fatal({}, 'x');
  });
});
