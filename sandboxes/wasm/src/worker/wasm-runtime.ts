import { converseOneshot } from '@yuanbot/contract';
import type { Program, Runtime } from '@yuanbot/host/runtime';
import { type CompiledProgram, compileProgram } from './compile.ts';
import { runInstance } from './instance.ts';
import { type CollectorPower, createMemories } from './memories.ts';
import { readRun } from './verdict.ts';
import type { WasiPowers } from './wasi/functions.ts';

export interface WasmRuntimePowers extends WasiPowers, CollectorPower {}

/**
 * Runs WASI preview 1 command modules, protocol `oneshot`: a fresh instance a line, the envelope on stdin, one protocol
 * line on stdout. A program is compiled once, when it is prepared, and kept for as long as its `Program` object is.
 */
export function createWasmRuntime(powers: WasmRuntimePowers): Runtime {
  const compiledPrograms = new WeakMap<Program, CompiledProgram>();
  const memories = createMemories(powers);

  function compiledOf(program: Program): CompiledProgram {
    const known = compiledPrograms.get(program);
    if (known !== undefined) return known;
    const compiled = compileProgram(program);
    compiledPrograms.set(program, compiled);
    return compiled;
  }

  return {
    prepare(program) {
      compiledOf(program);
    },
    async run(program, call) {
      const compiled = compiledOf(program);
      let peakMemoryBytes = 0;

      async function runOnce(line: string): Promise<string> {
        const run = runInstance(compiled, new TextEncoder().encode(`${line}\n`), call, powers, memories);
        peakMemoryBytes = Math.max(peakMemoryBytes, run.memoryBytes);
        return readRun(run, call.outputBytes);
      }

      const { result, steps } = await converseOneshot(call, runOnce, (step) => call.performStep(JSON.stringify(step)));
      return { contentJson: result.contentJson, parts: result.parts, steps, peakMemoryBytes };
    },
  };
}
