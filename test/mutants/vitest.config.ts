import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

interface Group {
  readonly tests: string[];
}

const groups = JSON.parse(readFileSync('test/mutants/groups.json', 'utf8')) as Record<string, Group>;

export default defineConfig({
  test: {
    include: groups[process.env['MUTANTS'] ?? '']?.tests ?? [],
    setupFiles: ['test/each-file.ts'],
    testTimeout: 60_000,
  },
});
