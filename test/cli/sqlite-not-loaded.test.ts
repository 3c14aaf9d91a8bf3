import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { concluded } from './endings.ts';
import { project, tool, workspace } from './tool.ts';

// As after a change to another Node, and as installed without the packages' scripts.
it.each([
  ["Object.assign(new Error('another NODE_MODULE_VERSION'), { code: 'ERR_DLOPEN_FAILED' })"],
  ["Object.assign(new Error('Could not locate the bindings file.'), { tries: [] })"],
])('SQLite that does not fit this Node is told with the remedy, not as a bug (%s)', async (error) => {
  const space = workspace();
  onTestFinished(() => space.dispose());
  const spoiled = join(space.directory, 'spoiled.cjs');
  writeFileSync(spoiled, `process.dlopen = () => { throw ${error}; };`);
  const env = { NODE_OPTIONS: `--require ${spoiled}` };
  const ended = await tool(['run', project('fixtures/interface'), '--json'], space.directory, env);
  concluded(ended, 'run', 2);
  expect(ended.stderr).toContain('SQLite cannot be loaded');
  expect(ended.stderr).toContain('Install it again');
  expect(ended.stderr).toContain('pnpm approve-builds');
  expect(ended.stderr).toContain('yarn rebuild better-sqlite3');
});
