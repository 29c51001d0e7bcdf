import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Program, RuntimeCall } from '@yuanbot/host/runtime';
import { expect } from 'vitest';
import { createNodePowers } from '../src/worker/node-powers.ts';
import { createWasmRuntime } from '../src/worker/wasm-runtime.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

export const powers = createNodePowers(collectGarbage);
export const runtime = createWasmRuntime(powers);

export function program(artifact: Uint8Array, more: Partial<Program> = {}): Program {
  return { digest: 'sha256:test', artifact, command: [], env: [], resources: new Map(), ...more };
}

export function call(more: Partial<RuntimeCall> = {}): RuntimeCall {
  return {
    paramsJson: '{}',
    approved: true,
    userId: 'u1',
    invocationId: 'i1',
    memoryMb: 32,
    outputBytes: 65_536,
    performStep: () => Promise.reject(new Error('this test takes no step')),
    ...more,
  };
}

/** The content of the result, parsed. */
export async function contentOf(started: Promise<{ readonly contentJson: string }>): Promise<unknown> {
  return JSON.parse((await started).contentJson);
}

/** A `{"code", "message"}` matcher for `rejects.toMatchObject`. */
export function failure(code: string, message: RegExp): { code: string; message: unknown } {
  return { code, message: expect.stringMatching(message) };
}
