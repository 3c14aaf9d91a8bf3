import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { expect, test } from 'vitest';
import { typedNumber } from '../../src/domain/typed-value.ts';
import { copyRejectedToWorkbook } from '../../src/source/copy-rejected.ts';
import { openExport } from '../../src/source/open-export.ts';
import { placeAt } from '../../src/source/places/places.ts';
import { sampleFile } from '../../src/source/sample-file.ts';
import { project } from '../cli/tool.ts';
import { directoryWith, places, problemsOf, readAll, refusal, table } from './temporary-export.ts';
import { zipOf } from './workbook.ts';

const byDuckDb = (codec: string): Buffer =>
  readFileSync(project(`test/source/parquet/duckdb-${codec}.parquet`));
const kunden = table('kunden.parquet', { name: 'accounts', role: 'accounts', key: 'nr' });

type Columns = Parameters<typeof parquetWriteBuffer>[0];

/** A file of our own, in the form of the library that writes it. */
function written(options: Columns): Buffer {
  return Buffer.from(parquetWriteBuffer(options));
}

const texts = (values: readonly string[], name: string) => ({
  name,
  data: [...values],
  type: 'STRING' as const,
});

test.each(['zstd', 'snappy', 'gzip', 'lz4_raw', 'brotli'])(
  'every value of a file by DuckDB is exact, packed by %s',
  async (codec) => {
    const found = await readAll(directoryWith({ 'kunden.parquet': byDuckDb(codec) }), [kunden]);
    const fields = (account: string) => found.bundles.get(account)?.records('accounts')[0]?.fields;
    expect(fields('A-1')).toEqual({
      nr: 'A-1',
      large: '9007199254740993',
      small: '12.30',
      money: '99999999.99',
      huge: '12345678901234567890123456.78',
      day: '2024-02-29',
      local: '2024-02-29T10:11:12.500',
      utc: '2024-06-30T09:11:12Z',
      clock: '23:59:58.000001',
      yes: 'true',
      twice: '0.1',
      once: '0.10000000149011612',
      tiny: '255',
      most: '18446744073709551615',
      name: 'Zoë',
      id: 'f47ac10b-58cc-4372-a567-0e02b2c3d479',
      doc: '{"a": 1.10}',
      bin: 'x',
    });
    expect(fields('A-2')).toMatchObject({
      large: '-1',
      small: '-0.01',
      money: '-0.05',
      huge: '-12345678901234567890123456.78',
      day: '1899-12-31',
      local: '1969-12-31T23:59:59',
      utc: '',
      clock: '00:00:00',
      yes: 'false',
      twice: '1000000000000000000000',
      once: '-0.00000025',
      name: '',
    });
    expect(Object.values(fields('A-3') ?? {}).filter((text) => text !== '')).toEqual(['A-3']);
    expect(found.tables[0]).toMatchObject({ leftOut: ['list'] });
  },
);

test('numbers of 32 bits have no more digits than they were written with', async () => {
  const numbers = [0.1, 16777216, -1234.5, 3.4e38, 1e-10, 0];
  const nr = numbers.map((_, at) => `A-${at}`);
  const bytes = written({ columnData: [texts(nr, 'nr'), { name: 'n', data: numbers, type: 'FLOAT' }] });
  const found = await readAll(directoryWith({ 'kunden.parquet': bytes }), [kunden]);
  expect(nr.map((account) => found.bundles.get(account)?.records('accounts')[0]?.fields['n'])).toEqual(
    ['0.1', '16777216', '-1234.5', `34${'0'.repeat(37)}`, '0.0000000001', '0'], // prettier-ignore
  );
});

