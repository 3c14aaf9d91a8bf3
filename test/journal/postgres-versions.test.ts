import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/app/system/machine.ts';
import { journalAt } from '../../src/journal/journal-at.ts';
import { writeStamp } from '../../src/journal/stamp.ts';
import { hasPostgres, startPostgres, type PostgresServer } from '../postgres/start-postgres.ts';
import { collect } from './conformance/collect.ts';

describe.skipIf(!hasPostgres)('a PostgreSQL journal of version 1', () => {
  let server: PostgresServer;
  let directory: string;
  let database: string;
  beforeAll(async () => {
    server = await startPostgres();
    directory = mkdtempSync(join(tmpdir(), 'journal-'));
  });
  afterAll(async () => {
    await server.remove();
    rmSync(directory, { recursive: true });
  });

  /** The mark that this machine has of the journal. */
  function mark(identity: string, commits: number): void {
    const name = createHash('sha256').update([server.host, server.port, database, 'migrate'].join('\0'));
    const file = join(directory, `journal-${name.digest('hex').slice(0, 16)}-mark`);
    writeFileSync(file, writeStamp({ identity, commits }));
  }

  function opened() {
    return journalAt({
      journal: server.url(database),
      synchronous: 'FULL',
      clock: systemClock,
      user: 'nobody',
      directory,
      patienceMs: 0,
      password: () => Promise.resolve(server.password),
    });
  }

  it.each([
    ['the newest', '0123456789abcdef0123456789abcdef', 17, 'current'],
    ['one that was restored since', 'fedcba9876543210fedcba9876543210', 9, 'current'],
    ['one that is ahead of it', '0123456789abcdef0123456789abcdef', 18, 'went-back'],
    ['one of another journal', '00112233445566778899aabbccddeeff', 1, 'replaced'],
  ] as const)(
    'keeps what it has, and is compared with its mark: %s',
    async (_, identity, commits, finding) => {
      database = await server.makeDatabase();
      await server.query(
        readFileSync(join(import.meta.dirname, 'postgres/versions/1.sql'), 'utf8'),
        database,
      );
      mark(identity, commits);
      const store = opened();
      const journal = await store.open({ create: false });
      expect(await journal.takeMark(9000)).toBe(finding);
      expect((await journal.overview())[0]).toMatchObject({ accounts: { completed: 1, failed: 1 } });
      const found = await journal.find('p', { supplier: 'S', account: 'B' });
      expect(found?.parts).toMatchObject([{ state: 'failed' }]);
      await journal.change(found?.id ?? 0, { state: 'imported', code: '' });
      expect((await journal.overview())[0]).toMatchObject({
        accounts: { completed: 1, failed: 0, imported: 1 },
      });
      expect(await collect(journal.runs())).toMatchObject([{ by: { user: 'ann' } }]);
      if (finding === 'current')
        expect(await journal.finishedRuns('p')).toMatchObject([{ run: 1, suppliers: ['S'] }]);
      const owner = { host: 'h2', pid: 1, processStart: '' };
      const lease = { platform: 'p', supplier: 'S', owner };
      expect(await journal.takeLease(lease, 0, 1000, () => false)).toEqual({ held: false, epoch: 3 });
      await journal.close();
      const again = await store.open({ create: false });
      expect(await again.takeMark(9500)).toBe('current');
      expect((await again.overview())[0]).toMatchObject({
        accounts: { completed: 1, failed: 0, imported: 1 },
      });
      await again.close();
    },
  );
});
