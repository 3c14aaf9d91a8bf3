// Accounts per second of `migrate run`, from the start of its process to its end, against others that send the same
// requests to the same target.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { writeBook } from './book.js';
import { alternate, median } from './pairs.js';
import { against, measured, program, startTarget, tool } from './processes.js';

const creation = 'validate,stage,process';
const inFlight = 64;
const perAccount = { creation: 3, all: 9 };

/** Against an undici replay of the same bodies, recorded from a run of ours. */
async function againstReplay(
  { accounts, pairs, directory: root },
  { steps, shape, synchronous, reach, measure },
  driven = drive,
) {
  const directory = mkdtempSync(join(root, 'replay-'));
  const target = await startTarget();
  try {
    const book = join(directory, shape);
    await writeBook(book, accounts, shape, { onlyAccounts: steps === 'creation' });
    const recording = join(directory, 'requests.ndjson');
    await target.ask('record', recording);
    await drive({ directory, book, target, accounts, steps, synchronous });
    await target.ask('recorded');
    const cpu = { ours: [], theirs: [] };
    const requests = accounts * perAccount[steps];
    const result = await alternate(
      pairs,
      async () => {
        const { seconds, cpuSeconds } = await driven({
          directory,
          book,
          target,
          accounts,
          steps,
          synchronous,
        });
        cpu.ours.push((cpuSeconds / accounts) * 1e6);
        return accounts / seconds;
      },
      async () => {
        const { said } = await program('replay.js', [target.url, recording, inFlight], { cwd: directory });
        if (said.sent !== requests) throw new Error(`${said.sent} requests were recorded, not ${requests}`);
        cpu.theirs.push((said.sendingCpuSeconds / accounts) * 1e6);
        return accounts / said.seconds;
      },
    );
    return {
      measure,
      against: 'undici replay of its requests',
      unit: 'accounts/s',
      ...result,
      reach: `>= ${reach}`,
      isReached: result.ratio >= reach,
      notes: { ourCpuMicrosecondsEach: median(cpu.ours), theirCpuMicrosecondsEach: median(cpu.theirs) },
    };
  } finally {
    await target.stop();
  }
}

/** One run with a new journal; throws where it did not do all of its work. */
export async function drive({
  directory,
  book,
  target,
  accounts,
  steps,
  synchronous = 'FULL',
  journal,
  concurrency,
}) {
  const workplace = join(directory, 'run');
  rmSync(workplace, { recursive: true, force: true });
  mkdirSync(workplace);
  await target.ask('counts');
  const flags = steps === 'creation' ? ['--steps', creation] : [];
  const ended = await tool(['run', book, '--yes', ...flags], {
    cwd: workplace,
    env: {
      ...against(target),
      MIGRATE_SYNCHRONOUS: synchronous,
      ...(journal === undefined ? {} : { MIGRATE_JOURNAL: journal }),
      ...(concurrency === undefined ? {} : { MIGRATE_CONCURRENCY: String(concurrency) }),
    },
    codes: [0],
  });
  const { summary } = ended;
  const sent = Object.values(await target.ask('counts')).reduce((sum, count) => sum + count, 0);
  const done = summary.accounts.completed + summary.accounts.imported;
  if (done !== accounts || sent !== accounts * perAccount[steps])
    throw new Error(
      `${done} of ${accounts} accounts were driven, with ${sent} requests: ${JSON.stringify(summary)}`,
    );
  return ended;
}

const measures = [
  {
    measure: 'validate, stage, process; FULL',
    steps: 'creation',
    shape: 'ndjson',
    synchronous: 'FULL',
    reach: 0.7,
  },
  {
    measure: 'validate, stage, process; NORMAL',
    steps: 'creation',
    shape: 'ndjson',
    synchronous: 'NORMAL',
    reach: 0.8,
  },
  {
    measure: 'all nine steps from NDJSON; FULL',
    steps: 'all',
    shape: 'ndjson',
    synchronous: 'FULL',
    reach: 0.7,
  },
  { measure: 'all nine steps from CSV; FULL', steps: 'all', shape: 'csv', synchronous: 'FULL', reach: 0.55 },
];

