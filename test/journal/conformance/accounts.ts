import { describe, expect, it } from 'vitest';
import { zeroCounts } from '../../../src/domain/account-state.ts';
import { stepNames } from '../../../src/domain/steps.ts';
import type { OpenJournal } from '../conformance.ts';
import { collect } from './collect.ts';

const key = { supplier: 'TENTACLE_ENERGY', account: 'A-1' };

export function accountsConformance(open: OpenJournal): void {
  describe('accounts', () => {
    it('knows no account at first, and makes a pending one when it is opened', async () => {
      const journal = await open();
      expect(await journal.find('p', key)).toBeUndefined();
      const account = await journal.open('p', key);
      expect(account).toMatchObject({ key, state: 'pending', code: '', parts: [] });
      expect(account.krakenAccountNumber).toBeUndefined();
      expect(account.steps).toEqual(Object.fromEntries(stepNames.map((step) => [step, 'none'])));
      expect(await journal.open('p', key)).toEqual(account);
      expect(await (await open()).find('p', key)).toEqual(account);
    });

    it('opens one entry when two flows open the same account in one turn', async () => {
      const journal = await open();
      const [first, second] = await Promise.all([journal.open('p', key), journal.open('p', key)]);
      expect(second).toEqual(first);
      expect((await journal.overview())[0]?.accounts.pending).toBe(1);
    });

    it('enters accounts by the batch, and gives how each stands', async () => {
      const journal = await open();
      const known = await journal.open('p', key);
      await journal.change(known.id, { state: 'rejected', code: 'why' });
      const other = { ...key, account: 'A-2' };
      const entered = await journal.enter('p', '/export', [other, key, other]);
      expect(entered.map(({ state }) => state)).toEqual(['pending', 'rejected', 'pending']);
      expect(entered[1]?.id).toBe(known.id);
      expect(entered[2]?.id).toBe(entered[0]?.id);
      expect(await journal.find('p', other)).toMatchObject({ state: 'pending', from: '/export' });
      expect(await journal.overview('p')).toMatchObject([
        { accounts: { pending: 1, rejected: 1 }, absent: 0 },
      ]);
    });

    it('does not count what is unread of an export where accounts of another place may be the same', async () => {
      const journal = await open();
      const keys = ['A-1', 'A-2', 'A-3'].map((account) => ({ ...key, account }));
      await journal.beginReading('p', '/2026-11-27', 3);
      await journal.enter('p', '/2026-11-27', keys);
      await journal.endReading('p', '/2026-11-27');
      // The run of the next night is killed after its first account.
      await journal.beginReading('p', '/2026-11-28', 3);
      await journal.enter('p', '/2026-11-28', keys.slice(0, 1));
      expect(await (await open()).overview('p')).toMatchObject([
        { accounts: { pending: 3 }, partlyRead: [{ place: '/2026-11-28', accounts: 3 }] },
      ]);
      const [book] = await (await open()).overview('p');
      expect(book?.partlyRead[0]).not.toHaveProperty('unread');
    });

    it('knows that an export was not read to its end, until it was or another one has all of its accounts', async () => {
      const journal = await open();
      const partly = async () =>
        (await (await open()).overview('p')).map(({ supplier, partlyRead }) => [supplier, partlyRead]);
      const keys = ['A-1', 'A-2'].map((account) => ({ ...key, account }));
      await journal.beginReading('p', '/export', 3);
      await journal.enter('p', '/export', keys);
      const read = [{ place: '/export', accounts: 3, unread: 1 }];
      expect(await partly()).toEqual([[key.supplier, read]]);
      // Another export says nothing about this one.
      await journal.beginReading('p', '/pilot');
      await journal.open('p', { ...key, supplier: 'OTHER' }, '/pilot');
      expect(await partly()).toEqual([
        ['OTHER', [{ place: '/pilot' }]],
        [key.supplier, read],
      ]);
      await journal.endReading('p', '/pilot');
      expect(await partly()).toEqual([
        ['OTHER', []],
        [key.supplier, read],
      ]);
      await journal.endReading('p', '/export');
      expect(await partly()).toContainEqual([key.supplier, []]);
      // It has as many accounts as before: they are known.
      await journal.beginReading('p', '/export', 3);
      expect(await partly()).toContainEqual([key.supplier, []]);
      await journal.beginReading('p', '/export', 4);
      const more = { place: '/export', accounts: 4 };
      expect(await partly()).toContainEqual([key.supplier, [{ ...more, unread: 2 }]]);
      // Of which supplier the others are is not known once there are two.
      await journal.enter('p', '/export', [{ account: 'B-1', supplier: 'OTHER' }]);
      expect(await partly()).toContainEqual([key.supplier, [more]]);
      await journal.beginReading('p', '/export-2', 3);
      await journal.enter('p', '/export-2', keys);
      expect(await journal.countFrom('p', ['/export', '/export-2', '/none'])).toBe(3);
      await journal.endReading('p', '/export-2');
      expect(await partly()).toContainEqual([key.supplier, []]);
    });

    it('counts requests without an outcome, of accounts that are not done', async () => {
      const journal = await open();
      const intent = { hash: 'h', run: 1, at: 1 };
      const [open1, lost, answered, done, scheduled, uncertain, gone] = await Promise.all(
        ['A-1', 'A-2', 'A-3', 'A-4', 'A-5', 'A-6', 'A-7'].map(
          async (account) => (await journal.open('p', { ...key, account })).id,
        ),
      );
      const part = (accountId = 0) => ({ accountId, step: 'notes', part: 0 }) as const;
      for (const id of [open1, lost, answered, done, scheduled, uncertain, gone])
        await journal.intend(part(id), intent);
      await journal.settle(part(lost), { state: 'sent', outcome: 'lost', at: 2 });
      await journal.settle(part(answered), { state: 'done', outcome: 'ok', at: 2 });
      await journal.change(done ?? 0, { state: 'completed' });
      // The platform has acknowledged a task.
      await journal.settle(part(scheduled), { state: 'sent', outcome: 'scheduled', at: 2 });
      await journal.change(scheduled ?? 0, { state: 'scheduled' });
      await journal.change(uncertain ?? 0, { state: 'uncertain' });
      await journal.markAbsent([gone ?? 0]);
      expect(await journal.unanswered('p', key.supplier)).toEqual({ requests: 3, gone: 1 });
      expect(await journal.unanswered('p', 'OTHER')).toEqual({ requests: 0, gone: 0 });
      expect(await journal.unanswered('q', key.supplier)).toEqual({ requests: 0, gone: 0 });
    });

    describe('rows of accounts', () => {
      const keys = ['A-1', 'A-2', 'A-3'].map((account) => ({ ...key, account }));
      const asked = (print: string, mapping = 'm') =>
        keys.map(({ account }) => ({ account, print: `${print}-${account}`, mapping }));
      const rowsOf = (account: string, planHash: string, ignoredRows = 0) => ({
        ...{ print: `r-${account}`, mapping: 'm', ignoredRows, planHash },
      });
      const completed = {
        state: 'completed',
        krakenAccountNumber: 'K-1',
        steps: { process: 'done' },
      } as const;

      it('are recognised where the account is completed from them', async () => {
        const journal = await open();
        const ids = (await journal.enter('p', '/export', keys)).map(({ id }) => id);
        const [one = 0, two = 0, three = 0] = ids;
        expect(await journal.recognise('p', '/export', asked('r'))).toEqual(
          keys.map(() => ({ is: 'unknown' })),
        );
        await journal.change(one, { ...completed, planHash: 'h1' });
        await journal.change(two, { ...completed, krakenAccountNumber: 'K-2', planHash: 'h2' });
        await journal.change(three, { state: 'rejected', planHash: 'h3' });
        await journal.noteRows([
          { accountId: one, rows: rowsOf('A-1', 'h1', 7) },
          { accountId: two, rows: rowsOf('A-2', 'another plan') },
          { accountId: three, rows: rowsOf('A-3', '') },
        ]);
        const there = await open();
        const found = { is: 'unchanged', id: one, supplier: key.supplier, ignoredRows: 7 };
        expect(await there.recognise('p', '/export', asked('r'))).toEqual([
          { ...found, isIn: true },
          { is: 'unknown' },
          { is: 'unknown' },
        ]);
        expect(await there.recognise('p', '/export', asked('x'))).toEqual([
          { is: 'changed', wasCompleted: true },
          { is: 'unknown' },
          { is: 'changed' },
        ]);
        expect(await there.recognise('p', '/export', asked('r', 'm2'))).toEqual([
          { is: 'unknown', wasCompleted: true },
          { is: 'unknown' },
          { is: 'unknown' },
        ]);
        expect(await there.recognise('q', '/export', asked('r'))).toEqual(
          keys.map(() => ({ is: 'unknown' })),
        );
        await there.change(one, { code: '', keepsRows: true });
        // Elsewhere, or absent for a while, they are what they were.
        expect((await there.recognise('p', '/new', asked('r')))[0]).toEqual({ ...found, isIn: false });
        await there.enter('p', '/new', keys);
        expect((await there.recognise('p', '/new', asked('r')))[0]).toEqual({ ...found, isIn: true });
        await there.markAbsent([one]);
        expect((await there.recognise('p', '/new', asked('r')))[0]).toEqual({ ...found, isIn: false });
      });

      it('are forgotten with a change of the account that does not keep them', async () => {
        const journal = await open();
        const { id } = await journal.open('p', key, '/export');
        await journal.change(id, { ...completed, planHash: 'h' });
        const note = { accountId: id, rows: rowsOf('A-1', 'h') };
        await journal.noteRows([note]);
        await journal.change(id, { code: '' });
        const isKnown = async () => (await journal.recognise('p', '/export', asked('r')))[0]?.is;
        expect(await isKnown()).toBe('unknown');
        await journal.noteRows([note]);
        expect(await isKnown()).toBe('unchanged');
      });

      it('that do not count are mapped again, and told when they change', async () => {
        const journal = await open();
        const { id } = await journal.open('p', key, '/export');
        await journal.change(id, { ...completed, planHash: 'h' });
        const { planHash: _none, ...rows } = rowsOf('A-1', 'h', 3);
        await journal.noteRows([{ accountId: id, rows }]);
        const there = await open();
        expect((await there.recognise('p', '/export', asked('r')))[0]).toEqual({ is: 'unknown' });
        expect((await there.recognise('p', '/export', asked('x')))[0]).toEqual({
          is: 'changed',
          wasCompleted: true,
        });
      });

      it('are told of several suppliers with an account of that number', async () => {
        const journal = await open();
        const other = { ...key, supplier: 'OTHER' };
        for (const [at, one] of [key, other].entries()) {
          const { id } = await journal.open('p', one, '/export');
          await journal.change(id, { ...completed, krakenAccountNumber: `K-${at}`, planHash: 'h' });
          const rows = { ...rowsOf('A-1', 'h'), print: `r-${one.supplier}` };
          await journal.noteRows([{ accountId: id, rows }]);
        }
        const ask = async (print: string) =>
          (await journal.recognise('p', '/export', [{ account: 'A-1', print, mapping: 'm' }]))[0];
        expect(await ask('r-OTHER')).toMatchObject({ is: 'unchanged', supplier: 'OTHER' });
        expect(await ask(`r-${key.supplier}`)).toMatchObject({ is: 'unchanged', supplier: key.supplier });
        expect(await ask('r-x')).toEqual({ is: 'changed', wasCompleted: true });
      });

      it('that changed are told by the run that found it', async () => {
        const journal = await open();
        const start = { platform: 'p', platformLabel: 'p', export: '/export', dryRun: false, startedAt: 1 };
        const [first, second] = [await journal.startRun(start), await journal.startRun(start)];
        const ids = (await journal.enter('p', '/export', keys)).map(({ id }) => id);
        await journal.noteRows([
          { accountId: ids[2] ?? 0, changedIn: first },
          { accountId: ids[0] ?? 0, changedIn: first },
          { accountId: ids[1] ?? 0, changedIn: first },
        ]);
        await journal.noteRows([{ accountId: ids[1] ?? 0, changedIn: second }]);
        await journal.change(ids[0] ?? 0, { state: 'rejected' });
        const told = async (run: number, supplier = key.supplier) =>
          (await collect(journal.accountsChangedIn('p', supplier, run))).map((entry) => entry.key.account);
        expect([await told(first), await told(second), await told(3)]).toEqual([['A-1', 'A-3'], ['A-2'], []]);
        expect(await told(first, 'OTHER')).toEqual([]);
        expect(await journal.find('p', key)).toMatchObject({ state: 'rejected', changedIn: first });
      });
    });

    it('does not count what its export has no longer, unless it was created, until it is read again', async () => {
      const journal = await open();
      const keys = ['A-1', 'A-2', 'A-3'].map((account) => ({ ...key, account }));
      const ids = (await journal.enter('p', '/export', keys)).map(({ id }) => id);
      await journal.change(ids[2] ?? 0, { state: 'imported', krakenAccountNumber: 'K-3' });
      await journal.markAbsent(ids);
      const there = await open();
      expect(await there.overview('p')).toMatchObject([{ accounts: { pending: 0, imported: 1 }, absent: 2 }]);
      expect(await there.find('p', key)).toMatchObject({ isAbsent: true });
      expect(await collect(there.accountsFrom('p', '/export'))).toMatchObject([
        { id: ids[0], isAbsent: true },
        { id: ids[1] },
        { id: ids[2], state: 'imported' },
      ]);
      expect(await there.open('p', key, '/other')).toMatchObject({ isAbsent: undefined });
      await there.enter('p', '/export', keys.slice(1));
      expect(await there.overview('p')).toMatchObject([{ accounts: { pending: 2 }, absent: 0 }]);
      expect(await collect(there.accountsFrom('p', '/other'))).toMatchObject([{ key, isAbsent: false }]);
    });

    it('counts the pending accounts whose data a dry run staged, as long as they are there and not created', async () => {
      const journal = await open();
      const keys = ['A-1', 'A-2', 'A-3', 'A-4'].map((account) => ({ ...key, account }));
      const [one = 0, two = 0, three = 0] = (await journal.enter('p', '/export', keys)).map(({ id }) => id);
      for (const id of [one, two, three]) await journal.change(id, { stagedHash: 'h' });
      const counted = async () => (await (await open()).overview('p'))[0]?.stagedByDryRun;
      expect(await counted()).toBe(3);
      await journal.change(one, { state: 'staged' });
      await journal.change(two, { stagedHash: null });
      expect(await counted()).toBe(1);
      await journal.markAbsent([three]);
      expect(await counted()).toBe(0);
    });

    it('counts the rejected accounts that changed in the export after their import', async () => {
      const journal = await open();
      const keys = ['A-1', 'A-2', 'A-3'].map((account) => ({ ...key, account }));
      const [one = 0, two = 0, three = 0] = (await journal.enter('p', '/export', keys)).map(({ id }) => id);
      const counted = async () => (await (await open()).overview('p'))[0]?.changedAfterImport;
      for (const id of [one, two])
        await journal.change(id, { state: 'rejected', code: 'changed_after_import' });
      await journal.change(three, { state: 'rejected', code: 'invalid_amount' });
      expect(await counted()).toBe(2);
      await journal.change(one, { state: 'completed', code: '' });
      expect(await counted()).toBe(1);
    });

    it('counts the rejected accounts of which the platform has something already', async () => {
      const journal = await open();
      const keys = ['A-1', 'A-2', 'A-3'].map((account) => ({ ...key, account }));
      const [one = 0, two = 0, three = 0] = (await journal.enter('p', '/export', keys)).map(({ id }) => id);
      const counted = async () => (await (await open()).overview('p'))[0]?.alreadyHeld;
      await journal.change(one, { state: 'rejected', code: 'historical_statement_already_exists' });
      await journal.change(two, { state: 'rejected', code: 'ledger_has_finalized_billing_document' });
      await journal.change(three, { state: 'rejected', code: 'invalid_amount' });
      expect(await counted()).toBe(2);
      await journal.change(one, { state: 'completed', code: '' });
      expect(await counted()).toBe(1);
    });

    it('counts the completed accounts whose data in the export is refused now', async () => {
      const journal = await open();
      const keys = ['A-1', 'A-2', 'A-3'].map((account) => ({ ...key, account }));
      const [one = 0, two = 0, three = 0] = (await journal.enter('p', '/export', keys)).map(({ id }) => id);
      const counted = async () => (await (await open()).overview('p'))[0]?.refusedData;
      await journal.change(one, { state: 'completed' });
      await journal.change(two, { state: 'rejected', code: 'invalid_amount' });
      expect(await counted()).toBe(0);
      for (const id of [one, three]) await journal.change(id, { state: 'completed', code: 'unknown_code' });
      expect(await counted()).toBe(2);
      await journal.change(three, { state: 'completed', code: '' });
      expect(await counted()).toBe(1);
    });

    it('counts the accounts that a restore put in doubt until they are settled, but for completed ones', async () => {
      const journal = await open();
      const keys = ['A-1', 'A-2', 'A-3'].map((account) => ({ ...key, account }));
      const [one = 0, two = 0] = (await journal.enter('p', '/export', keys)).map(({ id }) => id);
      const counted = async () => (await journal.overview('p'))[0]?.inDoubt;
      await journal.change(one, { state: 'completed' });
      expect(await counted()).toBe(0);
      await journal.markRestored(5);
      expect(await counted()).toBe(2);
      await journal.change(two, { isSettled: true });
      expect(await counted()).toBe(1);
    });

    it('keeps which refused data a fix replaced, and whether that was told', async () => {
      const journal = await open();
      const { id } = await journal.open('p', key, '/export');
      await journal.change(id, { planHash: 'fixed', dataFrom: { platform: 'p', place: '/fix' } });
      expect(await journal.superseded(id, 'old')).toBeUndefined();
      const fix = { file: 'accounts.csv', line: 3, column: 'name' };
      await journal.supersede(id, 'old', fix);
      await journal.supersede(id, 'older', undefined);
      await journal.noteSupersededTold(id, 'older');
      const there = await open();
      expect(await there.find('p', key)).toMatchObject({ from: '/export', dataFrom: '/fix' });
      expect(await there.superseded(id, 'old')).toEqual({ fix, isTold: false });
      expect(await there.superseded(id, 'older')).toEqual({ isTold: true });
    });

    it('never counts on one platform what was done on another', async () => {
      const journal = await open();
      const rehearsed = await journal.open('embedded', key);
      await journal.change(rehearsed.id, { state: 'imported', krakenAccountNumber: 'K-1' });
      expect(await journal.find('https://real.example', key)).toBeUndefined();
      expect((await journal.open('https://real.example', key)).state).toBe('pending');
      expect(await journal.find('embedded', key)).toMatchObject({ state: 'imported' });
      expect(await journal.overview('https://real.example')).toMatchObject([{ accounts: { imported: 0 } }]);
    });

    it('tells accounts apart whatever their numbers look like', async () => {
      const journal = await open();
      const numbers = [
        'a/b',
        'a b',
        'a%2Fb',
        'A',
        'a',
        'ä',
        'a\u0308',
        '0012',
        '12',
        '口座',
        "o'x",
        '\0',
        'a\0',
      ];
      const ids = new Set<number>();
      for (const account of numbers) ids.add((await journal.open('p', { supplier: 'S', account })).id);
      expect(ids.size).toBe(numbers.length);
      for (const account of numbers)
        expect((await journal.find('p', { supplier: 'S', account }))?.key.account).toBe(account);
      expect((await collect(journal.accounts('p', 'S'))).length).toBe(numbers.length);
      for (const [at, id] of [...ids].entries()) {
        await journal.change(id, { state: 'completed', krakenAccountNumber: `K-${at}`, planHash: 'h' });
        const rows = { print: `r-${at}`, mapping: 'm', ignoredRows: 0, planHash: 'h' };
        await journal.noteRows([{ accountId: id, rows }]);
      }
      const asked = numbers.map((account, at) => ({ account, print: `r-${at}`, mapping: 'm' }));
      const found = await journal.recognise('p', '/export', asked);
      expect(found.map((one) => one.is === 'unchanged' && one.id)).toEqual([...ids]);
    });

    it('changes what a change names, leaves the rest and empties what is null', async () => {
      const journal = await open();
      const { id } = await journal.open('p', key);
      await journal.change(id, {
        state: 'staged',
        stagedHash: 'h1',
        planHash: 'h2',
        steps: { stage: 'done' },
      });
      await journal.change(id, { krakenAccountNumber: 'K-1', steps: { notes: 'pending' } });
      await journal.change(id, { stagedHash: null, code: 'invalid_phone_number' });
      const account = await (await open()).find('p', key);
      expect(account).toMatchObject({
        state: 'staged',
        code: 'invalid_phone_number',
        krakenAccountNumber: 'K-1',
        planHash: 'h2',
        steps: { validate: 'none', stage: 'done', notes: 'pending' },
      });
      expect(account).toMatchObject({ stagedHash: undefined });
    });

    it('replaces the known problems of an account', async () => {
      const journal = await open();
      const { id } = await journal.open('p', key);
      const cell = { file: 'customers.csv', line: 7, column: 'landline' };
      const first = {
        step: 'validate',
        code: 'invalid_phone_number',
        path: 'customers.0.landline',
        cell,
      } as const;
      const second = { code: 'duplicate_account', path: '', isWarning: true } as const;
      await journal.setProblems(id, [first, second]);
      expect(await collect(journal.problems(id))).toEqual([first, second]);
      await journal.setProblems(id, [second]);
      expect(await collect(journal.problems(id))).toEqual([second]);
      expect(await collect(journal.accounts('p', key.supplier))).toMatchObject([{ hasProblems: true }]);
      await journal.setProblems(id, []);
      expect(await collect(journal.problems(id))).toEqual([]);
      expect((await journal.find('p', key))?.hasProblems).toBeUndefined();
    });

    it('tells which accounts got into trouble last and still are in it, however many did before', async () => {
      const journal = await open();
      const other = await journal.open('p', { supplier: 'OTHER', account: 'A-1' });
      await journal.change(other.id, { state: 'failed', code: 'http_500' });
      const numbers = Array.from({ length: 130 }, (_, at) => `A-${at}`);
      const accounts = await Promise.all(numbers.map((account) => journal.open('p', { ...key, account })));
      for (const { id } of accounts) await journal.change(id, { state: 'failed', code: 'timeout' });
      const [first, second] = accounts;
      await journal.change(accounts[129]?.id ?? 0, { state: 'completed' });
      await journal.change(first?.id ?? 0, { state: 'rejected', code: 'invalid_email' });
      await journal.change(second?.id ?? 0, { planHash: 'p' });
      const last = await journal.lastTroubles('p', key.supplier);
      expect(last).toHaveLength(20);
      expect(last.slice(0, 2)).toEqual([
        { account: 'A-0', state: 'rejected', code: 'invalid_email' },
        { account: 'A-128', state: 'failed', code: 'timeout' },
      ]);
      expect(await journal.lastTroubles('p', 'NOBODY')).toEqual([]);
    });

    it('counts accounts and steps by state', async () => {
      const journal = await open();
      const ids = [];
      for (const account of ['1', '2', '3'])
        ids.push((await journal.open('p', { supplier: 'S', account })).id);
      await journal.change(ids[0]!, { state: 'staged', steps: { stage: 'done', notes: 'pending' } });
      await journal.change(ids[1]!, { state: 'rejected', steps: { stage: 'refused', process: 'uncertain' } });
      await journal.change(ids[2]!, { steps: { stage: 'pending' } });
      await journal.change(ids[2]!, { state: 'failed', steps: { stage: 'failed' } });
      const [overview, ...others] = await (await open()).overview();
      expect(others).toEqual([]);
      expect(overview).toMatchObject({ platform: 'p', supplier: 'S' });
      expect(overview?.accounts).toEqual({ ...zeroCounts(), staged: 1, rejected: 1, failed: 1 });
      expect(overview?.steps.stage).toEqual({ done: 1, failed: 2, uncertain: 0, pending: 0 });
      expect(overview?.steps.process).toEqual({ done: 0, failed: 0, uncertain: 1, pending: 0 });
      expect(overview?.steps.notes).toEqual({ done: 0, failed: 0, uncertain: 0, pending: 1 });
    });

    it('streams the accounts of one supplier in the order of their numbers, while others are written', async () => {
      const journal = await open();
      const numbers = Array.from({ length: 450 }, (_, i) => String((i * 7919) % 1000).padStart(4, '0'));
      await Promise.all(numbers.map((account) => journal.open('p', { supplier: 'S', account })));
      await journal.open('p', { supplier: 'OTHER', account: '0001' });
      const seen: string[] = [];
      for await (const { id, key: found } of journal.accounts('p', 'S')) {
        seen.push(found.account);
        await journal.change(id, { state: seen.length % 100 === 0 ? 'failed' : 'staged' });
      }
      expect(seen).toEqual(numbers.toSorted());
      const failed = await collect(journal.accounts('p', 'S', ['failed', 'uncertain']));
      expect(failed.map(({ state }) => state)).toEqual(['failed', 'failed', 'failed', 'failed']);
      expect(await collect(journal.accounts('p', 'UNKNOWN'))).toEqual([]);
    });
  });
}
