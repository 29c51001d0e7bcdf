import { getRandomValues } from 'node:crypto';
import type { Part } from '@yuanbot/contract';
import { ToolCallError } from '@yuanbot/contract';
import type { Program, RuntimeCall } from '@yuanbot/host/runtime';
import { type ZonedTime, zonedTime } from './zoned-time.ts';

/**
 * Everything a thread tool can do beyond ECMAScript itself. A new one for each call, frozen with all it holds: no
 * power carries anything from one call to the next. What is not here does not exist for a tool: no Node, no `Intl`,
 * no timers, no `Date.now()`, `new Date()` or `Math.random()` (they throw), no `import()`. Of what Node adds to the
 * language, `TextEncoder` and `TextDecoder` are there; `console` takes everything and writes nothing.
 */
export interface ThreadPowers {
  /** Milliseconds since 1970. */
  now(): number;
  /** From 0 up to but not 1, 32 bits of it random, from the system's cryptographic generator. */
  random(): number;
  /** Calendar parts of a moment in an IANA time zone. Throws, naming it, for an unknown zone. */
  zonedTime(epochMs: number, zone: string): ZonedTime;
  /** The text of one of the tool's own files (`fs: read` in the tool's file). Throws for a path it does not have. */
  resource(path: string): string;
  readonly userId: string;
  readonly invocationId: string;
  readonly approved: boolean;
  /** Has the platform make a request; resolves to the parsed answer. A refusal ends the call and is never seen here. */
  http(step: { method: string; url: string; headers?: Record<string, string>; body?: string; desc?: string }): Promise<unknown>;
  /** Has the platform perform a database operation; resolves to the parsed answer. A refusal ends the call. */
  db(operation: string, params?: Record<string, unknown>): Promise<unknown>;
  /**
   * For a result with images, audio or files: `return ctx.result(content, parts)`. A part is
   * `{ mediaType, data }` (base64) or `{ mediaType, uri }`, and may have a `name`. Anything else that a tool returns
   * is its content as it stands.
   */
  result(content: unknown, parts: readonly { mediaType: string; data?: string; uri?: string; name?: string }[]): object;
}

export interface PowersOfCall {
  readonly ctx: ThreadPowers;
  /** Steps asked for so far. */
  steps(): number;
  /** Takes what the tool returned apart. Throws ERR_OUTPUT_INVALID for parts that are none. */
  unwrap(returned: unknown): { readonly content: unknown; readonly parts: readonly Part[] };
}

/** To be called after `lockdown`. */
export function createPowers(program: Program, call: RuntimeCall): PowersOfCall {
  const wrapped = new WeakMap<object, { readonly content: unknown; readonly parts: unknown }>();
  let steps = 0;

  async function perform(step: object): Promise<unknown> {
    const stepJson = JSON.stringify(step);
    steps++;
    const answer = await call.performStep(stepJson);
    return JSON.parse(answer.json);
  }

  const ctx: ThreadPowers = {
    now: () => Date.now(),
    random: () => randomFraction(),
    zonedTime: (epochMs, zone) => zonedTime(epochMs, zone),
    resource: (path) => readResource(program, path),
    userId: call.userId,
    invocationId: call.invocationId,
    approved: call.approved,
    http: (step) => {
      const { method, url, headers, body, desc } = Object(step);
      return perform({ type: 'http', method, url, headers, body, desc });
    },
    db: (operation, params) => perform({ type: 'db', operation, params }),
    result: (content, parts) => {
      const wrapper = Object.freeze({});
      wrapped.set(wrapper, { content, parts });
      return wrapper;
    },
  };
  // As `harden` would leave it, at a twentieth of its cost: arrow functions have no prototype object of their own,
  // and what they inherit from is frozen by `lockdown`.
  for (const power of Object.values(ctx)) if (typeof power === 'function') Object.freeze(power);

  return {
    ctx: Object.freeze(ctx),
    steps: () => steps,
    unwrap(returned) {
      const wrapper = typeof returned === 'object' && returned !== null ? wrapped.get(returned) : undefined;
      if (wrapper === undefined) return { content: returned, parts: [] };
      return { content: wrapper.content, parts: readParts(wrapper.parts) };
    },
  };
}

const RANDOM_BATCH = 256;
const UINT32_VALUES = 2 ** 32;
const randomWords = new Uint32Array(RANDOM_BATCH);
let randomLeft = 0;

function randomFraction(): number {
  if (randomLeft === 0) {
    getRandomValues(randomWords);
    randomLeft = RANDOM_BATCH;
  }
  return (randomWords[--randomLeft] ?? 0) / UINT32_VALUES;
}

function readResource(program: Program, path: unknown): string {
  const content = typeof path === 'string' ? program.resources.get(path) : undefined;
  if (content === undefined) {
    throw new RangeError(
      `The tool has no file ${JSON.stringify(String(path).slice(0, 200))}; it must be among its resources, with \`fs: read\`.`,
    );
  }
  return new TextDecoder().decode(content);
}

function readParts(parts: unknown): readonly Part[] {
  // Read once into text, so that no getter can answer differently later.
  const list: unknown = JSON.parse(JSON.stringify(parts ?? []) ?? 'null');
  if (!Array.isArray(list)) throw unfitPart('The second argument of ctx.result is not a list of parts.');
  return list.map((part: unknown, index) => {
    const { mediaType, data = '', uri = '', name = '' } = Object(part);
    if (typeof mediaType !== 'string' || typeof data !== 'string' || typeof uri !== 'string' || typeof name !== 'string') {
      throw unfitPart(`Part ${index + 1} of the result lacks text fields mediaType and data or uri.`);
    }
    return { mediaType, data, uri, name };
  });
}

function unfitPart(message: string): ToolCallError {
  return new ToolCallError('ERR_OUTPUT_INVALID', message);
}
