// What grows with the work: the peak of memory, and the time of one account, in a large run against a hundredth of it.
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { writeBook } from './book.js';
import { median } from './pairs.js';
import { startTarget } from './processes.js';
import { drive } from './throughput.js';

/** `accounts` is the large one's size; one pair takes as long as it takes. */
export const growth = (options) => growthOf('creation', options);
export const growthOfAll = (options) => growthOf('all', options);

async function growthOf(steps, { accounts, pairs, directory: root }) {
  const target = await startTarget();
  try {
    const sizes = [Math.max(1, Math.round(accounts / 100)), accounts];
    const books = [];
    for (const size of sizes) {
      const directory = mkdtempSync(join(root, 'growth-'));
      const book = join(directory, 'ndjson');
      await writeBook(book, size, 'ndjson', { onlyAccounts: steps === 'creation' });
      books.push({ directory, book, target, accounts: size, steps });
    }
    const small = [];
    const large = [];
    for (let round = 0; round < (accounts > 100_000 ? 1 : pairs); round += 1) {
      small.push(await drive(books[0]));
      large.push(await drive(books[1]));
    }
    const peaks = [large, small].map((runs) => median(runs.map(({ peakMb }) => peakMb)));
    const each = [large, small].map((runs) =>
      median(runs.map(({ summary }) => summary.durationMs / summary.accounts.total)),
    );
    const what = steps === 'all' ? 'all nine steps' : 'validate, stage, process';
    return [
      {
        measure: `${what}: peak memory at ${accounts} accounts`,
        against: `at ${sizes[0]}`,
        unit: 'MB',
        ours: peaks[0],
        theirs: peaks[1],
        ratio: peaks[0] / peaks[1],
        reach: '<= 1.15, < 250 MB',
        isReached: peaks[0] / peaks[1] <= 1.15 && peaks[0] < 250,
      },
      {
        measure: `${what}: time of an account at ${accounts} accounts`,
        against: `at ${sizes[0]}`,
        unit: 'ms',
        ours: each[0],
        theirs: each[1],
        ratio: each[0] / each[1],
        reach: '<= 1.1',
        isReached: each[0] / each[1] <= 1.1,
      },
    ];
  } finally {
    await target.stop();
  }
}
