import { expect, test } from 'vitest';
import type { TableLink, TableSpec } from '../../src/source/export.ts';
import type { TextShape } from '../../src/domain/text-shape.ts';
import { directoryWith, places, problemsOf, readAll, type WholeExport } from './temporary-export.ts';

const padded: TextShape = { digits: true, pad: { width: 10 } };

function spec(file: string, key: string, more: Partial<TableSpec> = {}): TableSpec {
  const name = file.replace(/\..*$/, '');
  return { name, file, role: name === 'accounts' ? 'accounts' : 'child', key, ...more };
}

function valuesOf(found: WholeExport, table: string, column: string): Record<string, unknown[]> {
  return Object.fromEntries(
    [...found.bundles].map(([account, bundle]) => [
      account,
      bundle.records(table).map((record) => record.value(column)),
    ]),
  );
}

const read = (files: Record<string, string>, specs: readonly TableSpec[]): Promise<WholeExport> =>
  readAll(directoryWith(files), specs);

test('keys that each file writes in its own way are one account', async () => {
  const found = await read(
    {
      'accounts.csv': 'KONTO\n0002856321\n0000000017\n',
      'notes.csv': 'NR,TEXT\n2-856321,a\n17,b\n 2856321 ,c\n',
      'meters.ndjson': '{"konto":2856321,"no":"M1"}\n',
    },
    [
      spec('accounts.csv', 'KONTO'),
      spec('notes.csv', 'NR', { keyShape: padded }),
      spec('meters.ndjson', 'konto', { keyShape: padded }),
    ],
  );
  expect(found.faults).toEqual([]);
  expect(valuesOf(found, 'notes', 'TEXT')).toEqual({ '0000000017': ['b'], '0002856321': ['a', 'c'] });
  expect(valuesOf(found, 'meters', 'no')).toEqual({ '0000000017': [], '0002856321': ['M1'] });
});

test('accounts whose numbers become the same are told, and a key of which nothing is left', async () => {
  const found = await read({ 'accounts.csv': 'ID\n1-2\n12\n--\n""\n7\n' }, [
    spec('accounts.csv', 'ID', { keyShape: { digits: true } }),
  ]);
  expect(problemsOf(found)).toEqual(['duplicate_account 12 accounts.csv:3:ID']);
  expect(places(found.faults)).toEqual(['malformed_account_number - accounts.csv:4:ID']);
  expect([...found.bundles.keys()]).toEqual(['12', '7']);
});

const via = (table: string, column: string, more: Partial<TableLink> = {}): Partial<TableSpec> => ({
  via: { table, column, ...more },
});

test('rows find their account through other tables, over several hops and whatever the order of the files', async () => {
  const found = await read(
    {
      'readings.csv': 'METER,VALUE\nM2,20\nM1,10\nM2,21\nM1,11\n',
      'meters.csv': 'NO,CONTRACT\nM1,C-1\nM2,C-2\n',
      'contracts.csv': 'NO,ACCOUNT\n2,B\n1,A\n',
      'accounts.csv': 'ID\nB\nA\n',
    },
    [
      spec('readings.csv', 'METER', via('meters', 'NO')),
      spec('meters.csv', 'CONTRACT', {
        keyShape: { digits: true },
        ...via('contracts', 'NO', { shape: { digits: true } }),
      }),
      spec('contracts.csv', 'ACCOUNT'),
      spec('accounts.csv', 'ID'),
    ],
  );
  expect(found.faults).toEqual([]);
  expect(problemsOf(found)).toEqual([]);
  expect(valuesOf(found, 'readings', 'VALUE')).toEqual({ A: ['10', '11'], B: ['20', '21'] });
  expect(found.bundles.get('A')!.records('readings')[0]!.cell('VALUE')).toEqual({
    file: 'readings.csv',
    line: 3,
    column: 'VALUE',
    behind: [
      { file: 'meters.csv', line: 2, column: 'NO' },
      { file: 'contracts.csv', line: 3, column: 'NO' },
    ],
  });
});

