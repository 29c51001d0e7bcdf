import { randomUUID } from 'node:crypto';
import type { Executable } from '@yuanbot/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removeBuiltImage } from '../../fixtures/docker-engine.ts';
import { executionOf } from '../execution.ts';
import { builtEcho, builtTool } from '../tools/docker.ts';
import { executableOf } from '../tools/executable.ts';
import { type OpenDocker, openDocker } from './open-docker.ts';

const TEST_LABEL = 'yuanbot.test';
const unhurried = new AbortController().signal;

describe('images', () => {
  let docker: OpenDocker;
  const artifacts = new Set<string>();
  beforeEach(async () => {
    docker = await openDocker();
  });
  afterEach(async () => {
    await docker[Symbol.asyncDispose]();
    for (const artifact of artifacts) await removeBuiltImage(docker.engine, artifact);
    artifacts.clear();
    await removeDescendants();
  });

  /** An image whose descendants can be told by a label, which they inherit; they are removed after the test. */
  async function labelledBase(): Promise<string> {
    const container = await docker.engine.createContainer({ Image: 'busybox:latest', Cmd: ['true'] });
    await container.commit({ repo: 'yuanbot-test', tag: docker.instanceId, changes: `LABEL ${TEST_LABEL}=${docker.instanceId}` });
    await container.remove();
    return `yuanbot-test:${docker.instanceId}`;
  }

  /** Children first: an image cannot go while another is built on it. */
  async function removeDescendants(): Promise<void> {
    const filters = { label: [`${TEST_LABEL}=${docker.instanceId}`] };
    for (;;) {
      const images = await docker.engine.listImages({ all: true, filters });
      const parents = new Set(images.map(({ ParentId }) => ParentId));
      const leaves = images.filter(({ Id }) => !parents.has(Id));
      if (leaves.length === 0) return;
      for (const { Id } of leaves) await docker.engine.getImage(Id).remove({ force: true });
    }
  }

  /** Remembered, so that its image is removed after the test. */
  function kept(executable: Executable): Executable {
    artifacts.add(executable.descriptor.artifact);
    return executable;
  }

  async function imagesOf({ descriptor }: Executable) {
    return docker.engine.listImages({ filters: { label: [`yuanbot.artifact=${descriptor.artifact}`] } });
  }

  async function refusal(executable: Executable): Promise<string> {
    const error: unknown = await docker.driver.prepare(executable, unhurried).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'ERR_SANDBOX_START' });
    return error instanceof Error ? error.message : '';
  }

  it('a context is built once, however many ask, and found again by the next driver', async () => {
    const executable = kept(await builtEcho(randomUUID()));
    await Promise.all(Array.from({ length: 4 }, () => docker.driver.prepare(executable, unhurried)));
    const images = await imagesOf(executable);
    expect(images.map(({ RepoTags }) => RepoTags)).toEqual([[`yuanbot-tool:${executable.descriptor.artifact.slice(7, 31)}`]]);

    await using next = await openDocker();
    expect((await next.driver.run(executionOf({ ...executable }, { paramsJson: '{"a":1}' }))).contentJson).toBe('{"a":1}');
    expect((await imagesOf(executable)).map(({ Id, Created }) => [Id, Created])).toEqual(
      images.map(({ Id, Created }) => [Id, Created]),
    );
  });

  it("a tool's own files are at /resources, to be read and not written, whatever form the tool has", async () => {
    const base = await labelledBase();
    const command = [
      'sh',
      '-c',
      `echo x > /resources/a/b.txt; echo '{"type":"result","content":"'"$(cat /resources/a/b.txt /resources/c.txt)"'"}'`,
    ];
    const resources = new Map([
      ['c.txt', Buffer.from('缘')],
      ['a/b.txt', Buffer.from('in a folder: ')],
    ]);
    const { artifact = Buffer.alloc(0) } = await builtTool(`FROM ${base}\n`);
    for (const form of [{ image: base }, { artifact }]) {
      const executable = { ...executableOf('docker', { ...form, command }), resources };
      expect((await docker.driver.run(executionOf(executable))).contentJson).toBe('"in a folder: 缘"');
    }
  });

  it('an image that somebody else tagged with our name is not taken for ours', async () => {
    const executable = kept(await builtEcho(randomUUID()));
    const tag = executable.descriptor.artifact.slice(7, 31);
    await docker.engine.getImage('busybox:latest').tag({ repo: 'yuanbot-tool', tag });
    expect((await docker.driver.run(executionOf(executable, { paramsJson: '{"a":1}' }))).contentJson).toBe('{"a":1}');
  });

  it('who gives up waiting for a build ends it for himself alone', async () => {
    const executable = kept(await builtTool(`FROM busybox:latest\nRUN sleep 2\nRUN echo ${randomUUID()}\nCMD ["true"]\n`));
    const giving = new AbortController();
    const given = docker.driver.prepare(executable, giving.signal);
    const waiting = docker.driver.prepare(executable, unhurried);
    giving.abort();
    await expect(given).rejects.toMatchObject({ code: 'ERR_CANCELLED' });
    await waiting;
    expect(await imagesOf(executable)).toHaveLength(1);
  });

  it('a build that nobody waits for any more is stopped, and can be begun again', async () => {
    const executable = kept(await builtEcho(randomUUID()));
    const giving = new AbortController();
    const given = docker.driver.prepare(executable, giving.signal);
    giving.abort();
    await expect(given).rejects.toMatchObject({ code: 'ERR_CANCELLED' });
    await docker.driver.prepare(executable, unhurried);
  });

  it('a build that takes too long is ended', async () => {
    await using hurried = await openDocker({ buildLimitMs: 1_500 });
    const executable = kept(await builtTool(`FROM busybox:latest\nRUN echo ${randomUUID()}; sleep 60\n`));
    await expect(hurried.driver.prepare(executable, unhurried)).rejects.toMatchObject({
      code: 'ERR_SANDBOX_START',
      message: expect.stringContaining('took longer than 1500 ms'),
    });
  });

  it('RUN has no network', async () => {
    const message = await refusal(await builtTool('FROM busybox:latest\nRUN ls /sys/class/net; wget http://172.17.0.1/\n'));
    expect(message).toMatch(/at step `RUN ls .*Last lines: .*Network is unreachable/);
    expect(message).not.toMatch(/eth\d/);
  });

  it('RUN has a memory limit', async () => {
    expect(await refusal(await builtTool('FROM busybox:latest\nRUN tail /dev/zero\n'))).toMatch(
      /at step `RUN tail \/dev\/zero`.*137/,
    );
  });

  it('nothing is fetched by the engine for ADD', async () => {
    expect(await refusal(await builtTool('FROM busybox:latest\nADD http://127.0.0.1:1/ /x\n'))).toMatch(
      /builds have no network.*COPY/,
    );
  });

  it('a base image that is not here: its name, and what to do', async () => {
    const message = await refusal(await builtTool('FROM yuanbot.invalid/base:1 AS build\nCMD ["true"]\n'));
    expect(message).toMatch(/base image yuanbot\.invalid\/base:1 is not on this machine.*docker pull yuanbot\.invalid\/base:1/);
  });

  it('an image that is not here: its name, and what to do', async () => {
    const message = await refusal(executableOf('docker', { image: 'yuanbot.invalid/tool:1' }));
    expect(message).toContain('Run: docker pull yuanbot.invalid/tool:1');
  });

  it('bytes that are not those of the digest are not built', async () => {
    const executable = await builtEcho(randomUUID());
    const other = await builtEcho(randomUUID());
    const mixed = { ...executable, artifact: other.artifact };
    await expect(docker.driver.prepare(mixed, unhurried)).rejects.toMatchObject({ code: 'ERR_INTERNAL' });
    expect(await imagesOf(executable)).toEqual([]);
  });

  it('a context over the limit is not built', async () => {
    await using small = await openDocker({ maxContextBytes: 1_000 });
    await expect(small.driver.prepare(await builtEcho(randomUUID()), unhurried)).rejects.toMatchObject({
      code: 'ERR_SANDBOX_START',
      message: expect.stringContaining('at most 1000 are accepted'),
    });
  });
});
