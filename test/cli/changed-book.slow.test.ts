import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { concluded, linesOfType } from './endings.ts';
import { ranHere } from './own-shell.ts';
import { all, numberOf, of, smallBook, type Account } from './small-book.ts';

const book = smallBook();
const { exported, here, run, status } = book;

describe('an account that the export does not have any more', () => {
  it('is told by plan and reconcile, is not pending for ever, and is pending when it comes back', async () => {
    exported('book');
    concluded(await run('book', '--limit', '4'), 'run', 6);
    exported('book', all.slice(0, 10));
    const plan = await here('plan', 'book');
    expect(concluded(plan, 'plan', 0)).toMatchObject({ accounts: { total: 10 }, absent: 2 });
    expect(linesOfType(plan.stdout, 'absent')).toMatchObject([
      { account: numberOf(10), state: 'pending' },
      { account: numberOf(11), state: 'pending' },
    ]);
    expect(concluded(await here('reconcile', 'book'), 'reconcile', 8)).toMatchObject({
      absent: 2,
      byCode: { not_created: 6 },
    });
    expect(concluded(await run('book'), 'run', 0)).toMatchObject({
      accounts: { total: 10, completed: 10 },
      leftExport: 2,
    });
    expect(await status()).toMatchObject([{ accounts: { total: 10, pending: 0 }, absent: 2 }]);
    exported('book', all.slice(0, 9));
    expect((await ranHere(['run', 'book'], book.directory)).stdout.replaceAll(/\s+/g, ' ')).toContain(
      '1 account of an earlier run is no longer in the export: check that it is whole. `migrate plan --json` names each.',
    );
    expect(concluded(await run('book'), 'run', 0)).not.toHaveProperty('leftExport');
    exported('book', all.slice(0, 10));
    concluded(await run('book'), 'run', 0);
    const proof = await here('reconcile');
    expect(concluded(proof, 'reconcile', 0)).toMatchObject({ matches: true, absent: 2 });
    expect(linesOfType(proof.stdout, 'absent')).toMatchObject([
      { account: numberOf(10), export: join(book.directory, 'book') },
      { account: numberOf(11) },
    ]);
    exported('book');
    expect(concluded(await run('book', '--limit', '1'), 'run', 6)['accounts']).toMatchObject({
      total: 12,
      completed: 11,
      pending: 1,
    });
    expect(await status()).toMatchObject([{ absent: 0 }]);
  });

  it('is one that moved to another supplier, under its former one', async () => {
    exported('book');
    concluded(await run('book', '--limit', '1'), 'run', 6);
    exported('book', [...all.slice(0, 11), ...all.slice(11).map(of('PAUSED_ENERGY'))]);
    await run('book', '--supplier', 'TENTACLE_ENERGY');
    expect(await status()).toMatchObject([
      { supplier: 'PAUSED_ENERGY', accounts: { total: 1, pending: 1 } },
      { supplier: 'TENTACLE_ENERGY', accounts: { total: 11, completed: 11 }, absent: 1 },
    ]);
  });

  it('is not one that another export has', async () => {
    exported('north', all.slice(0, 6));
    exported('south', all.slice(6));
    concluded(await run('north', '--limit', '1'), 'run', 6);
    concluded(await run('south', '--limit', '1'), 'run', 6);
    expect(await status()).toMatchObject([{ accounts: { total: 12, pending: 10 }, absent: 0 }]);
  });

  it('is not one whose row cannot be read', async () => {
    exported('book');
    concluded(await run('book', '--limit', '1'), 'run', 6);
    exported('book', all.slice(0, 11));
    writeFileSync(join(book.directory, 'book', 'accounts.ndjson'), '{"broken": \n', { flag: 'a' });
    await run('book', '--skip-unreadable', '--limit', '1');
    expect(await status()).toMatchObject([{ accounts: { total: 12 }, absent: 0 }]);
  });

  it('is left as it is by an export that came empty, which is no error', async () => {
    exported('book');
    concluded(await run('book', '--limit', '1'), 'run', 6);
    exported('book', []);
    for (const flags of [[], ['--supplier', 'TENTACLE_ENERGY'], ['--dry-run']]) {
      const empty = await run('book', ...flags);
      expect(concluded(empty, 'run', 0)).toMatchObject({
        requests: 0,
        accounts: { total: 0 },
        workLeft: false,
      });
      expect(empty.stderr).toContain('book has no accounts, so there is nothing to do.');
    }
    expect(concluded(await here('validate', 'book'), 'validate', 0)).toMatchObject({ accounts: 0 });
    expect(await status()).toMatchObject([{ accounts: { total: 12, pending: 11 }, absent: 0 }]);
    exported('book');
    expect(concluded(await run('book'), 'run', 0)['accounts']).toMatchObject({ completed: 12 });
  });
});

