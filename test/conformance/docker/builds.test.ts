import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { removeBuiltImage } from '../../fixtures/docker-engine.ts';
import { builtTool } from '../tools/docker.ts';
import { executableOf } from '../tools/executable.ts';
import { type OpenDocker, openDocker } from './open-docker.ts';

const unhurried = new AbortController().signal;

/** Each has the engine call `host` by itself; `host` is a port of this machine's loopback. */
const FETCHES: readonly [how: string, dockerfile: (host: string) => string][] = [
  ['ADD', (host) => `FROM busybox:latest\nADD http://${host}/x /x\n`],
  ['ADD in the JSON form', (host) => `FROM busybox:latest\nADD ["http://${host}/x", "/x"]\n`],
  ['ADD, its characters written out', (host) => `FROM busybox:latest\nADD ["http\\u003a\\u002f\\u002f${host}/x", "/x"]\n`],
  ['ADD in quotes and escapes', (host) => `FROM busybox:latest\nADD ht"tp:"/\\/${host}/x /x\n`],
  ['ADD from a variable', (host) => `FROM busybox:latest\nENV U=http://${host}\nADD $U/x /x\n`],
  ['ADD cut in the word', (host) => `FROM busybox:latest\nAD\\\nD http://${host}/x /x\n`],
  ['ADD behind a comment in a continuation', (host) => `FROM busybox:latest\nADD \\\n# x\n\n http://${host}/x /x\n`],
  ['ADD behind a vertical tab', (host) => `FROM busybox:latest\nADD\vhttp://${host}/x /x\n`],
  ['ADD with the other escape', (host) => `# escape=\`\nFROM busybox:latest\nRUN echo \\\nAD\`\nD http://${host}/x /x\n`],
  ...['\u{a0}', '\v', '\f', '\u{3000}', '\u{85}', '\r\r'].map((blank): [string, (host: string) => string] => [
    `ADD behind a backslash and ${JSON.stringify(blank)}`,
    (host) => `FROM busybox:latest\nLABEL a=b\\${blank}\nADD http://${host}/x /x\n`,
  ]),
  ['ADD behind blanks of every kind', (host) => `FROM busybox:latest\n\u{a0}\u{3000}\vADD http://${host}/x /x\n`],
  ['ADD behind a mark of byte order', (host) => `\u{feff}FROM busybox:latest\nADD http://${host}/x /x\n`],
  ['ONBUILD ADD', (host) => `FROM busybox:latest AS a\nONBUILD ADD http://${host}/x /x\nFROM a\n`],
  ['FROM', (host) => `FROM ${host}/x\n`],
  ['FROM an argument', (host) => `ARG B=${host}\nFROM $B/x\n`],
  ['FROM an argument in pieces', (host) => `ARG B=${host}\nARG C=\${B}/x\nFROM \${C:-busybox}\n`],
  ['FROM in quotes', (host) => `FROM "${host}"/x\n`],
  ['FROM, a later stage', (host) => `FROM busybox:latest\nFROM ${host}/x:1\n`],
  ['COPY --from', (host) => `FROM busybox:latest\nCOPY --from=${host}/x /x /x\n`],
  ['COPY --from in quotes', (host) => `FROM busybox:latest\nCOPY --fr"om=${host}/x" /x /x\n`],
  ['COPY --from behind another flag', (host) => `FROM busybox:latest\nCOPY --chown=1\v--from=${host}/x /x /x\n`],
];

