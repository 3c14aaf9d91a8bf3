import { parquetWriteBuffer } from 'hyparquet-writer';
import { expect, test } from 'vitest';
import { directoryWith, problemsOf, readAll, refusal, table } from './temporary-export.ts';

type Schema = NonNullable<Parameters<typeof parquetWriteBuffer>[0]['schema']>;
type Element = Schema[number];

const kunden = table('kunden.parquet', { name: 'accounts', role: 'accounts', key: 'nr' });
const nr = { name: 'nr', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' } as const;

/** A file with account numbers, A-1 and so on, and a column of values as they are stored. */
function stored(column: Omit<Element, 'name' | 'repetition_type'>, values: readonly unknown[]): Buffer {
  const about = { name: 'value', repetition_type: 'REQUIRED', ...column } as Element;
  return Buffer.from(
    parquetWriteBuffer({
      schema: [{ name: 'root', num_children: 2 }, nr, about],
      columnData: [
        { name: 'nr', data: values.map((_, at) => `A-${at + 1}`) },
        { name: 'value', data: [...values] },
      ],
      ...{ statistics: false, codec: 'UNCOMPRESSED' },
    }),
  );
}

async function read(file: Buffer): Promise<{ values: readonly string[]; problems: readonly string[] }> {
  const found = await readAll(directoryWith({ 'kunden.parquet': file }), [kunden]);
  const problems = problemsOf(found);
  const values = [...found.bundles.values()].map((bundle) => bundle.records('accounts')[0]);
  return {
    problems,
    values: values.flatMap((record) => {
      const value = record?.fields['value'];
      return record?.unreadable === undefined && typeof value === 'string' ? [value] : [];
    }),
  };
}

/** Moments of the type INT96, which the writer does not know: it writes their bytes, and the description is changed. */
function oldMoments(moments: readonly { readonly days: number; readonly nanoseconds: bigint }[]): Buffer {
  const bytes = stored(
    { type: 'FIXED_LEN_BYTE_ARRAY', type_length: 12 },
    moments.map(({ days, nanoseconds }) => {
      const value = Buffer.alloc(12);
      value.writeBigInt64LE(nanoseconds);
      value.writeInt32LE(days + 2_440_588, 8);
      return value;
    }),
  );
  const footer = bytes.length - 8 - bytes.readUInt32LE(bytes.length - 8);
  for (let at = footer; (at = bytes.indexOf(Buffer.from([0x15, 7 << 1]), at)) >= 0; at += 2) bytes[at + 1] = 3 << 1; // prettier-ignore
  return bytes;
}

const day = 86_400_000_000_000n;

test('a moment of the old type whose day has no such nanosecond, or is no date, is named and never another date', async () => {
  const found = await read(
    oldMoments([
      { days: 0, nanoseconds: day - 1n },
      // As Spark writes the year 290000, which does not fit into its count.
      { days: -108_302_820, nanoseconds: -32_549_551_616_000n },
      { days: 19_000, nanoseconds: day },
      { days: 2_932_897, nanoseconds: 0n },
      { days: -719_163, nanoseconds: 0n },
      { days: 2_932_896, nanoseconds: 123_456_000n },
      { days: -719_162, nanoseconds: 0n },
    ]),
  );
  expect(found.values).toEqual(['1970-01-01T23:59:59.999999999', '9999-12-31T00:00:00.123456', '0001-01-01T00:00:00']); // prettier-ignore
  expect(found.problems).toEqual([2, 3, 4, 5].map((row) => `date_out_of_range A-${row} kunden.parquet:${row}:value`)); // prettier-ignore
});

const largest = 2n ** 63n - 1n;

test.each([
  ['MILLIS', 253_402_300_799_999n, '9999-12-31T23:59:59.999Z'],
  ['MICROS', 253_402_300_799_999_999n, '9999-12-31T23:59:59.999999Z'],
  ['NANOS', largest, '2262-04-11T23:47:16.854775807Z'],
] as const)(
  'a moment in %s outside the years 1 to 9999 is a problem at its cell',
  async (unit, last, text) => {
    const isBounded = unit === 'NANOS';
    const values = isBounded ? [0n, last, -largest] : [0n, last, last + 1n, largest, -largest];
    const found = await read(
      stored({ type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit } }, values),
    );
    expect(found.values).toEqual(['1970-01-01T00:00:00Z', text, ...(isBounded ? ['1677-09-21T00:12:43.145224193Z'] : [])]); // prettier-ignore
    expect(found.problems).toEqual(isBounded ? [] : [3, 4, 5].map((row) => `date_out_of_range A-${row} kunden.parquet:${row}:value`)); // prettier-ignore
  },
);

