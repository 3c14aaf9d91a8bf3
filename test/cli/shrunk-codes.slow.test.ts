import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { concluded } from './endings.ts';
import { ranHere } from './own-shell.ts';
import { summaryOf, workspace } from './tool.ts';

const mapping = `version: 1
tables:
  accounts: { file: A.csv, key: ID }
lookups:
  channels: { file: codes/channels.csv, key: CODE, value: CHANNEL }
account:
  import_supplier: { constant: TENTACLE_ENERGY }
  account_type: { constant: DOMESTIC }
  sales_channel: { column: T, lookup: channels }
`;
const codes = ['X,DIRECT', 'Y,BROKER', 'Z,DIRECT', 'W,BROKER'];
/** In which no value is that of two codes. */
const ownValues = ['X,DIRECT', 'Y,BROKER', 'Z,AGGREGATOR', 'W,FIELD_SALES'];

let space: ReturnType<typeof workspace>;
const file = (name: string): string => join(space.directory, name);
const writeCodes = (rows: readonly string[]): void =>
  writeFileSync(file('codes/channels.csv'), `CODE,CHANNEL\n${rows.map((row) => `${row}\n`).join('')}`);
const migrate = (...args: readonly string[]) =>
  ranHere([...args, '--mapping', 'mapping.yaml'], space.directory);
const night = (...flags: string[]) => migrate('run', 'export', '--yes', '--limit', '2', '--json', ...flags);
const words = (text: string): string => text.replaceAll(/\s+/g, ' ');

beforeEach(() => {
  space = workspace();
  for (const directory of ['export', 'codes']) mkdirSync(file(directory));
  const rows = Array.from({ length: 9 }, (_, at) => `A-${at},${at < 3 ? 'X' : 'Y'}\n`);
  writeFileSync(file('export/A.csv'), `ID,T\n${rows.join('')}`);
  writeFileSync(file('mapping.yaml'), mapping);
  writeCodes(codes);
});
afterEach(() => space.dispose());

it('a code table that was cut short stops an unattended run before it rejects an account for it', async () => {
  concluded(await night(), 'run', 6);
  writeCodes(codes.slice(0, 1));
  for (let nights = 0; nights < 2; nights += 1)
    expect(concluded(await night(), 'run', 2)).toMatchObject({
      ...{ stopReason: 'export-shrank', requests: 0 },
      accounts: { rejected: 0 },
    });
  const { code, stdout } = await ranHere(['morning'], space.directory);
  expect(code).toBe(2);
  expect(words(stdout)).toContain('a code table has shrunk since run 1 by more than 5 %');
  expect(words(stdout)).toContain('the code table channels.csv has 1 of 4 rows (-75 %)');
  expect(words(stdout)).toContain('Put the whole table back');
  expect(words(stdout)).not.toContain('Export it again');
  expect(summaryOf((await ranHere(['morning', '--json'], space.directory)).stdout)).toMatchObject({
    reason: 'export-shrank',
  });

  writeCodes(codes);
  concluded(await night(), 'run', 6);
});

it('a code table that lost rows on purpose is accepted once', async () => {
  concluded(await night(), 'run', 6);
  writeCodes(codes.slice(0, 2));
  concluded(await night('--accept-shrinkage'), 'run', 6);
  concluded(await night(), 'run', 6);
});

