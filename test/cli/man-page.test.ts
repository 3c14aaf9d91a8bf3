import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { manPage } from '../../src/cli/man-page/man-page.ts';
import { leafCommands } from '../../src/cli/usage.ts';
import { idleProgram } from './command-lines.ts';

const program = idleProgram();
const page = manPage(program, '1.2.3');
const hasGroff = spawnSync('groff', ['--version']).status === 0;

it('has every command with its options, and the exit codes', () => {
  for (const command of leafCommands(program)) {
    expect(page).toMatch(new RegExp(`^\\.SS migrate (\\w+ )?${command.name()}( |$)`, 'm'));
    for (const { long, hidden } of command.options)
      if (!hidden) expect(page).toContain(`\\fB${String(long).replaceAll('-', '\\-')}`);
  }
  expect(page).toContain('\n\\fB7\\fR\nanother run holds this supplier\n');
});

it.skipIf(!hasGroff)('is rendered without a warning, and nothing of it is lost', () => {
  const { status, stdout, stderr } = spawnSync('groff', ['-man', '-Tutf8', '-ww', '-P-cbou', '-rLL=400n'], {
    input: page,
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const text = stdout.replaceAll('‐', '-').replaceAll('−', '-');
  expect(text).toContain('eval "$(migrate completion bash)"');
  expect(text).toContain('.migrate/journal.db');
  for (const command of leafCommands(program))
    for (const { description, hidden } of command.options) if (!hidden) expect(text).toContain(description);
});