export async function throughput(options) {
  const rows = [];
  for (const measure of measures) rows.push(await againstReplay(options, measure));
  const [, , ndjson] = rows;
  rows.push({
    measure: 'the book of 5.8 million in an hour, server included',
    against: `on ${availableParallelism()} cores`,
    unit: 'accounts/s',
    ours: ndjson.ours,
    theirs: 1611,
    ratio: ndjson.ours / 1611,
    reach: '>= 1',
    isReached: ndjson.ours >= 1611,
  });
  return rows;
}

/** The least program that keeps the guarantee, against the same replay: what may be hoped for on this machine. */
export async function floor(options) {
  const rows = [];
  for (const measure of measures.filter(({ shape }) => shape === 'ndjson'))
    rows.push(await againstReplay(options, measure, driveFloor));
  return rows;
}

async function driveFloor({ directory, book, target, accounts, steps, synchronous }) {
  const workplace = join(directory, 'floor');
  rmSync(workplace, { recursive: true, force: true });
  mkdirSync(workplace);
  await target.ask('counts');
  const args = [target.url, book, steps, synchronous, inFlight];
  const ended = await program('floor-run.js', args, { cwd: workplace });
  const sent = Object.values(await target.ask('counts')).reduce((sum, count) => sum + count, 0);
  if (ended.said.accounts !== accounts || sent !== accounts * perAccount[steps])
    throw new Error(`The floor sent ${sent} requests for ${ended.said.accounts} of ${accounts} accounts.`);
  return ended;
}

/** Against the script that a user would write. */
export async function fetchScript({ accounts, pairs, directory: root }) {
  const directory = mkdtempSync(join(root, 'script-'));
  const target = await startTarget();
  try {
    const book = join(directory, 'ndjson');
    await writeBook(book, accounts, 'ndjson', { onlyAccounts: true });
    const result = await alternate(
      pairs,
      async () => accounts / (await drive({ directory, book, target, accounts, steps: 'creation' })).seconds,
      async () => {
        const file = join(book, 'accounts.ndjson');
        const { said } = await program('fetch-script.js', [target.url, file, inFlight], { cwd: directory });
        return said.accounts / said.seconds;
      },
    );
    return [
      {
        measure: 'validate, stage, process; FULL',
        against: 'global fetch with p-limit, no journal',
        unit: 'accounts/s',
        ...result,
        reach: '>= 7',
        isReached: result.ratio >= 7,
      },
    ];
  } finally {
    await target.stop();
  }
}

/** Against a shell script; curl takes so long that few of the accounts are enough. */
export async function curlScript({ accounts, pairs, directory: root }) {
  const directory = mkdtempSync(join(root, 'script-'));
  const target = await startTarget();
  try {
    const book = join(directory, 'ndjson');
    await writeBook(book, accounts, 'ndjson', { onlyAccounts: true });
    const few = Math.max(1, Math.round(accounts / 50));
    const bodies = join(directory, 'bodies');
    mkdirSync(bodies);
    const payloads = readFileSync(join(book, 'accounts.ndjson'), 'utf8').split('\n', few);
    const jobs = payloads.map((payload, at) => {
      writeFileSync(join(bodies, `${at}.json`), payload);
      return String(at);
    });
    writeFileSync(join(directory, 'jobs'), jobs.join('\n'));
    const url = (step) => `${target.url}/v1/data-import/${step}/`;
    const post = (step) =>
      `curl -sSf -o /dev/null -H 'content-type: application/json' --data-binary @${bodies}/{}.json ${url(step)}`;
    const script = [
      'validate-account',
      'account-import-process/create-or-update',
      'account-import-process/process',
    ]
      .map(post)
      .join(' && ');
    const command = `xargs -P ${2 * availableParallelism()} -I{} sh -c "${script}" < ${join(directory, 'jobs')}`;
    const result = await alternate(
      pairs,
      async () => accounts / (await drive({ directory, book, target, accounts, steps: 'creation' })).seconds,
      async () => few / (await measured('sh', ['-c', command], { cwd: directory, isPlain: true })).seconds,
    );
    return [
      {
        measure: 'validate, stage, process; FULL',
        against: 'curl through xargs -P, no journal',
        unit: 'accounts/s',
        ...result,
        reach: '>= 60',
        isReached: result.ratio >= 60,
      },
    ];
  } finally {
    await target.stop();
  }
}
