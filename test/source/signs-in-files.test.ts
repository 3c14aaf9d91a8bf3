import { expect, test } from 'vitest';
import { encodingOf } from '../../src/source/encoding.ts';
import { key, readFiles } from './temporary-export.ts';

/** The bytes of a text in an encoding with a byte for each character. */
function bytesIn(encoding: string, text: string): Buffer {
  const codes = new Map(
    Array.from({ length: 256 }, (_, byte) => [encodingOf(Buffer.of(byte), encoding).lenient(Buffer.of(byte)).toString(), byte]), // prettier-ignore
  );
  return Buffer.from(Array.from(text, (sign) => codes.get(sign) ?? 63));
}

/** An ordinary file of a thousand rows, with one cell that holds `special`. */
async function read(encoding: string, cells: readonly string[], special: string) {
  const rows = Array.from({ length: 1000 }, (_, at) => `A-${at},${at === 500 ? special : cells[at % cells.length]}`); // prettier-ignore
  const { bundles, tables } = await readFiles({
    'accounts.csv': bytesIn(encoding, `${key},note\n${rows.join('\n')}\n`),
  });
  return { name: tables[0]?.encoding, note: bundles.get('A-500')?.records('accounts')[0]?.fields['note'] };
}

test.each([
  ['UK', 'windows-1252', ['£45.20', 'Paid £12 in cash', 'Smith'], 'PAYG£10'],
  ['UK', 'windows-1252', ['£45.20', 'cost £3', 'Smith'], 'PAYG£ tariff'],
  ['UK', 'windows-1252', ['20°', '5 m²', 'Smith'], 'Temp° high'],
  ['Catalan', 'windows-1252', ['Barcelona', 'Església', 'Vilanova i la Geltrú', 'Plaça'], 'Paral·lel'],
  ['Catalan', 'windows-1252', ['Barcelona', 'Girona'], 'Paral·lel'],
  ['German', 'windows-1252', ['Müller', '§12', '5³'], 'ABS§x'],
])(
  'a sign that touches a letter does not make another language of a file: %s',
  async (_land, encoding, cells, special) => {
    expect(await read(encoding, cells, special)).toEqual({ name: 'windows-1252', note: special });
  },
);

test.each([
  ['Polish', ['Łódź', 'Michał Wiśniewski', 'Żółkiewska', '5 zł'], 'PAWEŁ'],
  ['Czech', ['Dvořák', 'Příbram', 'Žďár', '5 Kč'], 'Růžena'],
])('a file in a Central European language is read in its encoding: %s', async (_land, cells, special) => {
  expect(await read('windows-1250', cells, special)).toEqual({ name: 'windows-1250', note: special });
});
