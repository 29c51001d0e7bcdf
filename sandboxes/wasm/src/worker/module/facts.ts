import { type ByteReader, createByteReader, MalformedModule } from './byte-reader.ts';
import { type CountedKind, MAX_COUNTS, MAX_LISTED_BYTES, MAX_LOCALS, MAX_NAME_BYTES, MAX_PARAMS, MAX_RESULTS } from './caps.ts';
import { checkPreamble } from './preamble.ts';
import { SECTION, type Section, splitSections } from './sections.ts';

/** What the platform must know of a module before an engine sees it. Instructions are not among it. */
export interface ModuleFacts {
  readonly sections: readonly Section[];
  readonly imports: readonly ModuleImport[];
  readonly memories: readonly Bounds[];
  readonly tables: readonly Table[];
  /** Types of the exceptions that the module throws. */
  readonly tags: readonly FunctionType[];
}

export interface ModuleImport {
  readonly module: string;
  readonly name: string;
  readonly kind: 'function' | 'table' | 'memory' | 'global' | 'tag';
  /** Of a function; undefined for the others. */
  readonly type: FunctionType | undefined;
  /** Of a memory or table; undefined for the others. */
  readonly bounds: Bounds | undefined;
}

export type ValueType = 'i32' | 'i64' | 'f32' | 'f64' | 'v128' | 'funcref' | 'externref';

export interface FunctionType {
  readonly params: readonly ValueType[];
  readonly results: readonly ValueType[];
}

/** Pages of a memory, entries of a table. */
export interface Bounds {
  readonly min: number;
  /** Undefined when the module declares none. */
  readonly max: number | undefined;
}

export interface Table extends Bounds {
  readonly element: 'funcref' | 'externref';
}

const VALUE_TYPES: ReadonlyMap<number, ValueType> = new Map([
  [0x7f, 'i32'],
  [0x7e, 'i64'],
  [0x7d, 'f32'],
  [0x7c, 'f64'],
  [0x7b, 'v128'],
  [0x70, 'funcref'],
  [0x6f, 'externref'],
]);

const FUNCTION_TYPE = 0x60;
const NO_TYPE: FunctionType = { params: [], results: [] };

/**
 * Reads the facts. Throws `MalformedModule`, and nothing else, for bytes that are no module, that are larger than
 * `caps.ts` allows, or that use an extension whose memory the platform cannot bound: garbage-collected types, shared or
 * 64-bit memories.
 */
export function readFacts(bytes: Uint8Array): ModuleFacts {
  checkPreamble(bytes);
  const sections = splitSections(bytes);
  const readerOf = (id: number): ByteReader | undefined => {
    const section = sections.find((candidate) => candidate.id === id);
    return section && createByteReader(bytes, section.contentStart, section.end);
  };

  function read<T>(id: number, item: (reader: ByteReader) => T): readonly T[] {
    const reader = readerOf(id);
    if (reader === undefined) return [];
    const items = readVector(reader, item);
    if (reader.remaining > 0) throw new MalformedModule(`section ${id} is longer than its content`);
    return items;
  }

  for (const [kind, id] of COUNTED_SECTIONS) {
    const count = readerOf(id)?.u32() ?? 0;
    if (count > MAX_COUNTS[kind]) throw new MalformedModule(`it has ${count} ${kind}; at most ${MAX_COUNTS[kind]} are allowed`);
  }
  for (const id of LISTED_SECTIONS) {
    const size = readerOf(id)?.remaining ?? 0;
    if (size > MAX_LISTED_BYTES) {
      throw new MalformedModule(`its section ${id} has ${size} bytes; at most ${MAX_LISTED_BYTES} are allowed`);
    }
  }
  const code = readerOf(SECTION.code);
  if (code !== undefined) checkLocals(code);
  const types = read(SECTION.type, readFunctionType);
  return {
    sections,
    imports: read(SECTION.import, (reader) => readImport(reader, types)),
    memories: read(SECTION.memory, readMemory),
    tables: read(SECTION.table, readTable),
    tags: read(SECTION.tag, (reader) => readTag(reader, types)),
  };
}

const COUNTED_SECTIONS: readonly (readonly [CountedKind, number])[] = [
  ['types', SECTION.type],
  ['imports', SECTION.import],
  ['functions', SECTION.function],
  ['globals', SECTION.global],
  ['exports', SECTION.export],
  ['element segments', SECTION.element],
  ['data segments', SECTION.data],
];

