import Database from 'better-sqlite3';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dumpAccounts } from '../../src/platform/dump.ts';
import { newest, writeJournal, writtenJournals } from '../journal/written-journal.ts';
import { concluded } from './endings.ts';
import { ranHere } from './own-shell.ts';
import { lines, project, served, workspace, type Served } from './tool.ts';

let space: ReturnType<typeof workspace>;
let directory: string;
let platform: Served;
beforeEach(async () => {
  space = workspace();
  ({ directory } = space);
  mkdirSync(join(directory, '.migrate'), { mode: 0o700 });
  mkdirSync(join(directory, 'export'));
  writeFileSync(join(directory, 'operator.yaml'), operator);
  platform = await served(directory, '--state', 'state.db', '--operator', 'operator.yaml');
});
afterEach(async () => {
  await platform.stop();
  space.dispose();
});

/** Every second answer to what can be asked about again is lost. */
const operator = `faults:
  seed: 3
  rules:
    - { kind: reset, when: after, on: [process, transactions], rate: 0.5 }
`;

/** What the journals have as refused (EXT-2) and as sent without an answer (EXT-3), and what they do not know. */
const numbers = ['EXT-2', 'EXT-3', 'EXT-7', 'EXT-8'];

function writeExport(): void {
  for (const table of ['accounts', 'notes', 'transactions']) {
    const rows = readFileSync(project(`fixtures/interface/${table}.ndjson`), 'utf8')
      .trim()
      .split('\n');
    const own = numbers.flatMap((number, at) =>
      rows
        .filter((row) => row.includes(`"EXT-00000${at + 1}"`))
        .map((row) =>
          row.replace(
            `"external_account_number":"EXT-00000${at + 1}"`,
            `"external_account_number":"${number}"`,
          ),
        ),
    );
    writeFileSync(join(directory, 'export', `${table}.ndjson`), `${own.join('\n')}\n`);
  }
}

const env = () => ({
  MIGRATE_BASE_URL: platform.url,
  MIGRATE_API_KEY: platform.apiKey,
  MIGRATE_TEAM: 'MIGRATIONS',
  MIGRATE_PLATFORM_ID: 'https://platform.example',
});
const here = (...args: string[]) => ranHere([...args, '--json'], directory, { env: env() });

/** What the journal says of accounts that no run touches, and of what people did. */
async function untouched(): Promise<unknown[]> {
  const told = lines((await here('journal', 'export')).stdout).filter(
    ({ type, account }) => type === 'intervention' || account === 'EXT-1' || account === 'EXT-4',
  );
  // The platform's address is that of this test.
  return told.map((one) => ({ ...one, platformLabel: undefined }));
}

describe.each(writtenJournals.filter(({ version, raisedTo }) => version === raisedTo && version < newest))(
  'a journal $fixture',
  (kind) => {
    it('is taken through a whole run with lost answers: nothing twice, nothing lost, rulings as they were', async () => {
      writeExport();
      const file = join(directory, '.migrate', 'journal.db');
      writeJournal(file, kind);
      // A new platform gives the first numbers again.
      new Database(file)
        .exec("UPDATE account SET kraken_account_number = replace(kraken_account_number, 'A-0', 'A-9')")
        .close();
      expect((await here('journal', 'upgrade')).code).toBe(0);
      const before = await untouched();
      const { accounts } = concluded(await here('run', 'export', '--yes'), 'run', 0);
      expect(accounts).toMatchObject({ completed: 5, uncertain: 1, rejected: 0, failed: 0 });
      const there = [...dumpAccounts(join(directory, 'state.db'))];
      expect(there.map(({ account }) => account).sort()).toEqual(numbers);
      for (const { account, notes, transactions } of there) {
        expect(new Set(notes).size, account).toBe(notes.length);
        expect(new Set(transactions).size, account).toBe(transactions.length);
      }
      expect(await untouched()).toEqual(before);
      expect(concluded(await here('run', 'export', '--yes'), 'run', 0)['requests']).toBe(0);
      expect((await here('journal', 'check')).code).toBe(0);
    });
  },
);
