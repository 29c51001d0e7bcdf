import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstat, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { Agent, get, type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Address, parseAddress } from '../../src/config/index.ts';
import { type LifecycleState, systemTimer } from '../../src/lifecycle/index.ts';
import { createLog } from '../../src/logging/index.ts';
import { createMetricsRegistry } from '../../src/metrics/index.ts';
import { createOperationsServer, type OperationsServer, type ReadinessCheck } from '../../src/operations-http/index.ts';
import { createManualTimer, settle } from '../lifecycle/manual-timer.ts';

const LOOPBACK = parseAddress('127.0.0.1:0', '/');
const opened: OperationsServer[] = [];
let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'yuanbot-http-'));
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((server) => server.close()));
  await rm(folder, { recursive: true });
});

interface Setting {
  state?: LifecycleState;
  checks?: Record<string, ReadinessCheck>;
  metrics?: () => Promise<string>;
}

function createServerUnderTest({ state = 'RUNNING', checks = {}, metrics }: Setting = {}, timer = systemTimer) {
  const registry = createMetricsRegistry({ service: 'orchestrator' });
  const logged = new PassThrough();
  const log = createLog({ service: 'orchestrator', instance: 'a', level: 'info', format: 'json', destination: logged });
  const server = createOperationsServer({
    state: () => state,
    checks,
    metrics: { contentType: registry.contentType, metrics: metrics ?? (() => registry.metrics()) },
    timer,
    log,
  });
  opened.push(server);
  return { server, logged: () => logged.read()?.toString() ?? '' };
}

interface Answer {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  text: string;
}

/** One request over a real socket. */
async function ask(address: Address, path: string, { method = 'GET', body = '', agent = new Agent() } = {}): Promise<Answer> {
  const where = address.kind === 'unix' ? { socketPath: address.path } : { host: address.host, port: address.port };
  const outgoing = request({ ...where, path, method, agent, headers: body === '' ? {} : { 'content-type': 'application/json' } });
  outgoing.end(body);
  const [response] = await once(outgoing, 'response');
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  return { status: response.statusCode, headers: response.headers, text };
}

describe('/healthz', () => {
  it.each(['STARTING', 'RUNNING', 'DRAINING'] as const)('answers 200 while the service is %s', async (state) => {
    const address = await createServerUnderTest({ state, checks: { store: () => 'down' } }).server.listen(LOOPBACK);
    const answer = await ask(address, '/healthz');
    expect([answer.status, JSON.parse(answer.text)]).toEqual([200, { alive: true, state }]);
  });
});

describe('/readyz', () => {
  it('answers 200 when the service runs and every check passes', async () => {
    const address = await createServerUnderTest({ checks: { store: async () => undefined } }).server.listen(LOOPBACK);
    const answer = await ask(address, '/readyz');
    expect([answer.status, JSON.parse(answer.text)]).toEqual([200, { ready: true, state: 'RUNNING', not_ready: [] }]);
  });

  it('answers 503 and names everything that is not ready', async () => {
    const checks: Record<string, ReadinessCheck> = {
      store: () => undefined,
      sandbox_manager: async () => 'No session to the sandbox-manager.',
      registry: () => {
        throw new Error('scan');
      },
    };
    const address = await createServerUnderTest({ state: 'DRAINING', checks }).server.listen(LOOPBACK);
    const answer = await ask(address, '/readyz');
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      503,
      {
        ready: false,
        state: 'DRAINING',
        not_ready: [
          { check: 'lifecycle', reason: 'The service is DRAINING.' },
          { check: 'sandbox_manager', reason: 'No session to the sandbox-manager.' },
          { check: 'registry', reason: 'The check failed: scan' },
        ],
      },
    ]);
  });
});

describe('/metrics', () => {
  it('answers in the text format of Prometheus', async () => {
    const address = await createServerUnderTest().server.listen(LOOPBACK);
    const answer = await ask(address, '/metrics');
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
    expect(answer.text).toContain('# TYPE process_cpu_seconds_total counter');
  });

  it('answers 500 without the cause when it cannot, and logs the cause', async () => {
    const { server, logged } = createServerUnderTest({ metrics: () => Promise.reject(new Error('pool /secret/path')) });
    const answer = await ask(await server.listen(LOOPBACK), '/metrics');
    expect([answer.status, JSON.parse(answer.text).error]).toEqual([500, 'internal']);
    expect(answer.text).not.toContain('secret');
    expect(logged()).toContain('pool /secret/path');
  });
});

