import { ToolCallError } from '@yuanbot/contract';
import type { ThreadPowers } from './powers.ts';
import { refuseBadSyntax, startErrorOf } from './script-errors.ts';
import { messageOf } from './thrown-message.ts';
import { openCompartment } from './tool-compartment.ts';

export type Tool = (params: unknown, ctx: ThreadPowers) => unknown;

/** A tool's code, checked and parsed. */
export interface Script {
  /**
   * Runs the tool's file from its first line and returns what it exports: nothing is shared with any other instance.
   * Throws ERR_SANDBOX_START with the cause in words.
   */
  instantiate(): Tool;
}

type ModuleBody = (module: { exports: unknown }, exports: unknown) => void;

/**
 * Code that names `globalThis` may put something there and find it again by its bare name, so it gets a compartment
 * of its own each time (about 0.1 ms). Other code cannot tell whether its compartment was there before: it is sealed,
 * all its objects are frozen, and the file's own variables are made anew by each run of its body. That is the common
 * case, and a hundred times cheaper.
 */
const NAMES_GLOBAL = /globalThis/;

/** @param artifact CommonJS text in UTF-8 */
export function loadScript(artifact: Uint8Array): Script {
  const text = decode(artifact);
  refuseBadSyntax(text);
  // The wrapper's head stays on the first line: line numbers in messages are those of the tool's file.
  const source = `(function (module, exports) {${text}\n})`;
  const bodyOf = NAMES_GLOBAL.test(source) ? () => evaluate(source, 'fresh') : sealedBody(source);
  return { instantiate: () => exportedTool(bodyOf()) };
}

function sealedBody(source: string): () => ModuleBody {
  const body = evaluate(source, 'sealed');
  return () => body;
}

function evaluate(source: string, kind: 'fresh' | 'sealed'): ModuleBody {
  try {
    return openCompartment(kind).evaluate(source);
  } catch (error) {
    throw startErrorOf(error);
  }
}

function exportedTool(body: ModuleBody): Tool {
  const module: { exports: unknown } = { exports: {} };
  let exported: unknown;
  try {
    Reflect.apply(body, module.exports, [module, module.exports]);
    exported = module.exports;
  } catch (error) {
    throw new ToolCallError('ERR_SANDBOX_START', `The tool's file fails while it loads: ${messageOf(error)}`);
  }
  if (typeof exported === 'function') return exported as Tool;
  throw new ToolCallError(
    'ERR_SANDBOX_START',
    "The tool's file does not set `module.exports` to a function; write `module.exports = async (params, ctx) => …`.",
  );
}

function decode(artifact: Uint8Array): string {
  try {
    // A byte order mark is dropped; what is not UTF-8 is refused rather than mended.
    return new TextDecoder('utf-8', { fatal: true }).decode(artifact);
  } catch {
    throw new ToolCallError('ERR_SANDBOX_START', "The tool's file is not UTF-8 text.");
  }
}
