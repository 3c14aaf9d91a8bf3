import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { generateExport } from '../../src/generate/generate-export.ts';
import { concluded } from './endings.ts';
import { ranHere } from './own-shell.ts';
import { summaryOf, workspace } from './tool.ts';

let space: ReturnType<typeof workspace>;
beforeEach(() => void (space = workspace()));
afterEach(() => space.dispose());

it('no output asks for a fix of data that only changed after the import', async () => {
  const { directory } = space;
  const accounts = join(directory, 'export', 'accounts.csv');
  await generateExport({
    directory: join(directory, 'export'),
    accounts: 3,
    seed: 5,
    supplier: 'TENTACLE_ENERGY',
    shape: 'flat',
  });
  const migrate = (...args: string[]) => ranHere(args, directory);
  concluded(await migrate('run', 'export', '--json'), 'run', 0);
  const [header = '', first = '', ...rest] = readFileSync(accounts, 'utf8').split('\n');
  const at = header.split(',').indexOf('billing_address.street_address');
  const cells = first.split(',');
  cells[at] = '1 Other Street';
  writeFileSync(accounts, [header, cells.join(','), ...rest].join('\n'));

  const run = await migrate('run', 'export');
  expect(run.stdout).toMatch(/rejected +1 +changed in the export after the import/);
  const status = await migrate('status');
  expect(status.stdout).toMatch(/rejected +1 +changed in the export after the import/);
  expect(summaryOf((await migrate('status', '--json')).stdout)).toMatchObject({
    suppliers: [{ accounts: { rejected: 1 }, changedAfterImport: 1 }],
  });
  const { stdout: page } = await migrate('report', '--out', '-');
  expect(page).toContain('1 changed in the export after the import: an account that exists is not changed.');
  expect(page).not.toMatch(/refused; fix the data|correct the cells named below/);

  // A later run of other accounts alone says the same about the book.
  writeFileSync(join(directory, 'pilot'), 'EXT-000002\n');
  const pilot = await migrate('run', 'export', '--accounts', 'pilot');
  expect(pilot.stdout).toMatch(/rejected +1 +changed in the export after the import/);
});
