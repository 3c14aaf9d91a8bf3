import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseCsv, type CsvDialect } from '../../src/source/csv-parsing.ts';

const piece = fc.constantFrom(
  'a',
  ',',
  '"b"',
  ',"c\nd",',
  '"e\r\n\r",',
  '"f""\n"\n',
  '""\r\n',
  ' ',
  ' \t',
  '\u00a0',
  '#',
  '#,"',
  '\n',
  '\r\n',
  '\r',
  '\n\n',
  'é',
);

test('each record stands where the parser itself says that it ends, whatever is between records', () => {
  let sound = 0;
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), fc.boolean(), fc.boolean(), (pieces, trim, comments) => {
      const bytes = Buffer.from(pieces.join(''));
      const dialect: CsvDialect = { delimiter: ',', trim, ...(comments ? { comment: '#' } : {}) };
      const { records, wrong } = parseCsv(bytes, dialect);
      const ends: number[] = [];
      try {
        parse(bytes, {
          record_delimiter: ['\r\n', '\n', '\r'],
          relax_column_count: true,
          skip_empty_lines: true,
          trim,
          ...(comments ? { comment: '#', comment_no_infix: true } : {}),
          on_record: (record: string[], { bytes: end }) => {
            ends.push(end);
            return record;
          },
        });
      } catch {
        expect(wrong).toBeDefined();
      }
      expect(records.map(({ end }) => end)).toEqual(ends);
      for (const { cells, start, end } of records) {
        const again = parseCsv(bytes.subarray(start, end), dialect).records;
        expect(again.map((record) => [record.cells, record.start, record.end])).toEqual([
          [cells, 0, end - start],
        ]);
      }
      if (wrong === undefined && records.length > 2) sound += 1;
    }),
    { numRuns: 3000 },
  );
  expect(sound).toBeGreaterThan(100);
});
