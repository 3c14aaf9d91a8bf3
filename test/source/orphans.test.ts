import { expect, test } from 'vitest';
import type { TableSpec } from '../../src/source/export.ts';
import { directoryWith, places, readAll, type WholeExport } from './temporary-export.ts';

function spec(file: string, key: string, more: Partial<TableSpec> = {}): TableSpec {
  const name = file.replace(/\..*$/, '');
  return { name, file, role: name === 'accounts' ? 'accounts' : 'child', key, ...more };
}

const accounts = { 'accounts.csv': 'ID,TARIFF\nA,T1\nB,T1\n' };
const tariffs = 'NO,NAME\nT1,Day\nT2,Night\nT3,Old\n';
const catalogue = { via: { table: 'accounts', column: 'TARIFF', several: true } } as const;

const read = (files: Record<string, string>, specs: readonly TableSpec[]): Promise<WholeExport> =>
  readAll(directoryWith({ ...accounts, ...files }), [spec('accounts.csv', 'ID'), ...specs]);

test('rows of a catalogue that no account names are left out and counted', async () => {
  const found = await read({ 'tariffs.csv': tariffs }, [spec('tariffs.csv', 'NO', catalogue)]);
  expect(found.faults).toEqual([]);
  expect(found.ignoredRows).toBe(2);
});

test('a catalogue is refused or warned of where its table says so', async () => {
  const refused = await read({ 'tariffs.csv': tariffs }, [
    spec('tariffs.csv', 'NO', { ...catalogue, orphans: 'refuse' }),
  ]);
  expect(places(refused.faults)).toEqual(['orphan_row - tariffs.csv:3:NO', 'orphan_row - tariffs.csv:4:NO']);
  const warned = await read({ 'tariffs.csv': tariffs }, [
    spec('tariffs.csv', 'NO', { ...catalogue, orphans: 'warn' }),
  ]);
  expect(warned.faults.map(({ severity }) => severity)).toEqual(['warning', 'warning']);
});

test.each(['calls.csv', 'calls.ndjson'])(
  'rows of %s without an account are what the table says',
  async (file) => {
    const text = file.endsWith('.csv')
      ? 'ID,TEXT\nA,a\nX,b\n,c\n'
      : '{"ID":"A","TEXT":"a"}\n{"ID":"X","TEXT":"b"}\n{"TEXT":"c"}\n';
    const as = async (orphans?: TableSpec['orphans']): Promise<WholeExport> =>
      read({ [file]: text }, [spec(file, 'ID', { orphans })]);
    const refused = await as();
    expect(refused.faults.map(({ code, severity, holdsBack }) => [code, severity, holdsBack])).toEqual([
      ['missing_account_number', 'error', true],
      ['orphan_row', 'error', false],
    ]);
    expect(
      (await as('warn')).faults.map(({ code, severity, holdsBack }) => [code, severity, holdsBack]),
    ).toEqual([
      ['missing_account_number', 'warning', false],
      ['orphan_row', 'warning', false],
    ]);
    const ignored = await as('ignore');
    expect(ignored.faults).toEqual([]);
    expect(ignored.ignoredRows).toBe(2);
  },
);

test('a catalogue of which no row is used is warned of, since its key is probably written otherwise', async () => {
  const found = await read({ 'tariffs.csv': 'NO,NAME\n1,Day\n2,Night\n' }, [
    spec('tariffs.csv', 'NO', catalogue),
  ]);
  expect(found.faults).toMatchObject([
    {
      code: 'orphan_row',
      severity: 'warning',
      detail: expect.stringContaining('No row of tariffs.csv') as string,
    },
  ]);
});

test('a row that cannot be read is a problem, whatever is done about orphans', async () => {
  const found = await read({ 'calls.csv': 'ID,TEXT\nX,b,c\nA,a\n' }, [
    spec('calls.csv', 'ID', { orphans: 'ignore' }),
  ]);
  expect(places(found.faults)).toEqual(['wrong_number_of_cells - calls.csv:2:TEXT']);
});

test('a row that accounts share with rows of no account is not an orphan', async () => {
  const found = await read(
    { 'tariffs.csv': 'NO,NAME,KIND\nT1,Day,K1\nT2,Old,K1\n', 'kinds.csv': 'KIND,NAME\nK1,Fixed\nK2,Free\n' },
    [
      spec('tariffs.csv', 'NO', catalogue),
      spec('kinds.csv', 'KIND', { via: { table: 'tariffs', column: 'KIND', several: true } }),
    ],
  );
  expect(found.faults).toEqual([]);
  expect(
    found.bundles
      .get('B')
      ?.records('kinds')
      .map((record) => record.value('NAME')),
  ).toEqual(['Fixed']);
  expect(found.ignoredRows).toBe(2);
});
