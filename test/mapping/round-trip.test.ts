import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/domain/json.ts';
import { readMapping } from '../../src/mapping/read-mapping.ts';
import { openExport } from '../../src/source/open-export.ts';

const accounts = fc.uniqueArray(
  fc.record({
    // A row whose number is the name of its column is a fault: another header.
    number: fc.stringMatching(/^[A-Z0-9]{1,6}$/).filter((number) => number !== 'NR'),
    minor: fc.bigInt({ min: -99_999_999_999n, max: 99_999_999_999n }),
    day: fc.date({ min: new Date('1970-01-01'), max: new Date('2069-12-31'), noInvalidDate: true }),
    isVacant: fc.boolean(),
    place: fc.constantFrom('Köln', 'Orléans', 'A|B;C,D', 'x "y" z', '\\', 'a\tb', '#1'),
  }),
  { selector: ({ number }) => number, minLength: 1, maxLength: 6 },
);
type Account = typeof accounts extends fc.Arbitrary<(infer T)[]> ? T : never;

/** How an old system writes what it has. */
const style = fc
  .record({
    delimiter: fc.constantFrom(',', ';', '\t', '|'),
    mark: fc.constantFrom(',', '.'),
    thousands: fc.constantFrom('', '.', ',', "'", ' ', '\u00a0'),
    dates: fc.constantFrom('yyyy-mm-dd', 'dd.mm.yyyy', 'd/m/yy', 'mm/dd/yyyy', 'dd-mmm-yyyy', 'yyyymmdd'),
    yes: fc.constantFrom('J', '1', 'true'),
    encoding: fc.constantFrom('latin1' as const, 'utf8' as const, 'utf16le' as const),
    header: fc.constantFrom('NR,SALDO,AB,LEER,ORT', 'nr,saldo,ab,leer,ort', 'Nr,Saldo,Ab,Leer,Ort'),
    escape: fc.constantFrom('"', '\\'),
    comment: fc.boolean(),
    padded: fc.boolean(),
    isZipped: fc.boolean(),
  })
  .filter(({ mark, thousands }) => mark !== thousands);
type Style = typeof style extends fc.Arbitrary<infer T> ? T : never;

const digits = (minor: bigint): readonly [string, string, string] => {
  const text = String(minor < 0n ? -minor : minor).padStart(3, '0');
  return [minor < 0n ? '-' : '', text.slice(0, -2), text.slice(-2)];
};

function writtenDay(day: Date, pattern: string): string {
  const [year = '', month = '', dayOfMonth = ''] = day.toISOString().slice(0, 10).split('-');
  const parts: Readonly<Record<string, string>> = {
    ...{ yyyy: year, yy: year.slice(2), mm: month, dd: dayOfMonth },
    ...{ m: String(Number(month)), d: String(Number(dayOfMonth)) },
    mmm: day.toLocaleString('en', { month: 'short', timeZone: 'UTC' }),
  };
  return pattern.replaceAll(/y+|m+|d+/g, (token) => parts[token] ?? '');
}

function written(rows: readonly Account[], of: Style): Buffer {
  const cells = rows.map(({ number, minor, day, isVacant, place }) => {
    const [sign, whole, fraction] = digits(minor);
    const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, of.thousands);
    return [
      ...[number, `${sign}${grouped}${of.mark}${fraction}`, writtenDay(day, of.dates)],
      ...[isVacant ? of.yes : 'N', place],
    ];
  });
  const quoted = (cell: string): string =>
    `"${(of.escape === '"' ? cell : cell.replaceAll('\\', '\\\\')).replaceAll('"', `${of.escape}"`)}"`;
  const lines = cells.map((row) => row.map(quoted).join(of.padded ? ` ${of.delimiter} ` : of.delimiter));
  const header = of.header.replaceAll(',', of.delimiter);
  const text = [...(of.comment ? ['# export of 1994'] : []), header, ...lines].join('\r\n');
  const bytes = Buffer.from(text, of.encoding);
  return of.isZipped ? gzipSync(bytes) : bytes;
}

const text = (value: string): string => JSON.stringify(value);

const mappingOf = (of: Style): string => `
version: 1
format:
  encoding: ${{ latin1: 'windows-1252', utf8: 'utf-8', utf16le: 'utf-16le' }[of.encoding]}
  delimiter: ${text(of.delimiter)}
  escape: ${text(of.escape)}
  ${of.comment ? 'comment: "#"' : ''}
  trim: ${of.padded}
  dates: ${of.dates}
  decimal_mark: ${text(of.mark)}
  ${of.thousands === '' ? '' : `thousands_mark: ${text(of.thousands)}`}
tables:
  accounts: { file: KUNDEN.csv, key: NR }
account:
  import_supplier: { constant: X }
  transfer_balance: SALDO
  unknown_occupier: { column: LEER, codes: { ${text(of.yes)}: 'true', N: 'false' } }
  billing_address: { locality: ORT, country: { constant: DE } }
  supply_addresses:
    - customer_at_supply_address_from_date: AB
`;

async function payloads(rows: readonly Account[], of: Style): Promise<JsonObject[]> {
  const root = mkdtempSync(join(tmpdir(), 'written-'));
  try {
    writeFileSync(join(root, `KUNDEN.csv${of.isZipped ? '.gz' : ''}`), written(rows, of));
    const mapping = readMapping('mapping.yaml', mappingOf(of), {});
    if ('problems' in mapping) throw new Error(JSON.stringify(mapping.problems));
    const opened = await openExport(root, mapping.tables);
    if ('problems' in opened) throw new Error(JSON.stringify(opened.problems));
    const bound = mapping.bind(opened.tables);
    if ('problems' in bound) throw new Error(JSON.stringify(bound.problems));
    const found: JsonObject[] = [];
    for await (const bundle of opened.bundles()) {
      const { payload, problems } = bound(bundle);
      expect(problems).toEqual([]);
      found.push(payload);
    }
    opened.close();
    return found;
  } finally {
    rmSync(root, { recursive: true });
  }
}

test('accounts are the same, however an old system writes amounts, dates, codes, names and its files', async () => {
  await fc.assert(
    fc.asyncProperty(accounts, style, async (rows, of) => {
      const meant = rows.map(({ number, minor, day, isVacant, place }) => {
        const [sign, whole, fraction] = digits(minor);
        return {
          import_supplier: 'X',
          external_account_number: number,
          transfer_balance: `${sign}${whole}.${fraction}`,
          unknown_occupier: isVacant,
          billing_address: { locality: place, country: 'DE' },
          supply_addresses: [{ customer_at_supply_address_from_date: day.toISOString().slice(0, 10) }],
        };
      });
      const byNumber = (found: readonly JsonObject[]) =>
        new Map(found.map((payload) => [payload['external_account_number'], payload]));
      expect(byNumber(await payloads(rows, of))).toEqual(byNumber(meant));
    }),
    { numRuns: 200 },
  );
});
