import { expect, test } from 'vitest';
import type { SourceRecord } from '../../src/source/export.ts';
import { key, directoryWith, places, readAll, table } from './temporary-export.ts';

/** Leaves out rows with one of these texts in a column. */
function ignoring(column: string, ...texts: readonly string[]) {
  const holds = (record: SourceRecord): boolean => {
    const value = record.value(column);
    return typeof value === 'string' && texts.includes(value);
  };
  return { ignore: { said: texts.join(), holds } };
}

const orders = { sorted: (rows: string[]) => rows, unsorted: (rows: string[]) => rows.reverse() };

test.each(Object.entries(orders))(
  'ignored accounts take their rows with them: %s',
  async (_name, inOrder) => {
    const accounts = inOrder(['A-1,P', 'A-2,TEST', 'A-3,P', 'A-3,TEST']);
    const notes = inOrder(['A-1,one', 'A-2,two', 'A-3,three', 'A-9,lost']);
    const root = directoryWith({
      'accounts.csv': `${key},kind\n${accounts.join('\n')}\n`,
      'notes.csv': `${key},body\n${notes.join('\n')}\n`,
    });
    const found = await readAll(root, [table('accounts.csv', ignoring('kind', 'TEST')), table('notes.csv')]);
    expect([...found.bundles.keys()]).toEqual(['A-1', 'A-3']);
    expect(found.accounts).toBe(2);
    expect(found.ignoredRows).toBe(3);
    expect(places(found.faults)).toEqual([
      `orphan_row A-9 notes.csv:${notes.indexOf('A-9,lost') + 2}:${key}`,
    ]);
  },
);

test.each(Object.entries(orders))('ignore comes before the key is checked: %s', async (_name, inOrder) => {
  const rows = inOrder(['A-1,P,x', 'A-2,P,x', ',TEST,x', '合計,TEST', ' A-3 ,TEST,x', 'A-4,P']);
  const root = directoryWith({
    'accounts.csv': `${key},kind,x\n${inOrder(['A-1,P,x', 'A-2,P,x']).join('\n')}\n`,
    'notes.csv': `${key},kind,x\n${rows.join('\n')}\n`,
  });
  const found = await readAll(root, [table('accounts.csv'), table('notes.csv', ignoring('kind', 'TEST'))]);
  expect(found.ignoredRows).toBe(3);
  expect(places(found.faults)).toEqual([`wrong_number_of_cells - notes.csv:${rows.indexOf('A-4,P') + 2}:x`]);
});

test('rows that find their account through an ignored one are ignored', async () => {
  const root = directoryWith({
    'accounts.csv': `${key}\nA-1\n`,
    'meters.csv': `${key},meter,kind\nA-1,M-1,P\n,M-2,TEST\n`,
    'reads.csv': `meter,x\nM-1,1\nM-2,2\nM-3,3\n`,
  });
  const found = await readAll(root, [
    table('accounts.csv'),
    table('meters.csv', ignoring('kind', 'TEST')),
    table('reads.csv', { key: 'meter', via: { table: 'meters', column: 'meter' } }),
  ]);
  expect(found.ignoredRows).toBe(2);
  expect(places(found.faults)).toEqual(['orphan_row - reads.csv:4:meter']);
});

test('a record of JSON without a number can be ignored', async () => {
  const root = directoryWith({
    'accounts.ndjson': `{"${key}":"A-1","kind":"P"}\n{"${key}":null,"kind":"TEST"}\n{"${key}":12,"kind":"TEST"}\n`,
  });
  const found = await readAll(root, [table('accounts.ndjson', ignoring('kind', 'TEST'))]);
  expect([[...found.bundles.keys()], found.ignoredRows, places(found.faults)]).toEqual([['A-1'], 2, []]);
});

test('a header in the middle is left out with a warning, and a part of one is no account', async () => {
  const root = directoryWith({
    'accounts.csv': `${key},name\nA-1,Ann\n\ufeff${key},name\nA-2,Bob\n${key},other\n`,
  });
  const found = await readAll(root, [table('accounts.csv')]);
  expect([...found.bundles.keys()]).toEqual(['A-1', 'A-2']);
  expect(found.faults).toEqual([
    expect.objectContaining({ code: 'repeated_header', severity: 'warning', holdsBack: false }),
    expect.objectContaining({ code: 'malformed_account_number', severity: 'error' }),
  ]);
});
