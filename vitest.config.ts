import { defineConfig } from 'vitest/config';

// Three parts that also run alone (npm run test:unit, …). Everything but `unit` needs the services that
// scripts/test.mjs starts; it hands their addresses over in the environment.
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            '{proto,services/*,sandboxes/*}/test/**/*.test.ts',
            'configs/Plugins/tools/*/test/**/*.test.ts',
            'test/unit/**/*.test.ts',
          ],
        },
      },
      {
        test: {
          name: 'conformance',
          include: ['test/conformance/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 180_000,
          // One Docker engine for all: times are measured, so one file at a time.
          fileParallelism: false,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 180_000,
          // Each file starts a platform of several processes.
          fileParallelism: false,
        },
      },
    ],
  },
});
