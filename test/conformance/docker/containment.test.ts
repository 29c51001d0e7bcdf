import { ToolCallError } from '@yuanbot/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BUSYBOX_IMAGE } from '../../fixtures/images.ts';
import { executionOf } from '../execution.ts';
import { executableOf } from '../tools/executable.ts';
import { type OpenDocker, openDocker } from './open-docker.ts';

/** SECURITY, Docker: each control, as the program inside a container meets it. */
describe('containment', () => {
  let docker: OpenDocker;
  beforeAll(async () => {
    docker = await openDocker();
  });
  afterAll(() => docker[Symbol.asyncDispose]());

  /** Runs a script; what it prints is the result, line by line. */
  async function inside(script: string): Promise<string[]> {
    const command = [
      'sh',
      '-c',
      `{ ${script}; } 2>&1 | sed 's/["\\\\]//g;s/\\t/ /g;s/.*/"&",/' | { echo '{"type":"result","content":['; cat; echo 'null]}'; } | tr -d '\\n'`,
    ];
    const executable = executableOf('docker', { image: BUSYBOX_IMAGE, command, env: ['API_KEY'] });
    const { contentJson } = await docker.driver.run(executionOf(executable));
    return (JSON.parse(contentJson) as (string | null)[]).filter((line) => line !== null);
  }

  it('no user, no capabilities, no way to gain any, the default seccomp profile', async () => {
    expect(await inside('id -u; id -g; id -G')).toEqual(['65534', '65534', '65534']);
    const status = await inside('grep -E "^(Cap|NoNewPrivs|Seccomp:)" /proc/self/status');
    expect(status).toEqual([
      'CapInh: 0000000000000000',
      'CapPrm: 0000000000000000',
      'CapEff: 0000000000000000',
      'CapBnd: 0000000000000000',
      'CapAmb: 0000000000000000',
      'NoNewPrivs: 1',
      'Seccomp: 2',
    ]);
  });

  it('no network but its own loopback, no resolver', async () => {
    expect(await inside('ls /sys/class/net')).toEqual(['lo']);
    expect(await inside('ip route')).toEqual([]);
    expect((await inside('wget -O - http://172.17.0.1:2375/ || true')).join()).toMatch(/unreachable/);
  });

  it('writes nowhere but in /tmp, where nothing can be executed and little can be kept', async () => {
    const writable = await inside(
      'for d in / /bin /etc /dev /dev/shm /var /run /home /root /sys/fs/cgroup /proc/sys/kernel; do touch $d/x 2>/dev/null && echo $d; done; true',
    );
    expect(writable).toEqual([]);
    const [mount = ''] = await inside('grep " /tmp " /proc/mounts');
    for (const option of ['rw', 'nosuid', 'nodev', 'noexec', 'size=16384k', 'nr_inodes=4096']) expect(mount).toContain(option);
    expect((await inside('cp /bin/busybox /tmp/b; chmod +x /tmp/b; /tmp/b true; echo $?')).at(-1)).toBe('126');
    expect(
      (await inside('dd if=/dev/zero of=/tmp/a bs=1M count=12 && dd if=/dev/zero of=/tmp/b bs=1M count=12 || echo full')).at(-1),
    ).toBe('full');
    expect(
      (await inside('i=0; while touch /tmp/$i 2>/dev/null; do i=$((i+1)); [ $i -gt 5000 ] && break; done; echo $i')).map(
        Number,
      )[0],
    ).toBeLessThan(4_096);
  });

  it('few processes, files and no core dumps', async () => {
    expect(await inside('ulimit -n; ulimit -Hn; ulimit -c; ulimit -Hc')).toEqual(['1024', '1024', '0', '0']);
    // Not by `inside`, which has to fork itself.
    const command = ['sh', '-c', 'i=0; while [ $i -lt 100 ]; do sleep 60 & i=$((i+1)); done'];
    const forking = docker.driver.run(executionOf(executableOf('docker', { image: BUSYBOX_IMAGE, command })));
    await expect(forking).rejects.toMatchObject({ code: 'ERR_TOOL_FAILED', message: expect.stringContaining("can't fork") });
  });

  it('the smallest share of CPU there is, where less was asked for', async () => {
    const quota = 'cat /sys/fs/cgroup/cpu/cpu.cfs_quota_us 2>/dev/null || cut -d" " -f1 /sys/fs/cgroup/cpu.max';
    const command = ['sh', '-c', `echo "{\\"type\\":\\"result\\",\\"content\\":$(${quota})}"`];
    const executable = executableOf('docker', { image: BUSYBOX_IMAGE, command });
    const { contentJson } = await docker.driver.run(executionOf(executable, { limits: { cpus: 1e-12 } }));
    expect(contentJson).toBe('1000');
  });

  it('a placeholder, and nothing of the platform, in its environment', async () => {
    expect((await inside('env')).sort()).toEqual([
      'API_KEY={{secret:API_KEY}}',
      'HOME=/',
      'HOSTNAME=sandbox',
      'PATH=/bin',
      'PWD=/',
      'SHLVL=1',
    ]);
  });

  it('an init of its own, no engine log, no restart, no health check, labels that say whose it is', async () => {
    const looking = Promise.withResolvers<Awaited<ReturnType<ReturnType<typeof docker.engine.getContainer>['inspect']>>>();
    const events = await docker.engine.getEvents({
      filters: { event: ['start'], label: [`yuanbot.manager=${docker.instanceId}`] },
    });
    events.once('data', (event: Buffer) => {
      const { id } = JSON.parse(event.toString()) as { id: string };
      docker.engine.getContainer(id).inspect().then(looking.resolve, looking.reject);
    });
    const sleeper = executableOf('docker', { image: BUSYBOX_IMAGE, command: ['sleep', '3600'] });
    const controller = new AbortController();
    const running = docker.driver.run(executionOf(sleeper, { signal: controller.signal })).catch((error: unknown) => error);
    const container = await looking.promise;
    controller.abort();
    expect(await running).toBeInstanceOf(ToolCallError);
    (events as unknown as { destroy(): void }).destroy();

    expect(container.HostConfig).toMatchObject({
      Init: true,
      LogConfig: { Type: 'none' },
      RestartPolicy: { Name: 'no' },
      Privileged: false,
      ReadonlyRootfs: true,
      IpcMode: 'none',
      NetworkMode: 'none',
      Memory: 64 * 1024 * 1024,
      MemorySwap: 64 * 1024 * 1024,
      PidsLimit: 33,
      NanoCpus: 1e9,
      Binds: null,
    });
    expect(container.Mounts).toEqual([]);
    expect(container.Config.Image).toMatch(/^sha256:/);
    expect(container.Config.Labels).toMatchObject({
      'yuanbot.manager': docker.instanceId,
      'yuanbot.manager.pid': String(process.pid),
      'yuanbot.tool': sleeper.digest,
    });
  });

  it('an image cannot bring a writable volume', async () => {
    const name = `yuanbot-test-volume:${docker.instanceId}`;
    const container = await docker.engine.createContainer({ Image: BUSYBOX_IMAGE, Cmd: ['true'] });
    await container.commit({ repo: 'yuanbot-test-volume', tag: docker.instanceId, changes: 'VOLUME /data' });
    await container.remove();
    try {
      const executable = executableOf('docker', { image: name, command: ['true'] });
      await expect(docker.driver.run(executionOf(executable))).rejects.toMatchObject({
        code: 'ERR_SANDBOX_START',
        message: expect.stringContaining('VOLUME'),
      });
    } finally {
      await docker.engine.getImage(name).remove();
    }
  });
});
