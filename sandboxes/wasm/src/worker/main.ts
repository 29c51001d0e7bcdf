/** Entry of a worker thread in the host process. */
import { serveRuntime } from '@yuanbot/host/runtime';
import { createNodePowers } from './node-powers.ts';
import { createWasmRuntime } from './wasm-runtime.ts';

const { gc } = globalThis;
if (gc === undefined) throw new Error('The host process of wasm workers needs the flag --expose-gc.');

serveRuntime(createWasmRuntime(createNodePowers(() => void gc())));