test.each(['OPTIONAL', 'REQUIRED'] as const)(
  '%s columns of every type have the same values',
  async (kind) => {
    const repetition_type = kind;
    const columns = [
      { name: 'nr', type: 'BYTE_ARRAY', converted_type: 'UTF8', data: ['A-1', 'A-2'] },
      { name: 'float', type: 'FLOAT', data: [0.2, 3] },
      { name: 'double', type: 'DOUBLE', data: [2e21, 0.1] },
      {
        name: 'small',
        type: 'INT32',
        converted_type: 'DECIMAL',
        precision: 9,
        scale: 2,
        data: [24.68, -0.05],
      },
      { name: 'large', type: 'INT64', converted_type: 'DECIMAL', precision: 18, scale: 2, data: [37.02, 1] },
      { name: 'day', type: 'INT32', converted_type: 'DATE', data: ['2024-02-29', '1969-12-31'].map((day) => new Date(day)) }, // prettier-ignore
      { name: 'time', type: 'INT64', converted_type: 'TIMESTAMP_MILLIS', data: [new Date('2024-06-30T09:11:12Z'), new Date(0)] }, // prettier-ignore
      { name: 'long', type: 'INT64', data: [9007199254740993n, -1n] },
      { name: 'int', type: 'INT32', data: [7, -7] },
      { name: 'yes', type: 'BOOLEAN', data: [true, false] },
    ] as const;
    const bytes = written({
      schema: [
        { name: 'root', num_children: columns.length },
        ...columns.map(({ data: _data, ...column }) => ({ ...column, repetition_type })),
      ],
      columnData: columns.map(({ name, data }) => ({ name, data: [...data] })),
    });
    const { bundles } = await readAll(directoryWith({ 'kunden.parquet': bytes }), [kunden]);
    expect([...bundles.values()].map((bundle) => bundle.records('accounts')[0]?.fields)).toEqual([
      {
        ...{ nr: 'A-1', float: '0.2', double: '2000000000000000000000', small: '24.68', large: '37.02' },
        ...{
          day: '2024-02-29',
          time: '2024-06-30T09:11:12Z',
          long: '9007199254740993',
          int: '7',
          yes: 'true',
        },
      },
      {
        ...{ nr: 'A-2', float: '3', double: '0.1', small: '-0.05', large: '1.00' },
        ...{ day: '1969-12-31', time: '1970-01-01T00:00:00Z', long: '-1', int: '-7', yes: 'false' },
      },
    ]);
  },
);

test('a long value that many rows share is refused before it fills the memory', async () => {
  const long = 'x'.repeat(5 * 1024 * 1024);
  const nr = Array.from({ length: 1000 }, (_, at) => `A-${String(at).padStart(4, '0')}`);
  const bytes = written({ columnData: [texts(nr, 'nr'), texts(nr.map(() => long), 'note')] }); // prettier-ignore
  const opened = await openExport(directoryWith({ 'kunden.parquet': bytes }), [kunden]);
  expect('problems' in opened ? opened.problems.map(({ code }) => code) : []).toEqual([
    'row_group_too_large',
  ]);
});

test('texts with any character, and those that are empty, stay apart', async () => {
  const notes = ['a\0b', '', '\0', '\uFFFD', 'x,"\n', 'Žďár', 'long '.repeat(2000), ''];
  const file = written({
    columnData: [
      texts(
        notes.map((_, at) => `A-${at}`),
        'nr',
      ),
      texts(notes, 'note'),
    ],
  });
  const { bundles } = await readAll(directoryWith({ 'kunden.parquet': file }), [kunden]);
  expect([...bundles.values()].map((bundle) => bundle.records('accounts')[0]?.fields['note'])).toEqual(notes);
});

test('a problem names the row and the column', async () => {
  const bytes = written({
    columnData: [
      texts(['A-1', 'A-2', '', 'A-4'], 'nr'),
      {
        name: 'note',
        data: [Buffer.from('x'), Buffer.from([0xff, 0x41]), Buffer.from(''), Buffer.from('y')],
        type: 'BYTE_ARRAY',
      },
      { name: 'rate', data: [1.5, 2, 3, Number.NaN], type: 'DOUBLE' },
    ],
  });
  const found = await readAll(directoryWith({ 'kunden.parquet': bytes }), [kunden]);
  expect(problemsOf(found)).toEqual([
    'invalid_encoding A-2 kunden.parquet:2:note',
    'not_a_number A-4 kunden.parquet:4:rate',
  ]);
  expect(places(found.faults)).toEqual(['missing_account_number - kunden.parquet:3:nr']);
  expect(found.bundles.get('A-4')?.records('accounts')[0]?.cell('NOTE')).toEqual({ file: 'kunden.parquet', line: 4, column: 'note' }); // prettier-ignore
});

test('groups of rows, parts, and other files come together by account', async () => {
  const numbers = Array.from({ length: 5000 }, (_, at) => `A-${String(at).padStart(5, '0')}`);
  const names = numbers.map((_, at) => `name ${at}`);
  const halves = [numbers.slice(0, 2600), numbers.slice(2600)].map((own) =>
    written({
      columnData: [
        texts(own, 'nr'),
        texts(
          own.map((nr) => names[numbers.indexOf(nr)] ?? ''),
          'name',
        ),
      ],
      rowGroupSize: 1000,
    }),
  );
  const root = directoryWith({
    'kunden-1.parquet': halves[0]!,
    'kunden-2.parquet': halves[1]!,
    'notes.csv': 'nr,body\nA-02599,last\nA-02600,first\n',
  });
  const found = await readAll(root, [kunden, table('notes.csv', { key: 'nr' })]);
  expect(found.accounts).toBe(5000);
  expect(found.isSorted).toBe(true);
  const first = found.bundles.get('A-02600');
  expect(first?.records('accounts')[0]?.cell('name')).toEqual({
    file: 'kunden-2.parquet',
    line: 1,
    column: 'name',
  });
  expect(first?.records('accounts')[0]?.value('name')).toBe('name 2600');
  expect(first?.records('notes')[0]?.value('body')).toBe('first');
});