describe('a fix in another export', () => {
  const broken = (account: Account): Account =>
    ({ ...account, import_supplier: account.import_supplier, customers: 'none' }) as Account;

  it('stays, whatever the old row is, which is told once with both places', async () => {
    exported('book', [broken(all[0]!), ...all.slice(1, 4)]);
    concluded(await run('book', '--rejects', 'rej'), 'run', 3);
    exported('fixed', all.slice(0, 1));
    expect(concluded(await run('fixed'), 'run', 0)['accounts']).toMatchObject({ total: 4, completed: 4 });
    expect(concluded(await here('plan', 'book'), 'plan', 0)['accounts']).toMatchObject({ done: 4 });

    const next = await run('book', '--rejects', 'rej2');
    expect(concluded(next, 'run', 0)).toMatchObject({ requests: 0, accounts: { completed: 4, rejected: 0 } });
    const told = linesOfType(next.stdout, 'problem');
    expect(told).toMatchObject([{ code: 'superseded_by_fix', severity: 'warning', line: 1 }]);
    expect(told[0]?.['detail']).toContain(`${join(book.directory, 'fixed')}/accounts.ndjson:1:`);
    expect(told[0]?.['detail']).toContain('accounts.ndjson:1 has the data that a fix replaced');
    const last = await run('book', '--problems', 'p.csv');
    expect(concluded(last, 'run', 0)).toMatchObject({ requests: 0 });
    expect(last.stdout).not.toContain('superseded_by_fix');
    expect(concluded(await here('reconcile', 'book'), 'reconcile', 0)).toMatchObject({ matches: true });
    expect(concluded(await here('reconcile'), 'reconcile', 0)).toMatchObject({ matches: true });
    expect(readdirSync(book.directory)).not.toContain('rej2');
  });

  it('whose account is not complete is told in every run of the old row, which cannot complete it', async () => {
    exported('book', [broken(all[0]!), ...all.slice(1, 4)]);
    concluded(await run('book'), 'run', 3);
    exported('fixed', all.slice(0, 1));
    await run('fixed', '--steps', 'validate,stage');
    for (const night of [1, 2]) {
      const next = await run('book');
      expect(concluded(next, 'run', 3), `night ${night}`).toMatchObject({
        requests: 0,
        accounts: { completed: 3, staged: 1 },
      });
      expect(linesOfType(next.stdout, 'problem')).toMatchObject([
        { code: 'superseded_by_fix', detail: expect.stringContaining('Run the fix again to complete it') },
      ]);
    }
    expect(concluded(await run('fixed'), 'run', 0)['accounts']).toMatchObject({ completed: 4 });
    concluded(await run('book'), 'run', 0);
  });

  it('is not needed for a limit of failures to count what is newly found alone', async () => {
    exported('book', [...all.slice(0, 3).map(broken), ...all.slice(3, 5)]);
    concluded(await run('book'), 'run', 3);
    expect(concluded(await run('book', '--max-failures', '1'), 'run', 3)).not.toHaveProperty('stopped');
    exported('book', [...all.slice(0, 3).map(broken), ...all.slice(3, 5), broken(all[5]!)]);
    expect(concluded(await run('book', '--max-failures', '1'), 'run', 6)).toMatchObject({
      stopped: 'max-failures',
    });
  });

  it('does not hide that the row has changed, and that what it has now is refused', async () => {
    exported('book', [broken(all[0]!), ...all.slice(1, 4)]);
    concluded(await run('book'), 'run', 3);
    exported('fixed', all.slice(0, 1));
    concluded(await run('fixed'), 'run', 0);
    exported('book', [{ ...broken(all[0]!), account_type: 'NONE' } as Account, ...all.slice(1, 4)]);
    expect(concluded(await here('plan', 'book'), 'plan', 0)['accounts']).toMatchObject({
      done: 3,
      blocked: 1,
    });
    const next = await run('book', '--rejects', 'rej2');
    expect(concluded(next, 'run', 3)).toMatchObject({ requests: 0, accounts: { completed: 4, rejected: 0 } });
    expect(next.stdout).toContain('"severity":"error"');
    expect(readdirSync(book.directory)).toContain('rej2');
    expect(await status()).toMatchObject([{ accounts: { completed: 4 } }]);
  });
});

