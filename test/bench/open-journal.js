// Makes a journal in PostgreSQL that is empty.
import { journalAt } from '../../dist/journal/journal-at.js';

export async function openJournalAt(journal, directory) {
  const store = journalAt({
    ...{ journal, synchronous: 'FULL', user: 'postgres', directory, patienceMs: 0 },
    clock: { now: Date.now, monotonic: () => performance.now(), sleep: () => Promise.resolve() },
    password: () => Promise.resolve(undefined),
  });
  const opened = await store.open({ create: true });
  await opened.close();
}
