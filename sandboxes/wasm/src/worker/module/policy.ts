import { WASI_MODULE, WASI_SIGNATURES, type WasiName } from '../wasi/signatures.ts';
import { MalformedModule } from './byte-reader.ts';
import { MAX_TABLE_ENTRIES, MAX_TABLES, MAX_TAG_PARAMS } from './caps.ts';
import type { Bounds, FunctionType, ModuleFacts, ModuleImport, ValueType } from './facts.ts';

/** The memory of every instance is made by the platform and imported under this name: see `import-memory.ts`. */
export const MEMORY_IMPORT = { module: 'env', name: 'memory' } as const;

const NUMBERS: ReadonlySet<ValueType> = new Set(['i32', 'i64', 'f32', 'f64']);

/**
 * Refuses, with `MalformedModule`, a module that wants more than a sandbox gives, and names what. Imports are held
 * against an exact list of module, name, kind and signature before anything is linked (SECURITY, WASM).
 */
export function checkPolicy(facts: ModuleFacts): void {
  for (const entry of facts.imports) checkImport(entry);
  checkTables(facts);
  for (const tag of facts.tags) checkTag(tag);
  checkBounds(memoryBounds(facts), 'memory');
}

/** The bounds of the module's one memory, its own or imported. */
export function memoryBounds(facts: ModuleFacts): Bounds {
  const imported = facts.imports.flatMap((entry) =>
    entry.kind === 'memory' && entry.bounds !== undefined ? [entry.bounds] : [],
  );
  const [memory, second] = [...imported, ...facts.memories];
  if (memory === undefined) throw new MalformedModule('it has no memory, which a WASI command needs');
  if (second !== undefined) throw new MalformedModule('it has more than one memory; one is supported');
  return memory;
}

/** Is this an import that the platform links, judged by module, name and kind? */
function isWasiName(entry: ModuleImport): entry is ModuleImport & { name: WasiName } {
  return entry.kind === 'function' && entry.module === WASI_MODULE && Object.hasOwn(WASI_SIGNATURES, entry.name);
}

function checkImport(entry: ModuleImport): void {
  if (entry.kind === 'memory' && entry.module === MEMORY_IMPORT.module && entry.name === MEMORY_IMPORT.name) return;
  const title = `${JSON.stringify(entry.module)}.${JSON.stringify(entry.name)} (${entry.kind})`;
  if (!isWasiName(entry)) {
    throw new MalformedModule(
      `it imports ${title}, which does not exist here; a tool may import the functions of ${WASI_MODULE} only`,
    );
  }
  const { params, results } = WASI_SIGNATURES[entry.name];
  if (!sameTypes(entry.type?.params, params) || !sameTypes(entry.type?.results, results)) {
    throw new MalformedModule(`it imports ${title} with another signature than WASI's`);
  }
}

function sameTypes(have: readonly string[] | undefined, want: readonly string[]): boolean {
  return have !== undefined && have.length === want.length && have.every((type, index) => type === want[index]);
}

function checkTables(facts: ModuleFacts): void {
  if (facts.tables.length > MAX_TABLES) {
    throw new MalformedModule(`it has ${facts.tables.length} tables; at most ${MAX_TABLES} are allowed`);
  }
  for (const table of facts.tables) {
    checkBounds(table, 'table');
    if (table.min > MAX_TABLE_ENTRIES) {
      throw new MalformedModule(`it has a table of ${table.min} entries; at most ${MAX_TABLE_ENTRIES} are allowed`);
    }
  }
}

/** An exception holding another one could chain memory without end, outside the guest's own: numbers only. */
function checkTag(tag: FunctionType): void {
  if (tag.params.length > MAX_TAG_PARAMS || !tag.params.every((type) => NUMBERS.has(type))) {
    throw new MalformedModule(`it has exceptions that carry more than ${MAX_TAG_PARAMS} numbers`);
  }
}

function checkBounds({ min, max }: Bounds, what: string): void {
  if (max !== undefined && max < min) throw new MalformedModule(`it has a ${what} whose maximum is below its minimum`);
}