const LISTED_SECTIONS: readonly number[] = [
  SECTION.type,
  SECTION.import,
  SECTION.table,
  SECTION.memory,
  SECTION.element,
  SECTION.tag,
];

function readVector<T>(reader: ByteReader, item: (reader: ByteReader) => T): readonly T[] {
  const length = reader.u32();
  // Every item takes a byte at least, so a count beyond the bytes that are left is a lie.
  if (length > reader.remaining) throw new MalformedModule(`it announces ${length} items in ${reader.remaining} bytes`);
  return Array.from({ length }, () => item(reader));
}

function readFunctionType(reader: ByteReader): FunctionType {
  const form = reader.byte();
  if (form !== FUNCTION_TYPE) {
    throw new MalformedModule('it uses garbage-collected types (WasmGC), whose memory cannot be limited; build it without');
  }
  const params = readVector(reader, readValueType);
  const results = readVector(reader, readValueType);
  if (params.length > MAX_PARAMS || results.length > MAX_RESULTS) {
    throw new MalformedModule(
      `it has a function type of ${params.length} parameters and ${results.length} results; at most ${MAX_PARAMS} and ${MAX_RESULTS} are allowed`,
    );
  }
  return { params, results };
}

/** Adds up what the function bodies declare; the instructions after the declarations are skipped. */
function checkLocals(code: ByteReader): void {
  let locals = 0;
  for (let bodies = code.u32(); bodies > 0; bodies--) {
    const body = code.range(code.u32());
    for (let groups = body.u32(); groups > 0; groups--) {
      locals += body.u32();
      readValueType(body);
      if (locals > MAX_LOCALS) throw new MalformedModule(`it has more than ${MAX_LOCALS} local variables`);
    }
  }
}

function readValueType(reader: ByteReader): ValueType {
  const at = reader.position;
  const code = reader.byte();
  const type = VALUE_TYPES.get(code);
  if (type === undefined) {
    throw new MalformedModule(
      `the value type 0x${code.toString(16)} at offset ${at} is not supported; numbers, v128, funcref and externref are`,
    );
  }
  return type;
}

function readImport(reader: ByteReader, types: readonly FunctionType[]): ModuleImport {
  const module = reader.name(MAX_NAME_BYTES);
  const name = reader.name(MAX_NAME_BYTES);
  const kind = reader.byte();
  switch (kind) {
    case 0:
      return { module, name, kind: 'function', type: typeAt(reader, types), bounds: undefined };
    case 1:
      return { module, name, kind: 'table', type: undefined, bounds: readTable(reader) };
    case 2:
      return { module, name, kind: 'memory', type: undefined, bounds: readMemory(reader) };
    case 3:
      readValueType(reader);
      reader.byte();
      return { module, name, kind: 'global', type: undefined, bounds: undefined };
    case 4:
      return { module, name, kind: 'tag', type: readTag(reader, types), bounds: undefined };
    default:
      throw new MalformedModule(`its import ${module}.${name} is of the unknown kind ${kind}`);
  }
}

function readTag(reader: ByteReader, types: readonly FunctionType[]): FunctionType {
  if (reader.byte() !== 0) throw new MalformedModule('it has an exception tag of an unknown attribute');
  return typeAt(reader, types);
}

function typeAt(reader: ByteReader, types: readonly FunctionType[]): FunctionType {
  const index = reader.u32();
  if (index >= types.length) throw new MalformedModule(`it names type ${index} of ${types.length}`);
  return types[index] ?? NO_TYPE;
}

function readMemory(reader: ByteReader): Bounds {
  return readBounds(reader, 'memory');
}

function readTable(reader: ByteReader): Table {
  const code = reader.byte();
  const element = VALUE_TYPES.get(code);
  if (element !== 'funcref' && element !== 'externref') {
    throw new MalformedModule(`it has a table of type 0x${code.toString(16)}; tables of funcref or externref are supported`);
  }
  return { element, ...readBounds(reader, 'table') };
}

/** Limits flags: 1 has a maximum, 2 shared, 4 64-bit; more in proposals. */
function readBounds(reader: ByteReader, what: string): Bounds {
  const flags = reader.byte();
  if ((flags & 2) !== 0) throw new MalformedModule(`it has a shared ${what}; build it without threads`);
  if ((flags & 4) !== 0) throw new MalformedModule(`it has a 64-bit ${what}; build it for wasm32`);
  if (flags > 1) throw new MalformedModule(`it has a ${what} with the unknown flags 0x${flags.toString(16)}`);
  return { min: reader.u32(), max: flags === 1 ? reader.u32() : undefined };
}
