import { crc32 } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { expect, test } from 'vitest';
import { refuseEncrypted } from '../../src/source/formats/parquet/encrypted-columns.ts';
import { damagedPage } from '../../src/source/formats/parquet/pages.ts';
import { libraries, libraryFailure } from '../../src/source/formats/parquet/library.ts';
import { directoryWith, refusal, table } from './temporary-export.ts';

/** An integer in the compact protocol of Thrift. */
function integer(value: number): number[] {
  let rest = (BigInt(value) << 1n) ^ (BigInt(value) >> 63n);
  const bytes: number[] = [];
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return [...bytes, Number(rest)];
}

/** A data page: its type, both sizes, its checksum, and the description of its values. */
function page(text: string, checksum?: number): Buffer {
  const bytes = Buffer.from(text);
  const sum = checksum === undefined ? [] : [0x15, ...integer(checksum | 0)];
  const values = [checksum === undefined ? 0x2c : 0x1c, 0x15, ...integer(1), 0x15, 0, 0x15, 6, 0x15, 6, 0];
  const sizes = [0x15, ...integer(bytes.length), 0x15, ...integer(bytes.length)];
  return Buffer.concat([Buffer.from([0x15, 0, ...sizes, ...sum, ...values, 0]), bytes]);
}

test('a page whose bytes do not match its checksum is found, wherever it is', () => {
  const sound = page('A-1', crc32('A-1'));
  expect(damagedPage(sound)).toBeUndefined();
  expect(damagedPage(Buffer.concat([sound, page('A-2', crc32('A-2')), sound]))).toBeUndefined();
  expect(damagedPage(Buffer.concat([sound, page('A-2', crc32('A-3')), sound]))).toBe(2);
  expect(damagedPage(Buffer.concat([sound, page('A-2'), sound]))).toBeUndefined();
});

test('a page whose header has statistics is checked like any other', () => {
  const bytes = Buffer.from('A-1');
  const text = [0x18, 3, ...bytes];
  const statistics = [0x1c, ...text, ...text, 0x16, 0, 0x28, 3, ...bytes, ...text, 0];
  const headerV2 = [0x4c, ...[2, 0, 2, 0, 0, 0].flatMap((value) => [0x15, value]), 0x12, ...statistics, 0];
  const withSum = (sum: number): Buffer =>
    Buffer.concat([
      Buffer.from([0x15, 6, 0x15, 6, 0x15, 6, 0x15, ...integer(sum | 0), ...headerV2, 0]),
      bytes,
    ]);
  expect(damagedPage(Buffer.concat([withSum(crc32(bytes)), page('A-2', crc32('A-2'))]))).toBeUndefined();
  expect(damagedPage(Buffer.concat([withSum(crc32(bytes)), page('A-2', crc32('A-3'))]))).toBe(2);
  expect(damagedPage(withSum(crc32('A-2')))).toBe(1);
});

test('bytes that are no page are left to whoever reads the values', () => {
  expect(damagedPage(Buffer.from('nothing of the kind'))).toBeUndefined();
  expect(damagedPage(page('A-1', 1).subarray(0, 8))).toBeUndefined();
});

test('a page of nothing but empty values has no bytes, in any compression', async () => {
  const { compressors } = await libraries();
  expect(Object.keys(compressors)).toContain('SNAPPY');
  for (const decompress of Object.values(compressors))
    expect(decompress(new Uint8Array(0), 0)).toHaveLength(0);
});

test('words of the runtime never reach a user', () => {
  for (const said of ["Cannot destructure property 'a' of 'b' as it is undefined.", 'Invalid array length']) {
    const { code, message } = libraryFailure(new TypeError(said), 'parquet-mr version 1.2');
    expect(code).toBe('damaged_file');
    expect(message).toContain('parquet-mr version 1.2');
    expect(message).not.toContain(said);
  }
  expect(libraryFailure(new Error('thrift unhandled type: 10'), undefined).message).toContain(
    'encrypted columns',
  );
});

test('a file that claims more rows than its bytes can hold is refused at once', async () => {
  const bytes = Buffer.from(
    parquetWriteBuffer({ columnData: [{ name: 'nr', data: ['A-1'], type: 'STRING' }] }),
  );
  const metadata = bytes.length - 8 - bytes.readUInt32LE(bytes.length - 8);
  // The number of rows of the file and of its group is a 1 in the compact protocol, before the next field.
  const large = Buffer.from(integer(6_400_000_000));
  let footer = bytes.subarray(metadata, -8);
  const at = footer.lastIndexOf(Buffer.from([0x16, 2]));
  footer = Buffer.concat([footer.subarray(0, at + 1), large, footer.subarray(at + 2)]);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(footer.length);
  const file = Buffer.concat([bytes.subarray(0, metadata), footer, length, Buffer.from('PAR1')]);
  const [found] = await refusal(directoryWith({ 'kunden.parquet': file }), [
    table('kunden.parquet', { name: 'accounts', role: 'accounts', key: 'nr' }),
  ]);
  expect(found).toMatchObject({ code: 'damaged_file', detail: expect.stringContaining('6400000000 rows') });
});

test('columns that are encrypted under a plain footer are named', () => {
  const bytes = parquetWriteBuffer({
    columnData: ['a', 'b'].map((name) => ({ name, data: ['A-1'], type: 'STRING' as const })),
  });
  return libraries().then(({ parquet }) => {
    const metadata = parquet.parquetMetadata(bytes);
    expect(() => refuseEncrypted(metadata)).not.toThrow();
    const [group] = metadata.row_groups;
    const columns = group!.columns.map((column, at) =>
      at === 0 ? column : { ...column, crypto_metadata: {} },
    );
    expect(() => refuseEncrypted({ ...metadata, row_groups: [{ ...group!, columns }] })).toThrow(
      'has encrypted columns (b)',
    );
  });
});
