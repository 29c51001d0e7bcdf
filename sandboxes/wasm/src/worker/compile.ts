import { secretPlaceholder, ToolCallError } from '@yuanbot/contract';
import type { Program } from '@yuanbot/host/runtime';
import { MalformedModule } from './module/byte-reader.ts';
import { MAX_MODULE_BYTES } from './module/caps.ts';
import { type Bounds, type ModuleFacts, readFacts } from './module/facts.ts';
import { importMemory } from './module/import-memory.ts';
import { checkPolicy, memoryBounds } from './module/policy.ts';
import { quoteText } from './quote.ts';
import type { ArgsEnv } from './wasi/args-env.ts';
import { buildResourceTree, type ResourceDirectory, ResourcePathError } from './wasi/resource-tree.ts';
import { WASI_SIGNATURES, type WasiName } from './wasi/signatures.ts';

/** A program made ready: everything of it that its calls share, none of which a call can change. */
export interface CompiledProgram {
  readonly module: WebAssembly.Module;
  /** The WASI functions that it imports. */
  readonly wasiNames: readonly WasiName[];
  /** Pages its memory begins with, and the most it declares itself. */
  readonly memory: Bounds;
  readonly argsEnv: ArgsEnv;
  /** Undefined when it has no resources: then nothing is preopened. */
  readonly root: ResourceDirectory | undefined;
}

/** What `argv[0]` is: the file has no name inside the sandbox. */
const PROGRAM_NAME = 'tool';

/** Name of an environment variable (POSIX XBD 8.1, lower case allowed). */
const ENV_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Checks and compiles a program. Throws ERR_SANDBOX_START, with the cause in words and what to do. */
export function compileProgram(program: Program): CompiledProgram {
  const facts = readModule(program.artifact);
  return {
    module: compileModule(program.artifact, facts),
    wasiNames: facts.imports.flatMap(({ name }) => (Object.hasOwn(WASI_SIGNATURES, name) ? [name as WasiName] : [])),
    memory: memoryBounds(facts),
    argsEnv: encodeArgsEnv(program),
    root: program.resources.size === 0 ? undefined : buildRoot(program.resources),
  };
}

function readModule(bytes: Uint8Array): ModuleFacts {
  if (bytes.length > MAX_MODULE_BYTES) {
    throw refuse(`it has ${bytes.length} bytes; at most ${MAX_MODULE_BYTES} are allowed (strip its debug data)`);
  }
  try {
    const facts = readFacts(bytes);
    checkPolicy(facts);
    return facts;
  } catch (error) {
    if (error instanceof MalformedModule) throw refuse(error.message, error);
    throw error;
  }
}

function compileModule(bytes: Uint8Array, facts: ModuleFacts): WebAssembly.Module {
  let module: WebAssembly.Module;
  try {
    module = new WebAssembly.Module(importMemory(bytes, facts));
  } catch (error) {
    if (error instanceof WebAssembly.CompileError) {
      throw refuse(error.message.replace(/^WebAssembly\.Module\(\): /, ''), error);
    }
    throw error;
  }
  const exported = WebAssembly.Module.exports(module).filter(({ kind }) => kind === 'function');
  if (exported.some(({ name }) => name === '_start')) return module;
  throw refuse(
    exported.some(({ name }) => name === '_initialize')
      ? 'it is a WASI reactor (a library); build a command, which has a main function and exports _start'
      : 'it does not export the function _start; build a WASI preview 1 command, which does',
  );
}

function encodeArgsEnv({ command, env }: Program): ArgsEnv {
  const badArgument = command.find((argument) => argument.includes('\0'));
  if (badArgument !== undefined) throw new ToolCallError('ERR_SANDBOX_START', 'An argument of the tool’s command contains NUL.');
  const badName = env.find((name) => !ENV_NAME.test(name));
  if (badName !== undefined) {
    throw new ToolCallError('ERR_SANDBOX_START', `${JSON.stringify(badName)} is not the name of an environment variable.`);
  }
  return {
    args: [PROGRAM_NAME, ...command].map(encodeText),
    env: env.map((name) => encodeText(`${name}=${secretPlaceholder(name)}`)),
  };
}

function encodeText(text: string): Uint8Array {
  return new TextEncoder().encode(`${text}\0`);
}

function buildRoot(resources: ReadonlyMap<string, Uint8Array>): ResourceDirectory {
  try {
    return buildResourceTree(resources);
  } catch (error) {
    if (error instanceof ResourcePathError) {
      throw new ToolCallError('ERR_SANDBOX_START', `The tool's resources cannot be mounted: ${error.message}.`, { cause: error });
    }
    throw error;
  }
}

/** The reason may quote names out of the module. */
function refuse(why: string, cause?: unknown): ToolCallError {
  return new ToolCallError('ERR_SANDBOX_START', `The tool's wasm file cannot be run: ${quoteText(why)}.`, { cause });
}
