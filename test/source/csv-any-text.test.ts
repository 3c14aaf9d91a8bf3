import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseCsv } from '../../src/source/formats/csv/parsing.ts';
import { parsePlainCsv } from '../../src/source/formats/csv/plain.ts';
import type { CsvDialect } from '../../src/source/formats/csv/dialect.ts';

const plain = [
  'a',
  ',',
  ',',
  ' ',
  ' \t',
  '\u00a0',
  '#',
  '\n',
  '\r\n',
  '\r',
  '\n\n',
  'é',
  '€',
  '😀',
  '\0',
  '\x7f',
  '\ufeff',
];
const quoted = ['"b"', ',"c\nd",', '"e\r\n\r",', '"f""\n"\n', '""\r\n', '#,"'];
const pieces = fc.oneof(
  fc.array(fc.constantFrom(...plain), { maxLength: 30 }),
  fc.array(fc.constantFrom(...plain, ...quoted), { maxLength: 30 }),
);

test('records are those of csv-parse, fast path or not, and stand where it says that they end', () => {
  let sound = 0;
  let fast = 0;
  const delimiters = fc.constantFrom(',', ';', '\t', '|');
  fc.assert(
    fc.property(pieces, delimiters, fc.boolean(), fc.boolean(), (chosen, delimiter, trim, comments) => {
      const bytes = Buffer.from(chosen.join('').replaceAll(',', delimiter));
      const dialect: CsvDialect = { delimiter, trim, ...(comments ? { comment: '#' } : {}) };
      if (parsePlainCsv(bytes, dialect, Infinity) !== undefined) fast += 1;
      const { records, wrong } = parseCsv(bytes, dialect);
      const parsed: unknown[] = [];
      let isRefused = false;
      try {
        parse(bytes, {
          delimiter,
          record_delimiter: ['\r\n', '\n', '\r'],
          relax_column_count: true,
          skip_empty_lines: true,
          trim,
          ...(comments ? { comment: '#', comment_no_infix: true } : {}),
          on_record: (record: string[], { bytes: end }) => {
            parsed.push([record, end]);
            return record;
          },
        });
      } catch {
        isRefused = true;
      }
      expect(isRefused && wrong === undefined).toBe(false);
      expect(records.map(({ cells, end }) => [[...cells], end])).toEqual(parsed);
      for (const { cells, start, end } of records) {
        const again = parseCsv(bytes.subarray(start, end), dialect).records;
        expect(again.map((record) => [[...record.cells], record.start, record.end])).toEqual([
          [[...cells], 0, end - start],
        ]);
      }
      const keyed = parseCsv(bytes, dialect, Infinity, 1);
      expect(keyed.wrong).toEqual(wrong);
      const asked = (all: typeof records) =>
        all.map(({ cells, start, end, lines }) => [
          ...[cells.at(1), cells.at(0), cells.at(2), cells.length, [...cells], cells.row?.()],
          ...[start, end, lines],
        ]);
      expect(asked(keyed.records)).toEqual(asked(records));
      if (wrong === undefined && records.length > 2) sound += 1;
    }),
    { numRuns: 3000 },
  );
  expect(sound).toBeGreaterThan(100);
  expect(fast).toBeGreaterThan(100);
});
