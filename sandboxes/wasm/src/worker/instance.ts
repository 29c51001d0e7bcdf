import { ToolCallError } from '@yuanbot/contract';
import type { CompiledProgram } from './compile.ts';
import { type Memories, type MemorySize, PAGE_BYTES } from './memories.ts';
import { MEMORY_IMPORT } from './module/policy.ts';
import { createDescriptors, type Descriptor } from './wasi/descriptors.ts';
import { createWasiImports, type WasiPowers } from './wasi/functions.ts';
import { createInstanceEnd, type ForcedEnd, InstanceEnded } from './wasi/instance-end.ts';
import { createBoundedOutput, createTailOutput } from './wasi/outputs.ts';
import { WASI_MODULE } from './wasi/signatures.ts';

/** How an instance ended. `trapped` says why in the engine's words, which are not the module's. */
export type Ending = { readonly kind: 'returned' } | ForcedEnd | { readonly kind: 'trapped'; readonly why: string };

export interface InstanceRun {
  readonly ending: Ending;
  readonly stdout: Uint8Array;
  /** The end of what it wrote to stderr. */
  readonly stderr: { readonly bytes: Uint8Array; readonly cut: boolean };
  /** Linear memory never shrinks, so this is also the peak. */
  readonly memoryBytes: number;
  readonly memoryLimitBytes: number;
}

export interface InstanceLimits {
  readonly memoryMb: number;
  readonly outputBytes: number;
}

const PAGES_PER_MIB = 16;
/** 4 GiB: the most that 32-bit addresses reach, whatever the limit. */
const MAX_PAGES = 65_536;

/** Enough for a panic message and some lines before it, little enough for a model to read. */
const STDERR_TAIL_BYTES = 2_048;

/**
 * Runs the program once, from a fresh instance to its end: `input` on stdin, what it printed in the result. Everything
 * that belongs to the run is made here and dropped after it. Blocks; only ending the thread interrupts it.
 *
 * Throws ERR_SANDBOX_MEMORY when the program begins with more memory than the call may use.
 */
export function runInstance(
  compiled: CompiledProgram,
  input: Uint8Array,
  { memoryMb, outputBytes }: InstanceLimits,
  powers: WasiPowers,
  memories: Memories,
): InstanceRun {
  const size = memorySize(compiled, memoryMb);
  const memory = takeMemory(memories, size);
  const stdout = createBoundedOutput(outputBytes);
  const stderr = createTailOutput(STDERR_TAIL_BYTES);
  const instanceEnd = createInstanceEnd();
  const initial: Descriptor[] = [
    { kind: 'input', content: input, position: 0 },
    { kind: 'output', output: stdout },
    { kind: 'output', output: stderr },
  ];
  if (compiled.root !== undefined) initial.push({ kind: 'directory', node: compiled.root, preopen: '/' });
  const imports = linkage(
    { [MEMORY_IMPORT.name]: memory },
    createWasiImports(
      compiled.wasiNames,
      { memory, argsEnv: compiled.argsEnv, descriptors: createDescriptors(initial), instanceEnd },
      powers,
    ),
  );
  const ending = endingOf(() => start(compiled.module, imports));
  const memoryBytes = memory.buffer.byteLength;
  memories.giveBack(memory, size);
  return {
    ending: instanceEnd.forced ?? ending,
    stdout: stdout.bytes(),
    stderr: stderr.tail(),
    memoryBytes,
    memoryLimitBytes: size.maximum * PAGE_BYTES,
  };
}

function memorySize({ memory }: CompiledProgram, memoryMb: number): MemorySize {
  const maximum = Math.min(memoryMb * PAGES_PER_MIB, memory.max ?? MAX_PAGES, MAX_PAGES);
  if (memory.min > maximum) {
    throw new ToolCallError(
      'ERR_SANDBOX_MEMORY',
      `The tool begins with ${Math.ceil(memory.min / PAGES_PER_MIB)} MiB of memory and may use ${memoryMb} MiB.`,
    );
  }
  return { initial: memory.min, maximum };
}

function takeMemory(memories: Memories, size: MemorySize): WebAssembly.Memory {
  try {
    return memories.take(size);
  } catch (error) {
    throw new ToolCallError('ERR_SANDBOX_UNAVAILABLE', 'The sandbox has no memory left for this call; try again.', {
      cause: error,
    });
  }
}

/** Without prototypes on both levels: a module that imports `constructor.constructor` finds nothing. */
function linkage(env: WebAssembly.ModuleImports, wasi: WebAssembly.ModuleImports): WebAssembly.Imports {
  return Object.assign(Object.create(null), {
    [MEMORY_IMPORT.module]: Object.assign(Object.create(null), env),
    [WASI_MODULE]: wasi,
  });
}

/** The module's start function, if it has one, runs while the instance is made. */
function start(module: WebAssembly.Module, imports: WebAssembly.Imports): void {
  const { _start: main } = new WebAssembly.Instance(module, imports).exports;
  if (typeof main !== 'function') throw new TypeError('_start vanished from the exports');
  main();
}

/** Anything that is neither the module's doing nor the engine's word about it is ours, and is thrown on. */
function endingOf(run: () => void): Ending {
  try {
    run();
    return { kind: 'returned' };
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) return { kind: 'trapped', why: error.message };
    if (error instanceof RangeError) return { kind: 'trapped', why: 'the call stack overflowed' };
    if (error instanceof WebAssembly.Exception) return { kind: 'trapped', why: 'an exception was not caught' };
    if (error instanceof InstanceEnded) return { kind: 'returned' };
    throw error;
  }
}
