import { createByteReader, MalformedModule } from './byte-reader.ts';
import { MAX_CUSTOM_SECTIONS } from './caps.ts';
import { PREAMBLE } from './preamble.ts';

export interface Section {
  readonly id: number;
  /** Where its id byte is, and where its content begins and ends: offsets in the module. */
  readonly start: number;
  readonly contentStart: number;
  readonly end: number;
}

/** Section ids (WebAssembly core spec, 5.5.2; tag from the exception-handling extension). */
export const SECTION = {
  custom: 0,
  type: 1,
  import: 2,
  function: 3,
  table: 4,
  memory: 5,
  global: 6,
  export: 7,
  element: 9,
  code: 10,
  data: 11,
  tag: 13,
} as const;

/**
 * Splits a module into its sections, in file order. A section of one kind occurs once at most, custom ones aside: two
 * memory sections, say, would let the reader here and the engine disagree on which one counts.
 */
export function splitSections(bytes: Uint8Array): readonly Section[] {
  const reader = createByteReader(bytes, PREAMBLE.length);
  const sections: Section[] = [];
  const seen = new Set<number>();
  let customs = 0;
  while (reader.remaining > 0) {
    const start = reader.position;
    const id = reader.byte();
    const size = reader.u32();
    const contentStart = reader.position;
    reader.take(size);
    if (id === SECTION.custom) {
      if (++customs > MAX_CUSTOM_SECTIONS) throw new MalformedModule(`it has more than ${MAX_CUSTOM_SECTIONS} custom sections`);
    } else if (seen.has(id)) {
      throw new MalformedModule(`section ${id} occurs twice`);
    }
    seen.add(id);
    sections.push({ id, start, contentStart, end: reader.position });
  }
  return sections;
}
