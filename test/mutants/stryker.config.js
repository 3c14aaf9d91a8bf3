import { readFileSync } from 'node:fs';

const { MUTANTS: group } = process.env;
const { mutate } = JSON.parse(readFileSync('test/mutants/groups.json', 'utf8'))[group];

export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  // `related` would leave out tests that reach a file only through others.
  vitest: { configFile: 'test/mutants/vitest.config.ts', related: false },
  coverageAnalysis: 'perTest',
  mutate,
  incremental: true,
  incrementalFile: `node_modules/.cache/mutants/${group}.json`,
  tempDirName: 'node_modules/.cache/mutated',
  reporters: ['clear-text'],
  clearTextReporter: { allowColor: false, allowEmojis: false, logTests: false, reportTests: false },
  allowConsoleColors: false,
  thresholds: { high: 95, low: 90, break: null },
};
