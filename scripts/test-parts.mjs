// The parts of the tests (projects of vitest.config.ts) and the services that each of them needs.
export const PARTS = {
  unit: ['dockerEngine', 'wasmToolchain'],
  conformance: ['dockerEngine', 'wasmToolchain', 'nodeImage'],
  e2e: ['dockerEngine', 'wasmToolchain', 'nodeImage', 'python'],
};
