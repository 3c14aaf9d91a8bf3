import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { generateExport } from '../../src/generate/generate-export.ts';
import { concluded } from './endings.ts';
import { ranHere } from './own-shell.ts';
import { workspace } from './tool.ts';

const space = workspace();
const { directory } = space;
const night = (...flags: string[]) => ranHere(['run', 'export', '--yes', '--json', ...flags], directory);
const tool = (...args: string[]) => ranHere(args, directory);

beforeAll(async () => {
  await generateExport({
    directory: join(directory, 'export'),
    accounts: 150,
    seed: 3,
    shape: 'interface',
    supplier: 'TENTACLE_ENERGY',
  });
});
afterAll(() => space.dispose());

it('a journal that is gone is not begun anew at night, and its last backup is not replaced', async () => {
  await night();
  await tool('journal', 'backup', 'copy.db');
  for (const name of readdirSync(join(directory, '.migrate')))
    if (/^journal\.db(-wal|-shm)?$/.test(name)) rmSync(join(directory, '.migrate', name));

  const refused = concluded(await night(), 'run', 2);
  expect(refused).toMatchObject({ stopReason: 'not-begun' });
  expect(String(refused['errors'])).toContain('migrate journal restore');
  expect((await tool('doctor')).stdout).toContain('was used here and is');

  rmSync(join(directory, '.migrate/journal.db-mark'));
  expect(concluded(await night(), 'run', 7)).toMatchObject({ stopReason: 'already-there' });
  // Nor in the next night, with the journal that this one began.
  expect(concluded(await night(), 'run', 7)).toMatchObject({ stopReason: 'already-there' });
  const backup = await tool('journal', 'backup', 'copy.db', '--force');
  expect(backup.stderr).toContain('backup of another journal');
  const kept = readdirSync(directory).find((name) => name.startsWith('copy.db.of-'));
  const wrong = await tool('journal', 'restore', 'copy.db', '--yes');
  expect(wrong.stderr).toContain(`${kept} is the backup of another journal`);
  concluded(await tool('journal', 'restore', kept ?? '', '--yes', '--json'), 'journal', 0);
  expect(concluded(await night(), 'run', 0)).toMatchObject({ accounts: { completed: 150 } });
});
