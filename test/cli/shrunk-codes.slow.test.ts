import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
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

it('a code table that grew is told, and nothing else', async () => {
  concluded(await night(), 'run', 6);
  writeCodes([...codes, 'V,BROKER']);
  const ended = await night();
  concluded(ended, 'run', 6);
  expect(words(ended.stderr)).toContain('code table channels.csv: 5 rows (4 before)');
});
