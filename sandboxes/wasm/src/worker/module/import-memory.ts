import { createByteReader, encodeU32 } from './byte-reader.ts';
import { MAX_TABLE_ENTRIES } from './caps.ts';
import type { ModuleFacts, Table } from './facts.ts';
import { MEMORY_IMPORT, memoryBounds } from './policy.ts';
import { PREAMBLE } from './preamble.ts';
import { SECTION } from './sections.ts';

const IMPORT_KIND_MEMORY = 2;
const TABLE_TYPE_CODES = { funcref: 0x70, externref: 0x6f } as const;

/**
 * Rewrites a module so that its memory is made by the platform, and its tables cannot grow past the cap.
 *
 * The module's own memory becomes the import `env.memory`: memory 0 either way, so neither code nor exports change.
 * The call's memory limit is then the maximum of the memory that is handed in, and one compiled module serves every
 * limit. WASI functions also see the memory while the module's start function still runs.
 *
 * `facts` must have passed `checkPolicy`.
 */
export function importMemory(bytes: Uint8Array, facts: ModuleFacts): Uint8Array<ArrayBuffer> {
  const pieces: (Uint8Array | readonly number[])[] = [PREAMBLE];
  let memoryImported = facts.memories.length === 0;
  for (const section of facts.sections) {
    if (!memoryImported && section.id !== SECTION.custom && section.id > SECTION.import) {
      pieces.push(encodeSection(SECTION.import, [encodeU32(1), memoryImport(facts)]));
      memoryImported = true;
    }
    if (section.id === SECTION.import && !memoryImported) {
      const reader = createByteReader(bytes, section.contentStart, section.end);
      const count = encodeU32(reader.u32() + 1);
      pieces.push(encodeSection(SECTION.import, [count, reader.take(reader.remaining), memoryImport(facts)]));
      memoryImported = true;
    } else if (section.id === SECTION.table) {
      pieces.push(encodeSection(SECTION.table, [encodeU32(facts.tables.length), ...facts.tables.map(cappedTable)]));
    } else if (section.id !== SECTION.memory) {
      pieces.push(bytes.subarray(section.start, section.end));
    }
  }
  return concat(pieces);
}

/** Without a maximum: an import that declared one would refuse a memory with a higher one. */
function memoryImport(facts: ModuleFacts): readonly number[] {
  const { module, name } = MEMORY_IMPORT;
  return [...encodeName(module), ...encodeName(name), IMPORT_KIND_MEMORY, 0, ...encodeU32(memoryBounds(facts).min)];
}

function cappedTable({ element, min, max }: Table): readonly number[] {
  const capped = Math.min(max ?? MAX_TABLE_ENTRIES, MAX_TABLE_ENTRIES);
  return [TABLE_TYPE_CODES[element], 1, ...encodeU32(min), ...encodeU32(capped)];
}

function encodeName(name: string): readonly number[] {
  const bytes = new TextEncoder().encode(name);
  return [...encodeU32(bytes.length), ...bytes];
}

function encodeSection(id: number, content: readonly (Uint8Array | readonly number[])[]): Uint8Array {
  const body = concat(content);
  return concat([[id], encodeU32(body.length), body]);
}

function concat(pieces: readonly (Uint8Array | readonly number[])[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(pieces.reduce((total, piece) => total + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.length;
  }
  return joined;
}
