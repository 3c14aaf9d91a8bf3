import { defineConfig } from 'vitest/config';
import { slowFiles } from './test/slow-files.ts';

export default defineConfig({
  test: {
    globalSetup: ['test/build-first.ts'],
    setupFiles: ['test/each-file.ts'],
    // One worker per core. The default leaves one core to the main process, which has little to do.
    maxWorkers: '100%',
    // Real processes on a busy machine: a bound against hanging, not a measure.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    coverage: { provider: 'v8', include: ['src/**/*.ts'], reporter: ['text-summary'] },
    projects: [
      {
        extends: true,
        // The files of a worker share the modules that they import: loading them again takes a third of the time.
        test: { name: 'quick', include: ['test/**/*.test.ts'], exclude: slowFiles, isolate: false },
      },
      { extends: true, test: { name: 'slow', include: slowFiles } },
    ],
  },
});
