// Whether a run against a platform that takes its time goes as fast as Little's law says: as many accounts in a second as
// are in flight, by how long one is on its way. docs/performance.md has the model.
import { join } from 'node:path';
import { writeBook } from './book.js';
import { startTarget } from './processes.js';
import { drive } from './throughput.js';

/** Accounts at the same time. */
const concurrency = 64;
const requestsEach = 3;

export async function latency({ accounts, directory }) {
  const target = await startTarget();
  try {
    const book = join(directory, 'ndjson');
    await writeBook(book, accounts, 'ndjson', { onlyAccounts: true });
    const rows = [];
    for (const ms of [100, 200, 400]) {
      await target.ask('wait', ms);
      const { summary } = await drive({ directory, book, target, accounts, steps: 'creation', concurrency });
      const ours = accounts / (summary.durationMs / 1000);
      const theirs = concurrency / (requestsEach * (ms / 1000));
      rows.push({
        measure: `validate, stage, process; answers after ${ms} ms`,
        against: `${concurrency} / (${requestsEach} x ${ms} ms)`,
        unit: 'accounts/s',
        ours,
        theirs,
        ratio: ours / theirs,
        reach: '0.8 to 1',
        isReached: ours / theirs >= 0.8,
      });
    }
    return rows;
  } finally {
    await target.stop();
  }
}