/** What a build may reach and use: SECURITY, Docker. */
describe('builds', () => {
  let docker: OpenDocker;
  let calls = 0;
  let host = '';
  function called(): void {
    calls++;
  }
  // Requests too: the engine keeps a connection for its next fetch.
  const listener = createServer((_request, response) => response.writeHead(404).end());
  listener.on('connection', called).on('request', called);
  const artifacts = new Set<string>();
  beforeAll(async () => {
    listener.listen(0, '127.0.0.1');
    await once(listener, 'listening');
    host = `127.0.0.1:${(listener.address() as AddressInfo).port}`;
  });
  afterAll(() => listener.close());
  beforeEach(async () => {
    docker = await openDocker();
    calls = 0;
  });
  afterEach(async () => {
    await docker[Symbol.asyncDispose]();
    for (const artifact of artifacts) await removeBuiltImage(docker.engine, artifact);
    artifacts.clear();
  });

  async function outcome(dockerfile: string, by = docker): Promise<string> {
    const executable = await builtTool(dockerfile);
    artifacts.add(executable.descriptor.artifact);
    try {
      await by.driver.prepare(executable, unhurried);
      return 'built';
    } catch (error) {
      expect(error).toMatchObject({ code: 'ERR_SANDBOX_START' });
      return error instanceof Error ? error.message : '';
    }
  }

  /** The engine's own builder, with nobody who looks at the file first. */
  async function buildUnchecked(dockerfile: string): Promise<string> {
    const { artifact = Buffer.alloc(0) } = await builtTool(dockerfile);
    const options = { networkmode: 'none', rm: true, forcerm: true };
    const said = await text(await docker.engine.buildImage(Readable.from([artifact]), options));
    await removeSteps(said);
    return said;
  }

  /** What a build that failed leaves: an image without a name for each step, the last one first. */
  async function removeSteps(said: string): Promise<void> {
    const ids = [...said.matchAll(/---\\u003e ([0-9a-f]{12})\\n/g)].map(([, id = '']) => id);
    for (const id of ids.reverse()) {
      const image = docker.engine.getImage(id);
      const { RepoTags } = await image.inspect();
      if (RepoTags.length === 0) await image.remove();
    }
  }

  it.each(FETCHES)('the engine fetches nothing by itself: %s', async (_how, dockerfile) => {
    await outcome(dockerfile(host));
    await using networked = await openDocker({ buildNetwork: true });
    await outcome(dockerfile(host), networked);
    expect(calls).toBe(0);

    const said = await buildUnchecked(dockerfile(host));
    expect(calls, `the engine would not have fetched it anyway: ${said}`).toBeGreaterThan(0);
  });

  it('an image that brings an ONBUILD ADD is not built on', async () => {
    const name = `yuanbot-test-onbuild:${docker.instanceId}`;
    const container = await docker.engine.createContainer({ Image: 'busybox:latest', Cmd: ['true'] });
    await container.commit({
      repo: 'yuanbot-test-onbuild',
      tag: docker.instanceId,
      changes: `ONBUILD ADD http://${host}/x /x`,
    });
    await container.remove();
    try {
      expect(await outcome(`FROM ${name}\n`)).toMatch(/brings the ONBUILD instruction `ADD http/);
      expect(calls).toBe(0);
      await buildUnchecked(`FROM ${name}\n`);
      expect(calls).toBeGreaterThan(0);
    } finally {
      await docker.engine.getImage(name).remove();
    }
  });

  it('an image of an address of this machine is not here, and nobody is told to pull it', async () => {
    const messages = [
      await outcome(`FROM ${host}/x\n`),
      await outcome(`FROM busybox:latest\nCOPY --from=${host}/x / /\n`),
      await docker.driver.prepare(executableOf('docker', { image: `${host}/x` }), unhurried).then(String, String),
    ];
    for (const message of messages) {
      expect(message).toMatch(new RegExp(`\\bimage ${host}/x is not on this machine`));
      expect(message).not.toContain('docker pull');
    }
  });

  it('the id that an image is named by is never pulled', async () => {
    const said = await buildUnchecked(`FROM ${'c0ffee00'.repeat(8)}\n`);
    expect(said).toContain('cannot specify 64-byte hexadecimal strings');
  });

  it('stages, their names and numbers, arguments and scratch are built', async () => {
    const dockerfile = [
      '# syntax=docker/dockerfile:1',
      'ARG TAG=latest',
      'FROM busybox:$TAG AS Maker',
      'RUN echo a > /a \\',
      '  # a note',
      '  && echo b > /b',
      'FROM maker AS checker',
      'RUN cat /a /b',
      'FROM scratch',
      'COPY --from=busybox:latest /bin /bin',
      'COPY --from=maker /a /a',
      'COPY --from=1 --chown=65534:65534 /b /b',
      'RUN ["cat", "/a", "/b"]',
      'CMD ["true"]',
      '',
    ];
    expect(await outcome(dockerfile.join('\n'))).toBe('built');
  });

  it('RUN writes no file over a GiB, not even as root', async () => {
    const message = await outcome('FROM busybox:latest\nRUN dd if=/dev/zero of=/large bs=1M count=2000\n');
    expect(message).toMatch(/at step `RUN dd .*File too large/);
  });

  it('RUN has the limits of files and processes that a build can have', async () => {
    const limits = 'ulimit -n; ulimit -Hn; ulimit -c; ulimit -Hc; ulimit -u; df -k /dev/shm | tail -n 1';
    expect(await outcome(`FROM busybox:latest\nRUN ${limits}; exit 1\n`)).toMatch(
      /Last lines: 8192\\n8192\\n0\\n0\\n1024\\nshm +16384 /,
    );
    const fork = 'i=0; while [ $i -lt 1500 ]; do sleep 20 & i=$((i+1)); done';
    expect(await outcome(`FROM busybox:latest\nUSER 65534\nRUN ${fork}\n`)).toMatch(/can't fork/);
  });
});