describe('any other request', () => {
  it.each([
    ['GET', '/', ''],
    ['GET', '/healthz/../etc', ''],
    ['POST', '/healthz', ''],
    ['DELETE', '/metrics', ''],
  ])('%s %s is answered 404 as JSON', async (method, path, body) => {
    const answer = await ask(await createServerUnderTest().server.listen(LOOPBACK), path, { method, body });
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      404,
      { error: 'not_found', message: 'There is nothing here; this server answers /healthz, /readyz and /metrics.' },
    ]);
  });

  it('with a body is refused before it is read', async () => {
    const address = await createServerUnderTest().server.listen(LOOPBACK);
    const answer = await ask(address, '/healthz', { method: 'POST', body: '{"a":1}' });
    expect([answer.status, JSON.parse(answer.text).error]).toEqual([413, 'bad_request']);
  });

  it('names neither server nor version', async () => {
    const address = await createServerUnderTest().server.listen(LOOPBACK);
    for (const path of ['/healthz', '/readyz', '/nothing', '/%']) {
      const { headers, text } = await ask(address, path);
      expect(headers['server'] ?? headers['x-powered-by']).toBeUndefined();
      expect(text).not.toMatch(/fastify|node/i);
    }
  });
});

describe('listening', () => {
  it('works on a unix socket, also where a killed process left its own', { timeout: 30_000 }, async () => {
    const path = join(folder, 'ops.sock');
    const listening = `require('node:net').createServer().listen(${JSON.stringify(path)}, () => console.log('listening'))`;
    const predecessor = spawn(process.execPath, ['-e', listening], { stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = once(predecessor, 'exit');
    await once(predecessor.stdout, 'data');
    await expect(createServerUnderTest().server.listen({ kind: 'unix', path })).rejects.toThrow('EADDRINUSE');
    predecessor.kill('SIGKILL');
    await ended;
    expect((await lstat(path)).isSocket()).toBe(true);
    expect((await ask(await createServerUnderTest().server.listen({ kind: 'unix', path }), '/healthz')).status).toBe(200);
  });

  it('never removes a file that is no socket', async () => {
    const path = join(folder, 'notes.txt');
    await writeFile(path, 'mine');
    await expect(createServerUnderTest().server.listen({ kind: 'unix', path })).rejects.toThrow('EADDRINUSE');
    expect(await readFile(path, 'utf8')).toBe('mine');
  });

  it('works on IPv6', async () => {
    const address = await createServerUnderTest().server.listen(parseAddress('[::1]:0', '/'));
    expect((await ask(address, '/healthz')).status).toBe(200);
  });
});

describe('closing', () => {
  it('ends idle keep-alive connections at once', async () => {
    const timer = createManualTimer();
    const { server } = createServerUnderTest({}, timer);
    const address = await server.listen(LOOPBACK);
    const agent = new Agent({ keepAlive: true });
    await ask(address, '/healthz', { agent });
    expect(Object.keys(agent.freeSockets)).toHaveLength(1);
    await server.close();
    expect(timer.waiting).toBe(0);
  });

  it('answers what is under way, and cuts who holds on after a second', async () => {
    const timer = createManualTimer();
    const answer = Promise.withResolvers<string>();
    const asked = Promise.withResolvers<void>();
    const { server } = createServerUnderTest(
      {
        metrics: () => {
          asked.resolve();
          return answer.promise;
        },
      },
      timer,
    );
    const address = await server.listen(LOOPBACK);
    if (address.kind !== 'tcp') throw new Error('not tcp');
    const silent = connect(address.port, address.host);
    await once(silent, 'connect');
    silent.write('GET /healthz HTTP/1.1\r\nHost: a\r\n');
    const scrape = ask(address, '/metrics');
    await asked.promise;

    let closed = false;
    const closing = server.close().then(() => {
      closed = true;
    });
    await settle();
    answer.resolve('yuanbot 1\n');
    expect((await scrape).text).toBe('yuanbot 1\n');
    expect(closed).toBe(false);
    await timer.pass(1000);
    await closing;
    await expect(new Promise((_resolve, reject) => get({ ...address, path: '/' }).on('error', reject))).rejects.toThrow(
      'ECONNREFUSED',
    );
    silent.destroy();
  });
});
