import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { generateExport } from '../../src/generate/generate-export.ts';
import { stateSpec } from '../../src/platform/store/schema.ts';
import { openDatabase } from '../../src/sqlite/open-database.ts';
import { concluded } from './endings.ts';
import { ranHere } from './own-shell.ts';
import { workspace } from './tool.ts';

const space = workspace();
afterAll(() => space.dispose());
const supplier = 'TENTACLE_ENERGY';
let source: string;

const rowsOf = (sides: unknown) =>
  Object.fromEntries(
    (sides as { rows: { part: string; compared: string }[] }).rows.map((row) => [row.part, row]),
  );
const operator = (graphql: string) =>
  writeFileSync(join(space.directory, 'operator.yaml'), `graphql: ${graphql}\n`);

async function sides(...more: string[]) {
  const ended = await ranHere(['show', 'EXT-000001', '--platform', ...more, '--json'], space.directory);
  return concluded(ended, 'show', 0)['sides'];
}

beforeAll(async () => {
  source = join(space.directory, 'book');
  writeFileSync(join(space.directory, '.migraterc'), 'operator: operator.yaml\n');
  operator('{}');
  await generateExport({ directory: source, accounts: 2, seed: 3, shape: 'interface', supplier });
  expect((await ranHere(['run', source, '--json'], space.directory)).code).toBe(0);
});

it('shows what is equal, and compares nothing without the export', async () => {
  const whole = await sides('--export', source);
  expect(whole).toMatchObject({ state: 'compared' });
  const rows = Object.values(rowsOf(whole)) as { export?: string; held?: string; compared: string }[];
  expect(rows.map(({ compared }) => compared)).toEqual(Array.from({ length: 8 }, () => 'equal'));
  for (const row of rows) expect(row.held).toBe(row.export);
  const alone = await sides();
  expect(alone).toMatchObject({ state: 'no-export' });
  expect(rowsOf(alone)['notes']).toMatchObject({ compared: 'not-compared', sent: { notes: 'done' } });
});

it('never shows as equal what cannot be read', async () => {
  operator('{ forbidden: [AccountType.notes, AccountNote.body], disabled: [AccountType.balance] }');
  const rows = rowsOf(await sides('--export', source));
  expect(rows['notes']).toMatchObject({ compared: 'not-readable', reason: 'KT-CT-4177' });
  expect(rows['balance']).toMatchObject({ compared: 'not-readable', reason: 'KT-CT-1113' });
  expect(rows['ledgers']).toMatchObject({ compared: 'equal' });
  const { stdout } = await ranHere(['show', 'EXT-000001', '--platform', '--export', source], space.directory);
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain('not readable (KT-CT-4177)');
  operator('{}');
});

it('says what differs', async () => {
  const db = openDatabase(join(space.directory, '.migrate/platform.db'), stateSpec);
  db.exec('DELETE FROM note WHERE rowid = (SELECT min(rowid) FROM note WHERE account = 1)');
  db.close();
  expect(rowsOf(await sides('--export', source))['notes']).toMatchObject({
    compared: 'differs',
    kinds: ['missing'],
  });
});
