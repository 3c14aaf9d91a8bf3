// The benchmarks: `npm run bench`, or some of them by name. Each is a comparison within one sitting.
//   node test/bench/run.js [name ...] [--accounts N] [--pairs N] [--only WORDS] [--json FILE]
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { changes, finished, startUp, status } from './commands.js';
import { engines, runners, statusOfServer, takeover } from './engines.js';
import { gateways } from './gateways.js';
import { growth, growthOfAll } from './growth.js';
import { latency } from './latency.js';
import { guarantee } from './guarantee.js';
import { readBack } from './read-back.js';
import { reading } from './reading.js';
import { sources } from './sources.js';
import { threads } from './threads.js';
import { curlScript, fetchScript, floor, throughput } from './throughput.js';

const benches = {
  throughput,
  floor,
  guarantee,
  fetch: fetchScript,
  curl: curlScript,
  'start-up': startUp,
  status,
  finished,
  changes,
  reading,
  sources,
  threads,
  growth,
  'growth-all': growthOfAll,
  latency,
  'read-back': readBack,
  gateways,
  engines,
  runners,
  takeover,
  'status-postgres': statusOfServer,
};

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    accounts: { type: 'string', default: '10000' },
    pairs: { type: 'string', default: '5' },
    json: { type: 'string' },
    only: { type: 'string' },
  },
});
const names = positionals.length > 0 ? positionals : Object.keys(benches);
const unknown = names.find((name) => !(name in benches));
if (unknown !== undefined)
  throw new Error(`There is no ${unknown}. There are: ${Object.keys(benches).join(', ')}`);
const sizes = { accounts: Number(values.accounts), pairs: Number(values.pairs), only: values.only };

const root = mkdtempSync(join(tmpdir(), 'migrate-bench-'));
const rows = [];
try {
  for (const name of names) {
    const directory = join(root, name);
    mkdirSync(directory);
    for (const row of await benches[name]({ ...sizes, directory })) rows.push({ bench: name, ...row });
    rmSync(directory, { recursive: true });
  }
} finally {
  rmSync(root, { recursive: true, force: true });
}
console.table(
  rows.map(({ measure, against, ours, theirs, ratio, unit, reach, isReached }) => ({
    measure,
    against,
    ours: short(ours),
    theirs: short(theirs),
    unit,
    ratio: short(ratio),
    reach,
    reached: isReached ? 'yes' : 'no',
  })),
);
if (values.json !== undefined) {
  const machine = { cpu: cpus()[0]?.model, cores: cpus().length, node: process.version };
  writeFileSync(values.json, `${JSON.stringify({ machine, ...sizes, rows }, undefined, 2)}\n`);
}

function short(value = NaN) {
  if (Number.isNaN(value)) return '';
  return value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}
