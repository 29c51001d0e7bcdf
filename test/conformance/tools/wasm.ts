import { fileURLToPath } from 'node:url';
import type { Executable } from '@yuanbot/contract';
import { buildC } from '../../fixtures/wasm/build.ts';
import type { Behaviour } from '../behaviours.ts';
import { executableOf } from './executable.ts';

/** The C program of this folder, told by its argument what to do. */
export async function wasmTool(behaviour: Behaviour): Promise<Executable> {
  const artifact = await buildC(fileURLToPath(new URL('./behaviours.c', import.meta.url)));
  return executableOf('wasm', { artifact, command: [behaviour] });
}

export function brokenWasm(): readonly Executable[] {
  return [Buffer.from('this is not wasm'), Buffer.from('\0asm\u0001\0\0\0\u0001'), Buffer.alloc(0)].map((artifact) =>
    executableOf('wasm', { artifact }),
  );
}