it('a code that a table lost is found in the cells that have it', async () => {
  const tariffs = Array.from({ length: 40 }, (_, at) => `K0${at},STANDARD-${at}3\n`);
  const writeTariffs = (rows: readonly string[]): void =>
    writeFileSync(file('codes/tariffs.csv'), `CODE,TARIFF\n${rows.join('')}`);
  const ids = Array.from({ length: 12 }, (_, at) => `A-${at}`);
  writeFileSync(file('export/A.csv'), `ID\n${ids.map((id) => `${id}\n`).join('')}`);
  const points = ids.map((id, at) => `${id},1${at + 1000},K02\n`);
  writeFileSync(file('export/POINTS.csv'), `ID,MALO,TARIFF\n${points.join('')}`);
  writeFileSync(
    file('mapping.yaml'),
    `version: 1
tables:
  accounts: { file: A.csv, key: ID }
  points: { file: POINTS.csv, key: ID }
lookups:
  tariffs: { file: codes/tariffs.csv, key: CODE, value: TARIFF }
account:
  import_supplier: { constant: TENTACLE_ENERGY }
  account_type: { constant: DOMESTIC }
  supply_addresses:
    - supply_address: { street_address: { constant: 1 High Street }, locality: { constant: Bath }, postal_code: { constant: BA1 1AA }, country: { constant: GB } }
      supply_points:
        from: points
        each:
          identifier: MALO
          supply_type: { constant: ELECTRICITY }
          supply_start_date: { constant: '2024-01-01' }
          agreements:
            - { effective_from: { constant: '2024-01-01' }, tariff_code: { column: TARIFF, lookup: tariffs } }
`,
  );
  writeTariffs(tariffs);
  const whole = () => migrate('run', 'export', '--yes', '--json');
  concluded(await whole(), 'run', 0);
  // Its print is that of the value that the table gave.
  writeTariffs(tariffs.filter((row) => !row.startsWith('K02,')));
  const ended = await whole();
  expect(concluded(ended, 'run', 2)).toMatchObject({ stopReason: 'export-changed', requests: 0 });
  expect(words(ended.stdout)).toContain('12 of 12 that were compared, in POINTS.csv TARIFF (12).');
});

it('a code table that grew is told, and nothing else', async () => {
  concluded(await night(), 'run', 6);
  writeCodes([...codes, 'V,BROKER']);
  const ended = await night();
  concluded(ended, 'run', 6);
  expect(words(ended.stderr)).toContain('code table channels.csv: 5 rows (4 before)');
});

describe('codes with other values', () => {
  it('that changed places stop an unattended run before its first request, and are accepted once', async () => {
    writeCodes(ownValues);
    concluded(await night(), 'run', 6);
    writeCodes(['X,BROKER', 'Y,DIRECT', ...ownValues.slice(2)]);
    // Runs in which nobody accepts them.
    await night('--dry-run');
    const ended = await night();
    expect(concluded(ended, 'run', 2)).toMatchObject({ stopReason: 'export-changed', requests: 0 });
    expect(words(ended.stdout)).toContain(
      'channels.csv: 2 of the 4 codes that were compared have other values, which have changed places',
    );
    expect(ended.stdout).not.toContain('BROKER');
    const { code, stdout } = await ranHere(['morning'], space.directory);
    expect(code).toBe(2);
    expect(words(stdout)).toContain(
      'Put the values back. If they are right, run once with --accept-changes.',
    );
    concluded(await night(), 'run', 2);
    concluded(await night('--accept-changes'), 'run', 6);
    concluded(await night(), 'run', 6);
  });

  it('stop it where there are more than maxChanged, and are told where there are few', async () => {
    const many = Array.from({ length: 20 }, (_, at) => `C${at},DIRECT`);
    writeCodes([...codes, ...many]);
    concluded(await night(), 'run', 6);
    writeCodes([...codes, 'C0,BROKER', 'C1,BROKER', ...many.slice(2)]);
    const few = await night();
    concluded(few, 'run', 6);
    expect(words(few.stderr)).toContain(
      'code table channels.csv: 2 of the 24 codes that were compared have other values',
    );
    writeCodes([...codes, ...many.map((row, at) => (at < 5 ? row.replace('DIRECT', 'AGGREGATOR') : row))]);
    expect(concluded(await night(), 'run', 2)).toMatchObject({ stopReason: 'export-changed' });
    writeFileSync(file('.migraterc'), 'maxChanged: 30%\n');
    concluded(await night(), 'run', 6);
  });

  it('are told beside an export that shrank', async () => {
    writeCodes(ownValues);
    concluded(await night(), 'run', 6);
    writeCodes(['X,BROKER', 'Y,DIRECT']);
    const ended = await night();
    expect(concluded(ended, 'run', 2)).toMatchObject({ stopReason: 'export-shrank', requests: 0 });
    expect(words(ended.stdout)).toMatch(
      /--accept-shrinkage\. Also, codes of the mapping.*--accept-changes\./,
    );
  });

  it('are only warned of where somebody may be there', async () => {
    concluded(await night(), 'run', 6);
    writeCodes(['X,BROKER', 'Y,DIRECT', ...codes.slice(2)]);
    const ended = await ranHere(
      ['run', 'export', '--limit', '2', '--json', '--mapping', 'mapping.yaml'],
      space.directory,
    );
    concluded(ended, 'run', 6);
    expect(words(ended.stderr)).toContain('warning: codes of the mapping have other values');
  });
});