test('a row without a partner, one whose partner has no account, and one with two partners are told', async () => {
  const found = await read(
    {
      'accounts.csv': 'ID\nA\nB\n',
      'contracts.csv': 'NO,PARTNER\n1,P1\n2,P2\n3,P9\n1,P2\n',
      'partners.csv': 'P,ACCOUNT\nP1,A\nP2,B\n',
      'meters.csv': 'CONTRACT,NO\n1,M1\n2,M2\n3,M3\n4,M4\n,M5\n2,M6\n',
    },
    [
      spec('accounts.csv', 'ID'),
      spec('contracts.csv', 'PARTNER', via('partners', 'P')),
      spec('partners.csv', 'ACCOUNT'),
      spec('meters.csv', 'CONTRACT', via('contracts', 'NO')),
    ],
  );
  expect(places(found.faults)).toEqual([
    'missing_account_number - meters.csv:6:CONTRACT',
    'orphan_row - contracts.csv:4:PARTNER',
    'orphan_row - meters.csv:4:CONTRACT',
    'orphan_row - meters.csv:5:CONTRACT',
  ]);
  const details = found.faults.map(({ detail }) => detail);
  expect(details[1]).toContain('partners.csv has no row with this value in the column P,');
  expect(details[2]).toContain('The row of contracts.csv to which this row belongs has no account.');
  expect(details[3]).toContain('contracts.csv has no row with this value in the column NO,');
  expect(problemsOf(found)).toEqual([
    'several_rows A meters.csv:2:CONTRACT',
    'several_rows B meters.csv:2:CONTRACT',
  ]);
  expect(found.bundles.get('A')!.problems[0]!.detail).toContain('NO at contracts.csv:2 and contracts.csv:5');
  expect(valuesOf(found, 'meters', 'NO')).toEqual({ A: [], B: ['M2', 'M6'] });
});

test('a row that is meant for several accounts is a row of each', async () => {
  const found = await read(
    {
      'accounts.csv': 'ID,PARTNER\nA,P1\nB,P1\nC,P2\n',
      'partners.csv': 'NO,NAME\nP1,Ann\nP2,Bob\n',
    },
    [spec('accounts.csv', 'ID'), spec('partners.csv', 'NO', via('accounts', 'PARTNER', { several: true }))],
  );
  expect(found.faults).toEqual([]);
  expect(valuesOf(found, 'partners', 'NAME')).toEqual({ A: ['Ann'], B: ['Ann'], C: ['Bob'] });
});

test('a row that cannot be read is a problem of its account also where that is found through another table', async () => {
  const found = await read(
    {
      'accounts.csv': 'ID\nA\nB\n',
      'contracts.csv': 'NO,ACCOUNT\n1,A\n2,B\n',
      'meters.csv': 'CONTRACT,NO\n1,M1,x\n2,M2\n3,M3,x\n',
    },
    [
      spec('accounts.csv', 'ID'),
      spec('contracts.csv', 'ACCOUNT'),
      spec('meters.csv', 'CONTRACT', via('contracts', 'NO')),
    ],
  );
  expect(problemsOf(found)).toEqual(['wrong_number_of_cells A meters.csv:2:NO']);
  expect(found.faults).toMatchObject([
    { code: 'wrong_number_of_cells', account: null, holdsBack: true, cell: { line: 4 } },
  ]);
  expect(found.bundles.get('A')!.incomplete).toEqual(new Set(['meters']));
});

test('the column of the other table is found in any case, and told if it is missing', async () => {
  const files = { 'accounts.csv': 'Id,Contract\nA,1\n', 'meters.csv': 'C,NO\n1,M1\n' };
  const specs = (column: string): TableSpec[] => [
    spec('accounts.csv', 'Id'),
    spec('meters.csv', 'C', via('accounts', column)),
  ];
  expect(valuesOf(await read(files, specs('CONTRACT')), 'meters', 'NO')).toEqual({ A: ['M1'] });
  await expect(read(files, specs('CONTRAKT'))).rejects.toThrow('unknown_column');
});