test('a day outside the years 1 to 9999 is a problem at its cell', async () => {
  const found = await read(
    stored({ type: 'INT32', converted_type: 'DATE' }, [2_932_896, 2_932_897, -719_162, -719_163, 2_147_483_647]), // prettier-ignore
  );
  expect(found.values).toEqual(['9999-12-31', '0001-01-01']);
  expect(found.problems).toEqual([2, 4, 5].map((row) => `date_out_of_range A-${row} kunden.parquet:${row}:value`)); // prettier-ignore
});

test('a time that no day has is a problem at its cell', async () => {
  const logical_type = { type: 'TIME', isAdjustedToUTC: false, unit: 'MICROS' } as const;
  const values = [0n, 86_399_999_999n, -1n, 86_400_000_001n, 86_400_000_000n];
  const found = await read(stored({ type: 'INT64', logical_type }, values));
  expect(found.values).toEqual(['00:00:00', '23:59:59.999999', '24:00:00']);
  expect(found.problems).toEqual([3, 4].map((row) => `time_out_of_range A-${row} kunden.parquet:${row}:value`)); // prettier-ignore
});

test('decimals in bytes of any length are exact', async () => {
  const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');
  const found = await read(
    stored({ type: 'FIXED_LEN_BYTE_ARRAY', type_length: 5, logical_type: { type: 'DECIMAL', precision: 11, scale: 2 } }, [
      ...['00000004d2', 'fffffffb2e', '7fffffffff', '8000000000', 'ffffffffff', '0000000000'].map(bytes),
    ]), // prettier-ignore
  );
  expect(found).toEqual({ problems: [], values: ['12.34', '-12.34', '5497558138.87', '-5497558138.88', '-0.01', '0.00'] }); // prettier-ignore
});

test('NaN and infinite numbers of 32 bits are problems', async () => {
  const found = await read(stored({ type: 'FLOAT' }, [0.1, Number.NaN, Infinity, -Infinity, 3.5e38 - 1e38]));
  expect(found.values).toEqual(['0.1', `25${'0'.repeat(37)}`]);
  expect(found.problems).toEqual([2, 3, 4].map((row) => `not_a_number A-${row} kunden.parquet:${row}:value`));
});

test('a value that the dictionary of its column does not have is damage, and no empty cell', async () => {
  const kinds = ['SEPA', 'SEPA', 'BANK', 'CARD', 'SEPA', 'SEPA', 'SEPA', 'SEPA'];
  const bytes = stored({ type: 'BYTE_ARRAY', converted_type: 'UTF8' }, kinds);
  // A page of indices: their width of two bits, a run of eight of them, and the first four: 0, 0, 1, 2.
  const at = bytes.indexOf(Buffer.from([2, 3, 0b10_01_00_00]));
  expect(at).toBeGreaterThan(0);
  bytes[at + 2] = 0b11_01_00_00;
  const [problem] = await refusal(directoryWith({ 'kunden.parquet': bytes }), [kunden]);
  expect(problem).toMatchObject({ code: 'damaged_file', detail: expect.stringContaining('dictionary') as string }); // prettier-ignore
});
