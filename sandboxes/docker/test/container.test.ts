import type { ContainerInspectInfo } from 'dockerode';
import { describe, expect, it } from 'vitest';
import { containerConfig, observeContainment } from '../src/container.ts';

const SPEC = {
  imageId: 'sha256:abc',
  command: ['sh', '-c', 'true'],
  env: ['KEY'],
  limits: { timeoutMs: 1_000, memoryMb: 64, cpus: 8, pids: 32, outputBytes: 1_000 },
  labels: { a: 'b' },
};
const asked = containerConfig(SPEC, 2);

/** What an engine reports that applied everything. */
function made(changes: object = {}): ContainerInspectInfo {
  const report = { Config: { User: asked.User }, Mounts: [], HostConfig: { ...asked.HostConfig, Runtime: 'runc', ...changes } };
  return report as unknown as ContainerInspectInfo;
}

describe('containerConfig', () => {
  it('asks for no more CPU than there is, for one process more than the tool may have, and for no swap', () => {
    expect(asked.HostConfig).toMatchObject({ NanoCpus: 2e9, PidsLimit: 33, Memory: 67_108_864, MemorySwap: 67_108_864 });
  });

  it('keeps the command of the image where the tool has none', () => {
    expect(containerConfig({ ...SPEC, command: [] }, 2)).not.toHaveProperty('Entrypoint');
    expect(asked).toMatchObject({ Entrypoint: ['sh', '-c', 'true'], Cmd: [] });
  });

  it.each(['A=B', '', '1A', 'A\nB', 'PA TH'])('refuses the variable name %j', (name) => {
    expect(() => containerConfig({ ...SPEC, env: [name] }, 2)).toThrow(expect.objectContaining({ code: 'ERR_SANDBOX_START' }));
  });
});

describe('limits that would be none', () => {
  it('a share of CPU too small for the kernel is the smallest there is', () => {
    const tiny = containerConfig({ ...SPEC, limits: { ...SPEC.limits, cpus: 1e-12 } }, 2);
    expect(tiny.HostConfig).toMatchObject({ NanoCpus: 1e7 });
  });

  it.each([
    ...[0, -1, Number.NaN, Number.POSITIVE_INFINITY].flatMap((value) =>
      ['cpus', 'memoryMb', 'pids', 'outputBytes', 'timeoutMs'].map((name) => ({ [name]: value })),
    ),
    { memoryMb: 1e-12 },
    { pids: 0.5 },
    { outputBytes: 0.5 },
  ])('refuses %j', (change) => {
    expect(() => containerConfig({ ...SPEC, limits: { ...SPEC.limits, ...change } }, 2)).toThrow(
      expect.objectContaining({ code: 'ERR_SANDBOX_START' }),
    );
  });

  it.each([
    ['memory', 'Memory'],
    ['memory', 'MemorySwap'],
    ['processes', 'PidsLimit'],
    ['CPU', 'NanoCpus'],
  ])('a container without the %s limit is refused even where none was asked for: %s', (name, field) => {
    const none = { ...asked, HostConfig: { ...asked.HostConfig, [field]: 0 } };
    expect(() => observeContainment(made({ [field]: 0 }), none)).toThrow(
      expect.objectContaining({ message: expect.stringContaining(name) }),
    );
  });
});

describe('observeContainment', () => {
  it('names the runtime', () => {
    expect(observeContainment(made(), asked)).toBe('runc');
  });

  it.each([
    ['memory', { Memory: 0 }],
    ['memory', { MemorySwap: -1 }],
    ['processes', { PidsLimit: null }],
    ['CPU', { NanoCpus: 0 }],
    ['network', { NetworkMode: 'bridge' }],
    ['capabilities', { CapDrop: [] }],
    ['capabilities', { CapAdd: ['SYS_ADMIN'] }],
    ['capabilities', { Privileged: true }],
    ['no-new-privileges', { SecurityOpt: [] }],
    ['no-new-privileges', { SecurityOpt: ['no-new-privileges=true', 'seccomp=unconfined'] }],
    ['read-only root', { ReadonlyRootfs: false }],
    ['scratch files', { Tmpfs: { '/tmp': 'rw' } }],
    ['scratch files', { Tmpfs: undefined }],
    ['files', { Ulimits: null }],
    ['files', { Ulimits: asked.HostConfig?.Ulimits?.slice(1) }],
    ['files', { Ulimits: asked.HostConfig?.Ulimits?.map((ulimit: object) => ({ ...ulimit, Hard: -1 })) }],
    ['mounts', { Binds: ['/:/host'] }],
  ])('refuses a container that lost its %s limit: %j', (name, change) => {
    expect(() => observeContainment(made(change), asked)).toThrow(
      expect.objectContaining({ code: 'ERR_SANDBOX_START', message: expect.stringContaining(`(${name})`) }),
    );
  });
});
