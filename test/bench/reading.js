// How fast an export is read, its accounts brought together and mapped, sorted by account number and not, beside
// csv-parse alone on the same files, 20 rows each account; by the processor's time.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { alternate } from './pairs.js';
import { peakMemory } from './peak-memory.js';
import { key, rowsEach, writeCsv } from './reading-book.js';

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

if (process.argv[1] === import.meta.filename) {
  if (mode === 'csv-parse') await withCsvParse();
  if (mode === 'reading') await withReading();
  if (mode === 'mapping') await withMapping();
}

export async function reading({ accounts, pairs, directory: root }) {
  const results = [];
  for (const order of ['sorted', 'unsorted']) {
    const at = join(root, order);
    await writeCsv(at, accounts, order);
    for (const reader of ['reading', 'mapping']) {
      const rate = (name) => {
        const { rows, seconds } = child(name, at);
        if (rows !== accounts * (rowsEach + 1)) throw new Error(`${name} read ${rows} rows`);
        return rows / seconds;
      };
      const result = await alternate(
        pairs,
        () => rate(reader),
        () => rate('csv-parse'),
      );
      const measure = `${reader === 'reading' ? 'reading' : 'reading and mapping'}, ${order} files`;
      results.push({
        measure,
        against: 'csv-parse alone',
        unit: 'rows/s',
        ...result,
        ...reachOf(result, order),
      });
    }
    rmSync(at, { recursive: true });
  }
  return results;
}

function reachOf({ ratio }, order) {
  // Four times what sorted files may take.
  const reach = order === 'sorted' ? 0.8 : 0.2;
  return { reach: `>= ${reach}`, isReached: ratio >= reach };
}

function child(reader, at) {
  const run = spawnSync(process.execPath, [fileURLToPath(import.meta.url), reader, at], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(run.stdout.toString());
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
  const peakMB = Math.round(peakMemory());
  process.stdout.write(JSON.stringify({ rows, seconds, peakMB }));
}