describe('a value that changes, changes back and changes again, in an export of its own each night', () => {
  const changed = (account: Account): Account =>
    ({ ...account, communication_preference: 'PRINT' }) as Account;

  it('is told each time that it is not what the platform has, and is never proved', async () => {
    exported('monday', all.slice(0, 3));
    exported('tuesday', [changed(all[0]!), ...all.slice(1, 3)]);
    exported('wednesday', all.slice(0, 3));
    exported('thursday', [changed(all[0]!), ...all.slice(1, 3)]);
    const nights = { monday: 0, tuesday: 3, wednesday: 0, thursday: 3 };
    for (const [night, exit] of Object.entries(nights)) {
      const ended = await run(night);
      expect(concluded(ended, 'run', exit), night).toMatchObject({
        accounts: exit === 0 ? { completed: 3 } : { completed: 2, rejected: 1 },
      });
      const told = linesOfType(ended.stdout, 'problem').map(({ code }) => code);
      expect(told, night).toEqual(exit === 0 ? [] : ['changed_after_import']);
    }
    expect(concluded(await here('plan', 'thursday'), 'plan', 0)).toMatchObject({
      blocked: { changed_after_import: 1 },
    });
    expect(concluded(await here('reconcile', 'thursday'), 'reconcile', 8)).toMatchObject({ matches: false });
    const back = await here('reconcile', 'wednesday');
    concluded(back, 'reconcile', 8);
    expect(linesOfType(back.stdout, 'difference')).toMatchObject([
      { detail: expect.stringContaining('run the export, which finds whether it agrees now') },
    ]);
    concluded(await run('wednesday'), 'run', 0);
    concluded(await here('reconcile', 'wednesday'), 'reconcile', 0);
    concluded(await here('reconcile', 'thursday'), 'reconcile', 8);
  });
});

it('accounts that a run created which a backup lacks have amounts that nobody knows, whatever the export says now', async () => {
  exported('book', all.slice(0, 6));
  concluded(await run('book', '--limit', '2'), 'run', 6);
  concluded(await here('journal', 'backup', 'backup.db'), 'journal', 0);
  concluded(await run('book'), 'run', 0);
  const changed = { ...all[4]!, communication_preference: 'PRINT' };
  exported('book', [...all.slice(0, 4), changed, all[5]!]);
  concluded(await here('journal', 'restore', 'backup.db', '--yes'), 'journal', 0);
  expect(concluded(await here('plan', 'book'), 'plan', 0)).toMatchObject({ inDoubt: 4 });
  expect((await ranHere(['plan', 'book'], book.directory)).stdout).toContain('4 accounts are in doubt');
  concluded(await run('book'), 'run', 0);
  const proof = await ranHere(['reconcile', 'book'], book.directory);
  expect(proof.stdout.replaceAll(/\s+/g, ' ')).toContain(
    'The amounts of 4 accounts are not known and are in no total: adopted, found on the platform after a restore,',
  );
  expect(concluded(await here('reconcile', 'book'), 'reconcile', 0)).toMatchObject({
    moneyUnknown: { acknowledged: 4 },
  });
  expect((await here('journal', 'check')).code).toBe(0);
});
