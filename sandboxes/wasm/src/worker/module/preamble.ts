import { MalformedModule } from './byte-reader.ts';

/** `\0asm`, version 1, layer 0: a core module. */
export const PREAMBLE = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00] as const;

const COMPONENT_LAYER = 1;

/** What people upload instead of a module, by first bytes. */
const LOOKALIKES: readonly (readonly [name: string, start: readonly number[]])[] = [
  ['an ELF program', [0x7f, 0x45, 0x4c, 0x46]],
  ['a Windows program', [0x4d, 0x5a]],
  ['a Mach-O program', [0xcf, 0xfa, 0xed, 0xfe]],
  ['a gzip archive', [0x1f, 0x8b]],
  ['a zip archive', [0x50, 0x4b, 0x03, 0x04]],
  ['LLVM bitcode', [0x42, 0x43, 0xc0, 0xde]],
  ['a static library (ar)', [...'!<arch>'].map((letter) => letter.charCodeAt(0))],
];

/** Refuses everything that is not a version 1 core module, and says what was found instead. */
export function checkPreamble(bytes: Uint8Array): void {
  if (bytes.length === 0) throw new MalformedModule('it is empty');
  if (!startsWith(bytes, PREAMBLE.slice(0, 4))) throw new MalformedModule(`it is ${describe(bytes)}, not a wasm module`);
  if (startsWith(bytes, PREAMBLE)) return;
  if (bytes.length < PREAMBLE.length) throw new MalformedModule('it ends inside the 8 bytes that begin a module');
  if (bytes[6] === COMPONENT_LAYER) {
    throw new MalformedModule(
      'it is a component (component model); build a core module instead, with a WASI preview 1 target such as wasm32-wasip1',
    );
  }
  throw new MalformedModule(`it has wasm version ${bytes[4]}; version 1 is supported`);
}

function describe(bytes: Uint8Array): string {
  const known = LOOKALIKES.find(([, start]) => startsWith(bytes, start));
  if (known !== undefined) return known[0];
  const head = bytes.subarray(0, 24);
  const text = new TextDecoder('latin1').decode(head);
  if (/^\s*\(module/.test(text)) return 'WebAssembly text (assemble it with wat2wasm)';
  if (/^[\t\n\r\x20-\x7e]+$/.test(text)) return `text that begins with ${JSON.stringify(text)}`;
  return `a file that begins with the bytes ${[...head.subarray(0, 8)].map((byte) => byte.toString(16).padStart(2, '0')).join(' ')}`;
}

function startsWith(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, index) => bytes[index] === byte);
}
