/** Largest module, in bytes. A Go or Rust tool has 2 to 8 MiB; validation takes some 10 ms a MiB. */
export const MAX_MODULE_BYTES = 16 * 1024 * 1024;

/** Entries a table may grow to, whatever it declares. An entry costs 35 bytes: 10⁷ of them took 350 MB. */
export const MAX_TABLE_ENTRIES = 100_000;
export const MAX_TABLES = 4;

/** What compiling and instantiating cost grows with these. 10⁶ functions took 0.8 s; large interpreters have some 20,000. */
export const MAX_COUNTS = {
  types: 20_000,
  imports: 1_000,
  functions: 100_000,
  globals: 20_000,
  exports: 20_000,
  'element segments': 20_000,
  'data segments': 100_000,
} as const;

export type CountedKind = keyof typeof MAX_COUNTS;

/**
 * Values that one function may take and give back. Every call, branch and block is checked value by value, so two bytes of
 * code can cost as much as a type is long.
 */
export const MAX_PARAMS = 100;
export const MAX_RESULTS = 16;

/** Local variables of all functions together. Four bytes declare 50,000, and checking goes through each: 10⁷ take 40 ms. */
export const MAX_LOCALS = 10_000_000;

/**
 * Bytes of the type, import and element sections each. Their content is held outside the guest's memory, and one item
 * can take as little as a byte: an interpreter's have some 30 KiB.
 */
export const MAX_LISTED_BYTES = 1024 * 1024;

/** Parameters of one exception; they live outside the guest's memory until it is caught. */
export const MAX_TAG_PARAMS = 16;

/** Custom sections carry names and debug data; more of them than this is no compiler's output. */
export const MAX_CUSTOM_SECTIONS = 1_000;

/** A longer import name is none that exists. */
export const MAX_NAME_BYTES = 256;
