import { platform } from 'node:os';
import { defineConfig } from 'vitest/config';
import needsPosix from './test/needs-posix.json' with { type: 'json' };

/**
 * The test files that `npm test` leaves to `npm run test:all`: they kill processes, play random schedules, run benchmarks,
 * follow the guides, or run whole books many times. A file that takes more than about five seconds on an idle machine has
 * a name that ends in .slow.test.ts, unless it covers a main path: a run, a check, a proof, the journal's conformance.
 */
const slow = ['test/**/*.slow.test.ts'];

/** Test files that Windows cannot run, named with what they need of POSIX. */
const leftOut = platform() === 'win32' ? Object.entries(needsPosix) : [];
for (const [file, needs] of leftOut) console.warn(`Not run on Windows: ${file} (${needs})`);
const posix = leftOut.map(([file]) => file);

export default defineConfig({
  test: {
    globalSetup: ['test/build-first.ts', 'test/postgres/reachable-programs.ts'],
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
        test: { name: 'quick', include: ['test/**/*.test.ts'], exclude: [...slow, ...posix], isolate: false },
      },
      { extends: true, test: { name: 'slow', include: slow, exclude: posix } },
    ],
  },
});
