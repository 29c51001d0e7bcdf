import createWabt from 'wabt';

const wabt = await createWabt();

/** Assembles WebAssembly text, with every extension that wabt knows. */
export function assemble(text: string): Uint8Array {
  const parsed = wabt.parseWat('test.wat', text, {
    exceptions: true,
    threads: true,
    memory64: true,
    multi_memory: true,
  } as object);
  try {
    return parsed.toBinary({}).buffer;
  } finally {
    parsed.destroy();
  }
}