test('a file in an archive is read like one in a directory', async () => {
  const root = directoryWith({ 'export.zip': await zipOf({ 'kunden.parquet': byDuckDb('snappy') }) });
  const found = await readAll(join(root, 'export.zip'), [kunden]);
  expect(found.bundles.get('A-1')?.records('accounts')[0]?.fields['money']).toBe('99999999.99');
});

test('init sees its columns and rows', async () => {
  const place = await placeAt(directoryWith({ 'kunden.parquet': byDuckDb('zstd') }));
  const samples = await sampleFile(place, 'kunden.parquet');
  expect(samples).toMatchObject([{ format: 'parquet', isFlat: true }]);
  if ('problem' in samples) throw new Error('no samples');
  expect(samples[0]?.columns.slice(0, 3)).toEqual(['nr', 'large', 'small']);
  expect(samples[0]?.rows[0]?.get('huge')).toBe('12345678901234567890123456.78');
});

test.each([
  ['no Parquet file', (_: Buffer) => Buffer.from('nr,name\nA-1,x\n'), 'not_parquet'],
  ['empty', (_: Buffer) => Buffer.alloc(0), 'not_parquet'],
  ['cut short', (bytes: Buffer) => bytes.subarray(0, bytes.length - 20), 'truncated_file'],
  ['without its description', (bytes: Buffer) => Buffer.concat([bytes.subarray(0, 40), Buffer.from('PAR1')]), 'damaged_file'], // prettier-ignore
  ['encrypted', (bytes: Buffer) => Buffer.concat([Buffer.from('PARE'), bytes.subarray(4, -4), Buffer.from('PARE')]), 'encrypted_file'], // prettier-ignore
])('a file that is %s is refused by its name', async (_what, act, code) => {
  const root = directoryWith({ 'kunden.parquet': act(byDuckDb('gzip')) });
  const [problem] = await refusal(root, [kunden]);
  expect(problem).toMatchObject({ code, detail: expect.stringMatching(/^kunden\.parquet /) as string });
});

test('a file whose values are damaged is refused', async () => {
  const bytes = Buffer.from(byDuckDb('zstd'));
  bytes.fill(0x5a, 8, 200);
  const [problem] = await refusal(directoryWith({ 'kunden.parquet': bytes }), [kunden]);
  expect(problem?.code).toBe('damaged_file');
});

test('a key that the file does not have is told with the nearest name', async () => {
  const root = directoryWith({ 'kunden.parquet': byDuckDb('zstd') });
  const [problem] = await refusal(root, [{ ...kunden, key: 'nrr' }]);
  expect(problem).toMatchObject({ code: 'missing_key_column', detail: expect.stringContaining("Did you mean 'nr'?") as string }); // prettier-ignore
});

test('rejected rows go into a workbook, from which the same rows are read', async () => {
  const root = directoryWith({ 'kunden.parquet': byDuckDb('zstd') });
  const target = join(directoryWith({}), 'rejects.xlsx');
  const files = ['kunden.parquet'];
  const failed = await copyRejectedToWorkbook(root, [kunden], files, target, (account) => (account === 'A-1' ? 'why' : undefined)); // prettier-ignore
  expect(failed).toBeUndefined();
  const spec = { ...kunden, file: 'rejects.xlsx', sheet: 'accounts', isCopy: true as const };
  const opened = await openExport(join(target, '..'), [spec]);
  if ('problems' in opened) throw new Error(places(opened.problems).join());
  const bundles = [];
  for await (const bundle of opened.bundles()) bundles.push(bundle);
  opened.close();
  expect(bundles.map(({ account }) => account)).toEqual(['A-1']);
  expect(bundles[0]?.records('accounts')[0]?.fields).toMatchObject({ huge: '12345678901234567890123456.78', large: '9007199254740993', day: '2024-02-29' }); // prettier-ignore
  // It stays a number: no decimal mark of a mapping applies to it.
  expect(bundles[0]?.records('accounts')[0]?.value('small')).toEqual(typedNumber('12.3'));
});
