import { existsSync } from 'node:fs';

/**
 * Test files that `npm test` leaves to `npm run test:all`: those that kill processes, play schedules, run benchmarks, follow
 * the guides or start the real binary many times over. A file that takes longer than some ten seconds belongs here,
 * unless nothing else tests what it tests.
 */
export const slowFiles = [
  'test/bench/bench.test.ts',
  'test/cli/guide-tutorial.test.ts',
  'test/cli/interrupted.test.ts',
  'test/cli/journal-trouble.test.ts',
  'test/cli/kill-and-resume.test.ts',
  'test/cli/week.test.ts',
  'test/docs/demonstration.test.ts',
  'test/docs/library.test.ts',
  'test/docs/nightly.test.ts',
  'test/docs/runbook.test.ts',
  'test/journal/crash.test.ts',
  'test/pipeline/crash.test.ts',
];

const missing = slowFiles.filter((file) => !existsSync(file));
if (missing.length > 0) throw new Error(`test/slow-files.ts names no file of the project: ${missing.join(', ')}`);
