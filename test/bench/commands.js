// How long commands take that send nothing: to start, to tell the status of a large journal, to find that all is done.
import { cpSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeBook } from './book.js';
import { alternate, median } from './pairs.js';
import { against, measured, migrate, program, startTarget, tool } from './processes.js';
import { writeJournal } from './large-journal.js';

const node = process.execPath;

export async function startUp({ pairs, directory: cwd }) {
  const seconds = async (...args) => (await measured(node, args, { cwd, isPlain: true })).seconds;
  const rows = [];
  for (const flag of ['--version', '--help']) {
    const result = await alternate(
      3 * pairs,
      () => seconds(migrate, flag),
      () => seconds('-e', '0'),
    );
    rows.push({
      measure: `migrate ${flag}`,
      against: 'node -e 0',
      unit: 's',
      ...result,
      reach: '<= 2.5',
      isReached: result.ratio <= 2.5,
    });
  }
  return rows;
}

export async function status({ accounts, pairs, directory: cwd }) {
  mkdirSync(join(cwd, '.migrate'));
  writeJournal(join(cwd, '.migrate', 'journal.db'), accounts);
  const times = [];
  for (let round = 0; round < pairs; round += 1) {
    const { seconds, summary } = await tool(['status', '--supplier', 'TENTACLE_ENERGY'], {
      cwd,
      isPlain: true,
    });
    const [told] = summary.suppliers;
    if (told.accounts.completed !== accounts || told.steps.notes.done !== accounts)
      throw new Error(`status told of ${JSON.stringify(told)}, not of ${accounts} accounts`);
    times.push(seconds);
  }
  const ours = median(times);
  const size = statSync(join(cwd, '.migrate', 'journal.db')).size;
  return [
    {
      measure: `status, journal of ${accounts} accounts and ${9 * accounts} steps`,
      against: '-',
      unit: 's',
      ours,
      reach: '< 0.2',
      isReached: ours < 0.2,
      notes: { journalMb: size / 1024 / 1024 },
    },
  ];
}

/** A batch that is done is looked at once more, its files written anew so that they count as changed. */
export async function finished({ accounts, pairs, directory: cwd }) {
  const target = await startTarget();
  try {
    const first = join(cwd, 'first');
    await writeBook(first, accounts, 'csv');
    const options = { cwd, env: against(target) };
    await tool(['run', first, '--yes'], options);
    await target.ask('counts');
    const result = await alternate(
      pairs,
      async () => {
        const book = join(cwd, 'again');
        cpSync(first, book, { recursive: true });
        const { seconds, summary } = await tool(['run', book, '--yes'], options);
        if (summary.accounts.completed !== accounts || summary.requests !== 0)
          throw new Error(`a finished batch was not left alone: ${JSON.stringify(summary)}`);
        return seconds;
      },
      async () => (await program('csv-parse-alone.js', [first], { cwd })).seconds,
    );
    const unchanged = [];
    for (let round = 0; round < pairs; round += 1)
      unchanged.push((await tool(['run', first, '--yes'], options)).seconds);
    const ours = median(unchanged);
    return [
      {
        measure: `run over a finished batch of ${accounts}, written anew`,
        against: 'csv-parse alone',
        unit: 's',
        ...result,
        reach: '<= 1.2',
        isReached: result.ratio <= 1.2,
      },
      {
        measure: `run over a finished batch of ${accounts}, unchanged`,
        against: '-',
        unit: 's',
        ours,
        reach: '< 1',
        isReached: ours < 1,
      },
    ];
  } finally {
    await target.stop();
  }
}

/** A batch that is done, of which one account in a thousand has another row each time. */
export async function changes({ accounts, pairs, directory: cwd }) {
  const target = await startTarget();
  try {
    const book = join(cwd, 'book');
    await writeBook(book, accounts, 'csv');
    const options = { cwd, env: against(target) };
    await tool(['run', book, '--yes'], options);
    const sound = readFileSync(join(book, 'ledgers.csv'), 'utf8').split('\n');
    const every = Math.min(1000, accounts);
    const chosen = new Set();
    const isChosen = chosenLines(sound, every);
    for (const [at, line] of sound.entries()) if (isChosen[at]) chosen.add(line.split(',')[0]);
    const changed = chosen.size;
    let round = 0;
    const result = await alternate(
      pairs,
      async () => {
        round += 1;
        // The balance is the same number with another zero: it has to be mapped, and nothing is sent.
        const lines = sound.map((line, at) =>
          isChosen[at] && round % 2 === 1 ? withZero(line, sound[0]) : line,
        );
        writeFileSync(join(book, 'ledgers.csv'), lines.join('\n'));
        const { seconds, summary } = await tool(['run', book, '--yes'], options);
        if (summary.changedAccounts !== changed || summary.unchangedAccounts !== accounts - changed)
          throw new Error(`not the accounts that changed: ${JSON.stringify(summary)}`);
        return seconds;
      },
      async () => (await program('csv-parse-alone.js', [book], { cwd })).seconds,
    );
    return [
      {
        measure: `run over a finished batch of ${accounts}, of which ${changed} changed`,
        against: 'csv-parse alone',
        unit: 's',
        ...result,
        reach: '<= 1.3',
        isReached: result.ratio <= 1.3,
      },
    ];
  } finally {
    await target.stop();
  }
}

/** For each line whether it is the first one of an account, of which each so many is chosen. */
function chosenLines(lines, every) {
  let account = '';
  let number = -1;
  return lines.map((line, at) => {
    const own = line.split(',')[0];
    if (at === 0 || own === '' || own === account) return false;
    account = own;
    number += 1;
    return number % every === 0;
  });
}

function withZero(line, header) {
  const at = header.split(',').indexOf('ledger_balance');
  return line
    .split(',')
    .map((cell, column) => (column === at ? `${cell}0` : cell))
    .join(',');
}
