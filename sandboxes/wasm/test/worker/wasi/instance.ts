import { createDescriptors, type Descriptor } from '../../../src/worker/wasi/descriptors.ts';
import { createWasiImports, type WasiPowers } from '../../../src/worker/wasi/functions.ts';
import { createInstanceEnd, type InstanceEnd } from '../../../src/worker/wasi/instance-end.ts';
import { type BoundedOutput, createBoundedOutput, createTailOutput, type TailOutput } from '../../../src/worker/wasi/outputs.ts';
import { buildResourceTree } from '../../../src/worker/wasi/resource-tree.ts';
import { WASI_SIGNATURES, type WasiFunctions, type WasiName } from '../../../src/worker/wasi/signatures.ts';

export const WASI_NAMES = Object.keys(WASI_SIGNATURES) as WasiName[];

export const PAGE = 65_536;

export interface TestInstance {
  /** As a module would see them: a real memory, failures as errnos. */
  readonly wasi: WasiFunctions;
  readonly memory: WebAssembly.Memory;
  readonly view: DataView;
  readonly stdout: BoundedOutput;
  readonly stderr: TailOutput;
  readonly end: InstanceEnd;
  /** What it slept, in ms. */
  readonly slept: readonly number[];
  /** Writes text at `pointer` and returns pointer and length. */
  put(pointer: number, text: string): [pointer: number, length: number];
  text(pointer: number, length: number): string;
}

/** WASI over one page of real memory, with `stdin` to read, 1 KiB of output allowed, and these resources. */
export function createTestInstance(resources: Record<string, string> = {}, stdin = 'input'): TestInstance {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 4 });
  const stdout = createBoundedOutput(1_024);
  const stderr = createTailOutput(16);
  const end = createInstanceEnd();
  const slept: number[] = [];
  const encode = (text: string) => new TextEncoder().encode(text);
  const open: Descriptor[] = [
    { kind: 'input', content: encode(stdin), position: 0 },
    { kind: 'output', output: stdout },
    { kind: 'output', output: stderr },
  ];
  const files = new Map(Object.entries(resources).map(([path, text]) => [path, encode(text)]));
  if (files.size > 0) open.push({ kind: 'directory', node: buildResourceTree(files), preopen: '/' });
  let clockMs = 1_000;
  const powers: WasiPowers = {
    now: () => 1_700_000_000_123.9,
    monotonicNow: () => clockMs,
    fillRandom: (bytes) => bytes.fill(7),
    sleep: (ms) => {
      slept.push(ms);
      clockMs += ms;
    },
  };
  const imports: unknown = createWasiImports(
    WASI_NAMES,
    {
      memory,
      argsEnv: { args: [encode('tool\0'), encode('x\0')], env: [encode('A=b\0')] },
      descriptors: createDescriptors(open),
      instanceEnd: end,
    },
    powers,
  );
  return {
    wasi: imports as WasiFunctions,
    memory,
    get view() {
      return new DataView(memory.buffer);
    },
    stdout,
    stderr,
    end,
    slept,
    put(pointer, text) {
      const bytes = encode(text);
      new Uint8Array(memory.buffer).set(bytes, pointer);
      return [pointer, bytes.length];
    },
    text: (pointer, length) => new TextDecoder().decode(new Uint8Array(memory.buffer, pointer, length)),
  };
}
