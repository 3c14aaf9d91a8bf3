import Database from 'better-sqlite3';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openJournal } from '../../src/journal/sqlite/open-journal.ts';
import { dumpAccounts } from '../../src/platform/dump.ts';
import { readPlatformId } from '../../src/platform/platform-id.ts';
import { concluded } from './endings.ts';
import { ranHere } from './own-shell.ts';
import { project, workspace } from './tool.ts';

let space: ReturnType<typeof workspace>;
let directory: string;
beforeEach(() => {
  space = workspace();
  ({ directory } = space);
});
afterEach(() => space.dispose());

const composed = (number: string): string => `M\u00dc-${number}`;
const decomposed = (number: string): string => `MU\u0308-${number}`;
const tables = ['accounts', 'notes', 'transactions', 'historical_billing_documents', 'historical_agreements'];

/** The book of the interface with other numbers: the first four accounts, with all that belongs to them. */
function writeExport(spelled: (number: string) => string): string[] {
  mkdirSync(join(directory, 'export'), { recursive: true });
  const numbers: string[] = [];
  for (const table of tables) {
    const rows = readFileSync(project(`fixtures/interface/${table}.ndjson`), 'utf8')
      .trim()
      .split('\n');
    const own = rows
      .map((row) => JSON.parse(row) as { external_account_number: string })
      .filter(({ external_account_number: number }) => number <= 'EXT-000004');
    if (table === 'accounts') numbers.push(...own.map((row) => row.external_account_number));
    const text = own.map((row) => {
      const number = spelled(row.external_account_number);
      return `${JSON.stringify({ ...row, external_account_number: number })}\n`;
    });
    writeFileSync(join(directory, 'export', `${table}.ndjson`), text.join(''));
  }
  return numbers;
}

const here = (...args: string[]) => ranHere([...args, '--json'], directory);
const journal = () => join(directory, '.migrate', 'journal.db');
const state = () => join(directory, '.migrate', 'platform.db');
const onPlatform = () =>
  [...dumpAccounts(state())].filter(({ krakenAccountNumber }) => krakenAccountNumber !== null);

describe('an account number with letters in parts', () => {
  it('is sent composed, as everything of the account is', async () => {
    const numbers = writeExport(decomposed);
    const { accounts } = concluded(await here('run', 'export', '--yes'), 'run', 0);
    expect(accounts).toMatchObject({ total: 4, completed: 4 });
    expect(onPlatform().map(({ account }) => account)).toEqual(numbers.map(composed));
  });

  it.each([
    ['in parts', decomposed],
    ['composed', composed],
  ])(
    'that an earlier version sent as it was stays the same account, whether the export has it %s',
    async (_, spelled) => {
      const numbers = writeExport(decomposed);
      // The platform and its id.
      concluded(await here('run', 'export', '--yes', '--limit', '1', '--steps', 'validate'), 'run', 6);
      await begunBefore(numbers);
      concluded(await here('run', 'export', '--yes', '--limit', '2'), 'run', 6);
      expect(onPlatform().map(({ account }) => account)).toEqual(numbers.slice(0, 2).map(decomposed));
      asSchema19();
      writeExport(spelled);
      const planned = await here('plan', 'export');
      expect(planned.stderr).toContain('migrate journal upgrade');
      const rows = readFileSync(join(directory, 'export/accounts.ndjson'), 'utf8').trim().split('\n');
      const refused = rows.map((row, at) => (at === 3 ? row.replace('"country":"', '"country":"?') : row));
      writeFileSync(join(directory, 'export/accounts.ndjson'), `${refused.join('\n')}\n`);
      concluded(await here('run', 'export', '--yes', '--rejects', 'rejects'), 'run', 3);
      const copied = readFileSync(join(directory, 'rejects/accounts.ndjson'), 'utf8').trim();
      expect(copied.split('\n')).toEqual([expect.stringContaining(spelled('EXT-000004')) as string]);
      writeExport(spelled);
      const ended = await here('run', 'export', '--yes');
      const { accounts } = concluded(ended, 'run', 0);
      expect(accounts).toMatchObject({ total: 4, completed: 4 });
      expect(onPlatform().map(({ account }) => account)).toEqual(numbers.map(decomposed));
      concluded(await here('reconcile', 'export'), 'reconcile', 0);
      expect(concluded(await here('plan', 'export'), 'plan', 0)).toMatchObject({
        accounts: { done: 4, new: 0 },
      });
      for (const name of [composed, decomposed])
        concluded(await here('show', name('EXT-000001'), '--export', 'export'), 'show', 0);
    },
  );
});

/** The accounts as a build that did not compose numbers entered them. */
async function begunBefore(numbers: readonly string[]): Promise<void> {
  const platform = readPlatformId(state()) ?? '';
  const written = openJournal(journal(), { synchronous: 'NORMAL', create: false });
  await written.takeMark(1);
  const accounts = readFileSync(join(directory, 'export/accounts.ndjson'), 'utf8').trim().split('\n');
  for (const [at, number] of numbers.entries()) {
    const { import_supplier: supplier } = JSON.parse(accounts[at] ?? '') as { import_supplier: string };
    await written.open(platform, { supplier, account: decomposed(number) }, join(directory, 'export'));
  }
  await written.close();
  const db = new Database(journal());
  db.function('nfc', (text: unknown) => String(text).normalize('NFC'));
  db.exec(`DELETE FROM part WHERE account IN (SELECT id FROM account WHERE number = nfc(number));
    DELETE FROM trouble; DELETE FROM problem; DELETE FROM attempt; DELETE FROM reading;
    UPDATE tally SET accounts = 0;
    DELETE FROM account WHERE number = nfc(number);
    INSERT OR REPLACE INTO tally SELECT supplier, 0, 0, count(*) FROM account GROUP BY supplier;
    INSERT INTO spelling SELECT supplier, nfc(number), id FROM account`);
  db.close();
}

function asSchema19(): void {
  const db = new Database(journal());
  db.exec(`DROP TABLE read_back; DROP TABLE read_back_pass; ALTER TABLE run DROP COLUMN facts;
    DROP TABLE spelling; DROP TABLE upgrade; DROP TABLE conclusion; DROP TABLE item; PRAGMA user_version = 19`);
  db.close();
}
