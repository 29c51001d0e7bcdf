// The parts of the tests (projects of vitest.config.ts) and the services that each of them needs.
export const PARTS = {
  unit: ['wasmToolchain'],
  conformance: ['wasmToolchain', 'dockerEngine'],
  e2e: ['dockerEngine', 'nodeImage', 'python'],
};
