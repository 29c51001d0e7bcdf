import { isDeepStrictEqual } from 'node:util';
import type { Limits } from '@yuanbot/contract';
import { secretPlaceholder, ToolCallError } from '@yuanbot/contract';
import type { ContainerCreateOptions, ContainerInspectInfo } from 'dockerode';
import { nanoCpus, requireLimits } from './container-limits.ts';

/** What a container is made from. Nothing here comes from a tool's file but the command and names of variables. */
export interface ContainerSpec {
  /** By id: a tag may be moved between the look and the start. */
  readonly imageId: string;
  /** Replaces the image's own argv; empty keeps it. */
  readonly command: readonly string[];
  /** Names of secrets; the container sees placeholders. */
  readonly env: readonly string[];
  readonly limits: Limits;
  readonly labels: Readonly<Record<string, string>>;
}

/** nobody:nogroup, as numbers: an image need not have an /etc/passwd, and its own USER is not asked. */
const USER = '65534:65534';
/** Room for scratch files at /tmp, in bytes. Counts against the memory limit as it fills. */
const TMP_BYTES = 16 * 1024 * 1024;
/** Files and folders in /tmp: inodes are kernel memory. */
const TMP_INODES = 4_096;
/** Open files a process. */
const MAX_OPEN_FILES = 1_024;
/** `Init` is a process of its own within the limit. */
const INIT_PIDS = 1;

/**
 * The hardened container (SECURITY, Docker): everything is set here, whatever the engine's defaults are. Throws
 * ERR_SANDBOX_START for a limit that the engine would take for none.
 */
export function containerConfig(spec: ContainerSpec, machineCpus: number): ContainerCreateOptions {
  requireLimits(spec.limits);
  const memoryBytes = spec.limits.memoryMb * 1024 * 1024;
  return {
    Image: spec.imageId,
    ...(spec.command.length > 0 ? { Entrypoint: [...spec.command], Cmd: [] } : {}),
    Env: spec.env.map(placeholderVariable),
    User: USER,
    Hostname: 'sandbox',
    Labels: { ...spec.labels },
    Tty: false,
    OpenStdin: true,
    StdinOnce: true,
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
    // An image's health check would run beside the tool, and its output would be kept by the engine.
    Healthcheck: { Test: ['NONE'] },
    HostConfig: {
      NetworkMode: 'none',
      // No shared memory is mounted at all: it would be one more place to write.
      IpcMode: 'none',
      CgroupnsMode: 'private',
      Privileged: false,
      CapDrop: ['ALL'],
      SecurityOpt: ['no-new-privileges=true'],
      ReadonlyRootfs: true,
      Tmpfs: { '/tmp': `rw,noexec,nosuid,nodev,size=${TMP_BYTES},nr_inodes=${TMP_INODES},mode=1777` },
      Memory: memoryBytes,
      MemorySwap: memoryBytes,
      PidsLimit: spec.limits.pids + INIT_PIDS,
      NanoCpus: nanoCpus(spec.limits.cpus, machineCpus),
      Ulimits: [
        { Name: 'nofile', Soft: MAX_OPEN_FILES, Hard: MAX_OPEN_FILES },
        { Name: 'fsize', Soft: TMP_BYTES, Hard: TMP_BYTES },
        { Name: 'core', Soft: 0, Hard: 0 },
      ],
      Init: true,
      AutoRemove: false,
      RestartPolicy: { Name: 'no' },
      // The engine's own log driver would keep all output on the host's disk.
      LogConfig: { Type: 'none', Config: {} },
    } as ContainerCreateOptions['HostConfig'],
  };
}

/**
 * Compares what the engine made with what was asked for. An engine drops what it cannot apply with a
 * warning; here that refuses the start. Returns the runtime, as observed.
 */
export function observeContainment(made: ContainerInspectInfo, asked: ContainerCreateOptions): string {
  const has = made.HostConfig;
  const wanted = asked.HostConfig ?? {};
  const controls: readonly [name: string, applied: boolean][] = [
    ['user', made.Config.User === asked.User],
    ['network', has.NetworkMode === wanted.NetworkMode],
    ['capabilities', has.Privileged === false && includes(has.CapDrop, 'ALL') && isEmpty(has.CapAdd)],
    ['no-new-privileges', includes(has.SecurityOpt, 'no-new-privileges=true') && !includes(has.SecurityOpt, 'unconfined')],
    ['read-only root', has.ReadonlyRootfs === true],
    ['mounts', made.Mounts.length === 0 && isEmpty(has.Binds) && isEmpty(has.Devices)],
    ['scratch files', isDeepStrictEqual(has.Tmpfs, wanted.Tmpfs)],
    ['memory', isLimit(has.Memory, wanted.Memory) && isLimit(has.MemorySwap, wanted.MemorySwap) && has.OomKillDisable !== true],
    ['processes', isLimit(has.PidsLimit, wanted.PidsLimit)],
    ['CPU', isLimit(has.NanoCpus, wanted.NanoCpus)],
    ['files', (wanted.Ulimits ?? []).every((ulimit: object) => hasEntry(has.Ulimits, ulimit))],
  ];
  const lost = controls.filter(([, applied]) => !applied).map(([name]) => name);
  if (lost.length > 0) {
    throw new ToolCallError(
      'ERR_SANDBOX_START',
      `The Docker engine did not apply the container's limits (${lost.join(', ')}); nothing was run. The operator must mend the engine.`,
    );
  }
  return has.Runtime ?? 'unknown';
}

/** Whether `has` is the limit that was asked for. 0, less and nothing mean that there is none, even where that was asked for. */
function isLimit(has: number | undefined, wanted: number | undefined): boolean {
  return has === wanted && typeof has === 'number' && has > 0;
}

function hasEntry(list: unknown, wanted: object): boolean {
  return Array.isArray(list) && list.some((entry) => isDeepStrictEqual(entry, wanted));
}

/** Whether an entry of `list` contains `text`: `seccomp=unconfined` contains `unconfined`. */
function includes(list: unknown, text: string): boolean {
  return Array.isArray(list) && list.some((entry) => typeof entry === 'string' && entry.includes(text));
}

function isEmpty(list: unknown): boolean {
  return list === null || list === undefined || (Array.isArray(list) && list.length === 0);
}

function placeholderVariable(name: string): string {
  if (!/^[A-Za-z_][A-Za-z0-9_]{0,127}$/.test(name)) {
    throw new ToolCallError(
      'ERR_SANDBOX_START',
      `"env" names a variable that cannot be one: ${JSON.stringify(name).slice(0, 80)}.`,
    );
  }
  return `${name}=${secretPlaceholder(name)}`;
}
