import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { it, onTestFinished } from 'vitest';
import { refused } from '../cli/endings.ts';
import { ranHere } from '../cli/own-shell.ts';
import { project, workspace } from '../cli/tool.ts';

it.each([
  ['a link to itself', 'loop.csv', 'ELOOP'],
  ['a name that is too long', `${'x'.repeat(300)}.csv`, 'ENAMETOOLONG'],
])('an output that cannot be looked at (%s) is refused with the cause', async (_what, name, code) => {
  const space = workspace();
  onTestFinished(() => space.dispose());
  symlinkSync('loop.csv', join(space.directory, 'loop.csv'));
  const args = ['validate', project('fixtures/interface'), '--problems', name, '--json'];
  refused(
    await ranHere(args, space.directory),
    'validate',
    2,
    `--problems: ${name} cannot be looked at before it is written: the system reports ${code}. Check the path`,
  );
});
