import { choice } from '../values/choice.ts';
import { section } from '../values/section.ts';
import { shown } from '../values/shown.ts';
import { dockerSchema } from './docker.ts';
import { hostPoolSchema } from './host-pool.ts';
import type { Surroundings } from './surroundings.ts';

export function sandboxSchema({ cores }: Surroundings) {
  return section({
    default_type: choice({
      of: ['docker', 'wasm', 'local_thread'],
      default: 'docker',
      meaning: 'The sandbox of a tool whose file names no executor type.',
    }),
    wasm_runtime: choice({
      of: ['v8'],
      default: 'v8',
      meaning: 'What runs WebAssembly. No maintained Node binding of wasmtime exists, so v8 is the only one.',
      refusal: (written) =>
        `${shown(written)} is not available: no maintained Node binding of wasmtime or another runtime exists, wasm tools run in V8; write wasm_runtime: v8`,
    }),
    docker: dockerSchema(),
    thread: hostPoolSchema(cores, 'Tools of executor type local_thread.'),
    wasm: hostPoolSchema(cores, 'Tools of executor type wasm.'),
  })
    .transform((read) => ({
      defaultType: read.default_type,
      wasmRuntime: read.wasm_runtime,
      docker: read.docker,
      thread: read.thread,
      wasm: read.wasm,
    }))
    .prefault({})
    .describe('The sandboxes that tool code runs in.');
}
