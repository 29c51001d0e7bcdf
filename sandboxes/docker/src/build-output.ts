import { stripVTControlCharacters } from 'node:util';

/** What the engine's classic builder streams: JSON lines, of which we read three fields. */
export interface BuildOutput {
  /** Takes a chunk as it comes, split anywhere. */
  push(chunk: Uint8Array): void;
  /** Reads what came after the last newline. */
  end(): void;
  /** The failure in the builder's words; undefined while there is none. */
  readonly error: string | undefined;
  /** The last step it began, e.g. `RUN make`; empty before the first. */
  readonly step: string;
  /** What that step printed, its last lines, and nothing of the steps before. */
  readonly stepOutput: string;
}

/** A line of the stream longer than this, in characters, is dropped: a RUN step that prints without newlines. */
const MAX_LINE = 65_536;
/** Kept of what the last step printed, in characters. */
const MAX_KEPT = 2_048;
/** Lines of the builder about itself. */
const BUILDERS_OWN = /^(?: ---> |Removing intermediate container )/;
const STEP = /^Step \d+\/\d+ : (.*)\n?$/s;

export function createBuildOutput(): BuildOutput {
  const decoder = new TextDecoder();
  let pending = '';
  let overlong = false;
  let error: string | undefined;
  let step = '';
  let stepOutput = '';

  function takeLine(line: string): void {
    const message = parseLine(line);
    if (typeof message['stream'] === 'string') takeText(message['stream']);
    if (typeof message['error'] === 'string') error ??= message['error'];
  }

  function takeText(text: string): void {
    const began = STEP.exec(text)?.[1];
    if (began !== undefined) {
      step = began;
      stepOutput = '';
    } else if (!BUILDERS_OWN.test(text)) {
      // What a step prints on stderr comes in red.
      stepOutput = (stepOutput + stripVTControlCharacters(text)).slice(-MAX_KEPT);
    }
  }

  return {
    push(chunk) {
      const lines = (pending + decoder.decode(chunk, { stream: true })).split('\n');
      pending = lines.pop() ?? '';
      for (const line of lines) {
        if (!overlong) takeLine(line);
        overlong = false;
      }
      if (pending.length > MAX_LINE) {
        pending = '';
        overlong = true;
      }
    },
    end() {
      if (!overlong) takeLine(pending + decoder.decode());
      pending = '';
    },
    get error() {
      return error;
    },
    get step() {
      return step;
    },
    get stepOutput() {
      return stepOutput;
    },
  };
}

function parseLine(line: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    // Between the JSON lines are blank ones; a line cut by an engine that stopped shows as a missing image.
    return {};
  }
}
