// How fast an export is read, its accounts brought together and mapped, sorted by account number and not, beside
// csv-parse alone on the same files; and the peak of memory at 10,000 accounts and, with --large, at 1,000,000, 20 rows
// each.
// npm run build && node test/bench/reading.js [--large]
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, createWriteStream, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';

const key = 'external_account_number';
const rowsEach = 20;
const mapping = `
version: 1
tables:
  accounts: { file: accounts.csv, key: ${key} }
  transactions: { file: transactions.csv, key: ${key} }
account:
  import_supplier: { constant: TENTACLE_ENERGY }
  billing_address: { street_address: column_0, locality: column_1, postal_code: column_2, country: { constant: GB } }
  customers:
    - { given_name: column_3, family_name: column_4, title: column_5 }
  metadata: [{ key: { constant: rest }, value: { left_over: '*' } }]
transactions:
  from: transactions
  each: { transaction_id: id, amount: amount, transaction_date: date, reason: text, type: { constant: CHARGE } }
`;
const [mode, directory] = process.argv.slice(2);

if (mode === 'csv-parse') await withCsvParse();
else if (mode === 'reading') await withReading();
else if (mode === 'mapping') await withMapping();
else await compare(mode === '--large' ? [10_000, 100_000, 1_000_000] : [10_000, 100_000]);

async function compare(sizes) {
  const root = mkdtempSync(join(tmpdir(), 'reading-bench-'));
  try {
    const results = [];
    for (const accounts of sizes)
      for (const order of ['sorted', 'unsorted']) {
        const at = join(root, `${order}-${accounts}`);
        await write(at, accounts, order);
        let alone;
        for (const reader of ['csv-parse', 'reading', 'mapping']) {
          const { rows, seconds, peakMB } = child(reader, at);
          alone ??= seconds;
          const rowsPerCpuSecond = Math.round(rows / seconds);
          results.push({ accounts, order, reader, rowsPerCpuSecond, ofCsvParse: alone / seconds, peakMB });
        }
        rmSync(at, { recursive: true });
      }
    for (const result of results) result.ofCsvParse = result.ofCsvParse.toFixed(2);
    console.table(results);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function child(reader, at) {
  const run = spawnSync(process.execPath, [fileURLToPath(import.meta.url), reader, at], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(run.stdout.toString());
}

async function write(at, accounts, order) {
  mkdirSync(at);
  const name = (number) => `A${String(number).padStart(8, '0')}`;
  const columns = Array.from({ length: 19 }, (_, column) => `column_${column}`);
  const total = accounts * rowsEach;
  // A prime that divides neither count: the rows run through all accounts in an order that looks random.
  const place = (row, count) => (order === 'sorted' ? row : (row * 7_368_787) % count);
  await writeRows(join(at, 'accounts.csv'), [key, ...columns], accounts, (row) => {
    const number = place(row, accounts);
    return [name(number), ...columns.map((_, column) => `value ${(number * 31 + column) % 1000}`)];
  });
  await writeRows(join(at, 'transactions.csv'), [key, 'id', 'amount', 'date', 'text'], total, (row) => {
    const number = place(row, total);
    return [
      name(Math.floor(number / rowsEach)),
      `T${number}`,
      '-12.50',
      '2024-01-05',
      `"Card, ${number % 97}"`,
    ];
  });
}

function writeRows(file, header, count, cellsOf) {
  const lines = function* () {
    let text = `${header.join(',')}\n`;
    for (let row = 0; row < count; row += 1) {
      text += `${cellsOf(row).join(',')}\n`;
      if (text.length < 65_536) continue;
      yield text;
      text = '';
    }
    yield text;
  };
  return pipeline(Readable.from(lines()), createWriteStream(file));
}

async function withCsvParse() {
  const { parse } = await import('csv-parse');
  await measured(async () => {
    let rows = -2;
    for (const file of ['accounts.csv', 'transactions.csv']) {
      const parser = createReadStream(join(directory, file)).pipe(parse());
      parser.on('data', () => (rows += 1));
      await once(parser, 'end');
    }
    return rows;
  });
}

async function withReading() {
  await measured(async () => {
    const opened = await open([
      { name: 'accounts', file: 'accounts.csv', role: 'accounts', key },
      { name: 'transactions', file: 'transactions.csv', role: 'child', key },
    ]);
    let rows = 0;
    for await (const bundle of opened.bundles()) rows += 1 + bundle.records('transactions').length;
    opened.close();
    return rows;
  });
}

async function withMapping() {
  const { readMapping } = await import('../../dist/mapping/read-mapping.js');
  await measured(async () => {
    const read = readMapping('mapping.yaml', mapping, {});
    const opened = await open(read.tables);
    const planOf = read.bind(opened.tables);
    let rows = 0;
    for await (const bundle of opened.bundles()) {
      const { payload, extras, problems } = planOf(bundle);
      if (problems.length > 0) throw new Error(JSON.stringify(problems));
      rows += Math.min(1, Object.keys(payload).length) + extras.transactions[0].transactions.length;
    }
    opened.close();
    return rows;
  });
}

async function open(tables) {
  const { openExport } = await import('../../dist/source/open-export.js');
  return openExport(directory, tables);
}

async function measured(read) {
  const rows = await read();
  // Processor time: a machine that others use as well tells nothing by the clock.
  const { user, system } = process.cpuUsage();
  const seconds = (user + system) / 1e6;
  const peakMB = Math.round(process.resourceUsage().maxRSS / 1024);
  process.stdout.write(JSON.stringify({ rows, seconds, peakMB }));
}
