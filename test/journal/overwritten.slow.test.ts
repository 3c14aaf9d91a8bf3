import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Journal } from '../../src/journal/journal.ts';
import { openJournal } from '../../src/journal/sqlite/open-journal.ts';
import { temporaryDirectory } from '../temporary-directory.ts';

const now = Date.UTC(2024, 6, 1);

async function sent(journal: Journal, account: string): Promise<void> {
  const { id } = await journal.open('p', { supplier: 'S', account });
  await journal.intend({ accountId: id, step: 'stage', part: 0 }, { hash: 'h', run: 1, at: now });
}

// It waits for another process, which may be in the middle of a checkpoint.
it('a journal that is written over in place lets no request leave, and counts as older afterwards', async () => {
  const directory = temporaryDirectory('overwritten-');
  const file = join(directory, 'journal.db');
  const snapshot = join(directory, 'snapshot.db');
  const open = () => openJournal(file, { synchronous: 'FULL', create: true });
  const before = open();
  await before.takeMark(now);
  await sent(before, '1');
  await before.close();
  copyFileSync(file, snapshot);
  const journal = open();
  await journal.takeMark(now);
  await sent(journal, '2');
  copyFileSync(snapshot, file);
  await expect(sent(journal, '3')).rejects.toThrow(/was overwritten by another program/);
  await journal.close();
  const after = open();
  expect(await after.compareMark()).toBe('went-back');
  await after.close();
}, 30_000);
