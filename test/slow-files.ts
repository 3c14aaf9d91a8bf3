import { existsSync } from 'node:fs';

/**
 * The test files that `npm test` leaves to `npm run test:all`: they kill processes, play random schedules, run benchmarks,
 * follow the guides, or start the binary many times. Add a file that takes more than about ten seconds on an idle machine.
 */
export const slowFiles = [
  'test/bench/bench.test.ts',
  'test/cli/bad-platform.test.ts',
  'test/cli/end-of-run.test.ts',
  'test/cli/fixed-nights.test.ts',
  'test/cli/guide-tutorial.test.ts',
  'test/cli/interrupted.test.ts',
  'test/cli/journal-taken.test.ts',
  'test/cli/journal-trouble.test.ts',
  'test/cli/kill-and-resume.test.ts',
  'test/cli/mock-server.test.ts',
  'test/cli/proxy-and-authority.test.ts',
  'test/cli/proxy-pages.test.ts',
  'test/cli/refusal-dialects.test.ts',
  'test/cli/runners-crash.test.ts',
  'test/cli/several-runners.test.ts',
  'test/cli/throttled-token.test.ts',
  'test/cli/week.test.ts',
  'test/cli/with.test.ts',
  'test/conformance/breaches.test.ts',
  'test/docs/demonstration.test.ts',
  'test/docs/journal.test.ts',
  'test/docs/library.test.ts',
  'test/docs/nightly.test.ts',
  'test/docs/runbook.test.ts',
  'test/journal/crash.test.ts',
  'test/mapping/sample-systems/odd-book.test.ts',
  'test/pipeline/crash.test.ts',
  'test/pipeline/shared-crash.test.ts',
  'test/platform/durability.test.ts',
  'test/platform/random-input.test.ts',
  'test/source/databases.test.ts',
];

const missing = slowFiles.filter((file) => !existsSync(file));
if (missing.length > 0)
  throw new Error(`No such test file: ${missing.join(', ')}. Correct test/slow-files.ts.`);
