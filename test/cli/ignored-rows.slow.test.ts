import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { concluded } from './endings.ts';
import { ranHere } from './own-shell.ts';
import { project, workspace } from './tool.ts';

const space = workspace();
afterAll(() => space.dispose());
const legacy = (file: string): string => project(`fixtures/legacy/${file}`);

it('every command that reads the export counts the rows that the mapping leaves out on purpose', async () => {
  const mapping = readFileSync(legacy('mapping.yaml'), 'utf8').replace(
    '{ file: BEMERKUNGEN.csv, key: KUNDENNR }',
    '{ file: BEMERKUNGEN.csv, key: KUNDENNR, ignore: { WICHTIG: [N] } }',
  );
  writeFileSync(join(space.directory, 'mapping.yaml'), mapping);
  copyFileSync(legacy('old-characters.mjs'), join(space.directory, 'old-characters.mjs'));
  const here = (command: string, ...args: string[]) =>
    ranHere([command, legacy('export'), ...args, '--mapping', 'mapping.yaml'], space.directory);
  const json = async (command: string, ...args: string[]) =>
    concluded(await here(command, ...args, '--json'), command, 0);

  const checked = await json('validate');
  const { ignoredRows } = checked;
  expect(ignoredRows).toBeGreaterThan(1);
  expect(await json('plan')).toMatchObject({ ignoredRows });
  expect(await json('run', '--dry-run')).toMatchObject({ ignoredRows });
  expect(await json('run')).toMatchObject({ ignoredRows });
  expect(await json('reconcile')).toMatchObject({ matches: true, ignoredRows });

  const told = `${Number(ignoredRows)} rows left out on purpose, by the mapping's ignore or orphans.`;
  for (const [command, ...args] of [
    ['validate'],
    ['plan'],
    ['run', '--checksum', '--dry-run'],
    ['reconcile'],
  ] as const)
    expect((await here(command, ...args)).stdout).toContain(told);
});

it('explain counts the ignored rows of its account', async () => {
  const explained = await ranHere(
    ['explain', legacy('export'), 'EXT-000001', '--mapping', 'mapping.yaml', '--json'],
    space.directory,
  );
  expect(concluded(explained, 'explain', 0)).toMatchObject({ ignoredRows: 1 });
});
