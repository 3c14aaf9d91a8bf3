// The rows that reading is measured with: an account of 20 columns and 20 transactions each.
import { createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

export const key = 'external_account_number';
export const rowsEach = 20;

/** The tables with the cells of their rows, sorted by account or not. */
export function tablesOf(accounts, order = 'sorted') {
  const name = (number) => `A${String(number).padStart(8, '0')}`;
  const columns = Array.from({ length: 19 }, (_, column) => `column_${column}`);
  // A prime that divides neither count: the rows run through all accounts in an order that looks random.
  const place = (row, count) => (order === 'sorted' ? row : (row * 7_368_787) % count);
  const total = accounts * rowsEach;
  return [
    {
      name: 'accounts',
      header: [key, ...columns],
      *rows() {
        for (let row = 0; row < accounts; row += 1) {
          const number = place(row, accounts);
          yield [name(number), ...columns.map((_, column) => `value ${(number * 31 + column) % 1000}`)];
        }
      },
    },
    {
      name: 'transactions',
      header: [key, 'id', 'amount', 'date', 'text'],
      *rows() {
        for (let row = 0; row < total; row += 1) {
          const number = place(row, total);
          yield [
            name(Math.floor(number / rowsEach)),
            `T${number}`,
            '-12.50',
            '2024-01-05',
            `Card, ${number % 97}`,
          ];
        }
      },
    },
  ];
}

/** Writes them as CSV files into a directory. */
export async function writeCsv(directory, accounts, order) {
  mkdirSync(directory, { recursive: true });
  for (const { name, header, rows } of tablesOf(accounts, order))
    await pipeline(Readable.from(linesOf(header, rows)), createWriteStream(join(directory, `${name}.csv`)));
}

function* linesOf(header, rows) {
  const line = (cells) => `${cells.map((cell) => (cell.includes(',') ? `"${cell}"` : cell)).join(',')}\n`;
  let text = line(header);
  for (const row of rows()) {
    text += line(row);
    if (text.length < 65_536) continue;
    yield text;
    text = '';
  }
  yield text;
}
