import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openJournal } from '../../src/journal/sqlite/open-journal.ts';
import { journalConformance } from './conformance.ts';

journalConformance('the SQLite journal', () => {
  const directory = mkdtempSync(join(tmpdir(), 'journal-'));
  const file = join(directory, '.migrate', 'journal.db');
  return {
    open: () => openJournal(file, { synchronous: 'NORMAL', create: true }),
    remove: () => rmSync(directory, { recursive: true }),
  };
});
