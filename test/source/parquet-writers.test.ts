import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, test } from 'vitest';
import { withoutStatistics } from '../../src/source/formats/parquet/footer.ts';
import { directoryWith, problemsOf, readAll, table } from './temporary-export.ts';

type Options = Parameters<typeof parquetWriteBuffer>[0];

const kunden = table('kunden.parquet', { name: 'accounts', role: 'accounts', key: 'nr' });
const nr = { name: 'nr', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' } as const;
const numbers = ['A-1', 'A-2', 'A-3'];

function written(options: Partial<Options> & Pick<Options, 'columnData'>): Buffer {
  return Buffer.from(parquetWriteBuffer({ codec: 'UNCOMPRESSED', ...options }));
}

async function rowsIn(file: Buffer): Promise<readonly unknown[]> {
  const found = await readAll(directoryWith({ 'kunden.parquet': file }), [kunden]);
  expect(problemsOf(found)).toEqual([]);
  return [...found.bundles.values()].map((bundle) => bundle.records('accounts')[0]?.fields);
}

/** Changes the description at the end of a file. */
function withFooter(file: Buffer, change: (footer: Buffer) => Buffer): Buffer {
  const start = file.length - 8 - file.readUInt32LE(file.length - 8);
  const footer = change(Buffer.from(file.subarray(start, -8)));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(footer.length);
  return Buffer.concat([file.subarray(0, start), footer, length, Buffer.from('PAR1')]);
}

function replaced(bytes: Buffer, from: readonly number[], to: readonly number[]): Buffer {
  const at = bytes.indexOf(Buffer.from(from));
  if (at < 0) throw new Error('There is nothing to replace.');
  return Buffer.concat([bytes.subarray(0, at), Buffer.from(to), bytes.subarray(at + from.length)]);
}

describe('a sound file is read', () => {
  test('whose root says that it is repeated, as that of Arrow for Go does', async () => {
    const schema = [
      { name: 'root', num_children: 2 },
      nr,
      { name: 'rank', type: 'INT32' as const, repetition_type: 'OPTIONAL' as const },
    ];
    const ranks = { name: 'rank', data: [255, null, 7], encoding: 'PLAIN' as const };
    const file = written({ schema, columnData: [{ name: 'nr', data: numbers }, ranks], statistics: false }); // prettier-ignore
    const about = parquetMetadata(new Uint8Array(file).buffer).row_groups[0]!.columns[1]!.meta_data!;
    // A page of the first version: levels of definition with their length, and the two values.
    const levels = [2, 0, 0, 0, 3, 0b101];
    const values = [255, 0, 0, 0, 7, 0, 0, 0];
    const size = (levels.length + values.length) << 1;
    const header = [0x15, 0, 0x15, size, 0x15, size, 0x2c, 0x15, 3 << 1, 0x15, 0, 0x15, 3 << 1, 0x15, 3 << 1, 0, 0]; // prettier-ignore
    const start = Number(about.data_page_offset);
    expect(header.length + levels.length + values.length).toBeLessThanOrEqual(Number(about.total_compressed_size)); // prettier-ignore
    file.fill(0, start, start + Number(about.total_compressed_size));
    Buffer.from([...header, ...levels, ...values]).copy(file, start);
    const root = [4, ...Buffer.from('root')];
    const repeated = withFooter(file, (footer) => replaced(footer, [0x48, ...root], [0x35, 2 << 1, 0x18, ...root])); // prettier-ignore
    // Once the library reads the same from both, what is built around it can be removed.
    const byLibrary = (bytes: Buffer) => parquetReadObjects({ file: new Uint8Array(bytes).buffer });
    expect(await byLibrary(repeated)).not.toEqual(await byLibrary(file));
    expect(await rowsIn(repeated)).toEqual([
      { nr: 'A-1', rank: '255' },
      { nr: 'A-2', rank: '' },
      { nr: 'A-3', rank: '7' },
    ]);
  });

  test('whose statistics have too few bytes', async () => {
    const schema = [
      { name: 'root', num_children: 2 },
      nr,
      { name: 'day', type: 'INT32' as const, converted_type: 'DATE' as const, repetition_type: 'REQUIRED' as const }, // prettier-ignore
    ];
    const days = [11_429, 11_429, 11_429];
    const file = written({ schema, columnData: [{ name: 'nr', data: numbers }, { name: 'day', data: days }], statistics: true }); // prettier-ignore
    const least = Buffer.alloc(4);
    least.writeInt32LE(days[0]!);
    // The least day is written with four bytes: two are left.
    const short = withFooter(file, (footer) => replaced(footer, [4, ...least], [2, ...least.subarray(0, 2)]));
    expect(() => parquetMetadata(new Uint8Array(short).buffer)).toThrow(RangeError);
    expect(await rowsIn(short)).toEqual(numbers.map((number) => ({ nr: number, day: '2001-04-17' })));
  });

  test('whose column is said to be shorter by the header of its dictionary, as the first writers in Java did', async () => {
    const kinds = ['SEPA', 'BANK', 'SEPA', 'SEPA', 'BANK', 'SEPA', 'SEPA', 'SEPA', 'SEPA'];
    const file = written({ columnData: [{ name: 'nr', data: kinds.map((_, at) => `A-${at}`), type: 'STRING' }, { name: 'kind', data: kinds, type: 'STRING' }] }); // prettier-ignore
    const { row_groups: groups } = parquetMetadata(new Uint8Array(file).buffer);
    const size = Number(groups[0]!.columns[1]!.meta_data!.total_compressed_size);
    expect(groups[0]!.columns[1]!.meta_data!.dictionary_page_offset).toBeDefined();
    const old = withFooter(file, (footer) => {
      const last = footer.lastIndexOf(Buffer.from([0x16, size << 1]));
      expect(size).toBeLessThan(64 + 14);
      footer[last + 1] = (size - 14) << 1;
      return replaced(footer, [9, ...Buffer.from('hyparquet')], [10, ...Buffer.from('parquet-mr')]);
    });
    expect((await rowsIn(old)).map((row) => (row as { kind: string }).kind)).toEqual(kinds);
  });
});

test('a description without its statistics says the same otherwise', () => {
  const file = written({ columnData: [{ name: 'nr', data: numbers, type: 'STRING' }, { name: 'rank', data: [1, 2, 3], type: 'INT32' }] }); // prettier-ignore
  const without = withFooter(file, (footer) => withoutStatistics(footer) ?? Buffer.alloc(0));
  const { metadata_length: _length, ...before } = parquetMetadata(new Uint8Array(file).buffer);
  const { metadata_length: shorter, ...after } = parquetMetadata(new Uint8Array(without).buffer);
  expect(shorter).toBeLessThan(_length);
  for (const group of before.row_groups)
    for (const { meta_data: about } of group.columns) delete about!.statistics;
  expect(JSON.stringify(after, plain)).toBe(JSON.stringify(before, plain));
  expect(withoutStatistics(Buffer.from([0x19, 0xff]))).toBeUndefined();
});

function plain(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

test('a geometry that only a description of GeoParquet tells from a text is left out', async () => {
  const point = Buffer.from('0101000000', 'hex');
  const file = written({
    schema: [
      { name: 'root', num_children: 3 },
      nr,
      { name: 'place', type: 'BYTE_ARRAY', repetition_type: 'REQUIRED' },
      { name: 'note', type: 'BYTE_ARRAY', repetition_type: 'REQUIRED' },
    ],
    columnData: [
      { name: 'nr', data: numbers },
      // In UTF-8 as well, these are texts.
      { name: 'place', data: numbers.map(() => Buffer.concat([point, Buffer.alloc(16)])) },
      { name: 'note', data: numbers.map(() => Buffer.from('plain')) },
    ],
    kvMetadata: [
      {
        key: 'geo',
        value: '{"version":"1.0.0","primary_column":"place","columns":{"place":{"encoding":"WKB"}}}',
      },
    ],
    statistics: false,
  });
  const found = await readAll(directoryWith({ 'kunden.parquet': file }), [kunden]);
  expect(found.files.map(({ leftOut }) => leftOut)).toEqual([['place']]);
  expect(await rowsIn(file)).toEqual(numbers.map((number) => ({ nr: number, note: 'plain' })));
});
