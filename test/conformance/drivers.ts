import { existsSync } from 'node:fs';
import type { Executable, ExecutorDescriptor, SandboxDriver, SandboxKind } from '@yuanbot/contract';
import type { HostEvent } from '@yuanbot/host';
import { createThreadDriver } from '@yuanbot/thread-sandbox';
import { createWasmDriver } from '@yuanbot/wasm-sandbox';
import { removeBuiltImage } from '../fixtures/docker-engine.ts';
import type { Behaviour } from './behaviours.ts';
import { openDocker } from './docker/open-docker.ts';
import { builtEcho, builtTool, dockerTool } from './tools/docker.ts';
import { executableOf } from './tools/executable.ts';
import { brokenThread, threadTool } from './tools/thread.ts';
import { brokenWasm, wasmTool } from './tools/wasm.ts';

/** One driver, with what the suite must know to test it as it tests the others. */
export interface DriverUnderTest {
  readonly kind: SandboxKind;
  open(): Promise<OpenDriver>;
  tool(behaviour: Behaviour): Promise<Executable>;
  /** The echo again, in every other form that a tool of this kind may come in. */
  otherForms(): Promise<readonly Executable[]>;
  /** Programs that cannot be made ready. */
  broken(): Promise<readonly Executable[]>;
  /** What a descriptor of this kind may not ask for: nothing would be done about it. Beside what no driver does. */
  readonly unmet: readonly (readonly [what: string, fields: Partial<ExecutorDescriptor>])[];
  /** The kinds of step that tools of this kind can ask for. */
  readonly steps: readonly ('http-step' | 'db-step' | 'mail-step')[];
  /** What comes back of the number 12345678901234567890. */
  readonly longNumber: string;
  /** What a call may take beside its tool's own time, in ms: docker starts and kills a container. */
  readonly allowanceMs: number;
}

export interface OpenDriver {
  readonly driver: SandboxDriver;
  /** What exists outside this process for calls; empty whenever none is running. */
  leftOfCalls(): Promise<readonly string[]>;
  /** What exists outside this process for the driver; empty once it is closed. */
  leftOfDriver(): Promise<readonly string[]>;
  /** Removes what the driver keeps on purpose, such as images. */
  [Symbol.asyncDispose](): Promise<void>;
}

const IMAGE = ['an image', { image: 'busybox:latest' }] as const;
/** What a later version of the platform may add: a field that this one cannot honour. */
const UNKNOWN = ['what nobody knows', { gpu: 'all' } as Partial<ExecutorDescriptor>] as const;

const docker: DriverUnderTest = {
  kind: 'docker',
  steps: ['http-step', 'db-step', 'mail-step'],
  longNumber: '12345678901234567890',
  allowanceMs: 5_000,
  unmet: [],
  async open() {
    const { driver, engine, containers } = await openDocker();
    return {
      driver,
      leftOfCalls: containers,
      leftOfDriver: containers,
      async [Symbol.asyncDispose]() {
        await driver.close();
        for (const { descriptor } of await docker.otherForms()) await removeBuiltImage(engine, descriptor.artifact);
      },
    };
  },
  tool: async (behaviour) => dockerTool(behaviour),
  otherForms: async () => [await builtEcho('conformance')],
  broken: async () => [
    executableOf('docker', { image: 'yuanbot.invalid/no-such-image:1' }),
    executableOf('docker', { image: 'not an image; rm -rf /' }),
    executableOf('docker', { artifact: Buffer.from('this is not a tar') }),
    await builtTool('FROM busybox:latest\nFLY to the moon\n'),
    await builtTool('FROM busybox:latest\nRUN echo no compiler here; exit 3\n'),
  ],
};

const wasm: DriverUnderTest = {
  kind: 'wasm',
  steps: ['http-step', 'db-step', 'mail-step'],
  unmet: [IMAGE, UNKNOWN],
  longNumber: '12345678901234567890',
  allowanceMs: 0,
  open: async () => openHosted((onEvent) => createWasmDriver({ nodePath: process.execPath, onEvent })),
  tool: wasmTool,
  otherForms: async () => [],
  broken: async () => brokenWasm(),
};

const thread: DriverUnderTest = {
  kind: 'local_thread',
  // `ctx` has no mail.
  steps: ['http-step', 'db-step'],
  unmet: [IMAGE, UNKNOWN, ['a command line', { command: ['--verbose'] }]],
  // JavaScript's numbers are doubles; the platform refuses such params before they come here.
  longNumber: '12345678901234567000',
  allowanceMs: 0,
  open: async () => openHosted((onEvent) => createThreadDriver({ nodePath: process.execPath, onEvent })),
  tool: async (behaviour) => threadTool(behaviour),
  otherForms: async () => [],
  broken: async () => brokenThread(),
};

function openHosted(create: (onEvent: (event: HostEvent) => void) => SandboxDriver): OpenDriver {
  const processes = new Set<number>();
  const driver = create((event) => {
    if (event.type === 'host_started') processes.add(event.pid);
  });
  return {
    driver,
    leftOfCalls: async () => [],
    leftOfDriver: async () => [...processes].filter((pid) => existsSync(`/proc/${pid}`)).map((pid) => `process ${pid}`),
    [Symbol.asyncDispose]: () => driver.close(),
  };
}

export const drivers: readonly DriverUnderTest[] = [docker, wasm, thread];
