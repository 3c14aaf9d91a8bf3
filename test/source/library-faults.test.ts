import { parquetWriteBuffer } from 'hyparquet-writer';
import { parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import sax from 'sax';
import { expect, test } from 'vitest';

// Each of these fails once the library is mended: what is built around it can be removed then (docs/decisions/parquet-as-stored.md,
// docs/decisions/own-workbook-reader.md).

test('the compressions of Parquet still refuse a page without bytes', () => {
  expect(() => compressors.SNAPPY?.(new Uint8Array(0), 0)).toThrow();
});

test('Parquet pages are still read whose bytes were changed', async () => {
  const bytes = parquetWriteBuffer({ columnData: [{ name: 'a', data: ['A-1'], type: 'STRING' }], codec: 'UNCOMPRESSED' }); // prettier-ignore
  const changed = Buffer.from(bytes);
  changed[changed.indexOf('A-1')] = 66;
  const rows = await parquetReadObjects({ file: new Uint8Array(changed).buffer });
  expect(rows).toEqual([{ a: 'B-1' }]);
});

test('the day of an INT96 with negative nanoseconds is still lost', async () => {
  // The writer does not know the type: the description is changed.
  const value = Buffer.alloc(12, 0xff).fill(1, 8);
  const bytes = Buffer.from(
    parquetWriteBuffer({
      schema: [{ name: 'root', num_children: 1 }, { name: 'a', type: 'FIXED_LEN_BYTE_ARRAY', type_length: 12, repetition_type: 'REQUIRED' }],
      columnData: [{ name: 'a', data: [value] }],
    }),
  ); // prettier-ignore
  for (let at = 0; (at = bytes.indexOf(Buffer.from([0x15, 7 << 1]), at)) >= 0; at += 2)
    bytes[at + 1] = 3 << 1;
  const nanoseconds: bigint[] = [];
  const parsers = { timestampFromNanoseconds: (count: bigint) => nanoseconds.push(count) };
  await parquetReadObjects({ file: new Uint8Array(bytes).buffer, parsers });
  // By the nanoseconds, without the sign that they have, from the day before the first one of the Julian calendar.
  expect(nanoseconds[0]! / 86_400_000_000_000n).toBe(-2_227_085n);
});

test('the XML reader still leaves line ends as they are', () => {
  const texts: string[] = [];
  const parser = sax.parser(true, {});
  parser.ontext = (text) => texts.push(text);
  parser.write('<a>one\r\ntwo</a>').close();
  expect(texts.join('')).toBe('one\r\ntwo');
});
