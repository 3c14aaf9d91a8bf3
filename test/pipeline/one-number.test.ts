import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PartEntry } from '../../src/journal/journal.ts';
import { openJournal } from '../../src/journal/sqlite/open-journal.ts';
import { ok, planOf, refused, Harness, supplier } from './harness.ts';

let harness: Harness;
beforeEach(() => void (harness = new Harness()));
afterEach(() => harness.dispose());

const platform = 'https://platform.example';
const processed = (number: string) => ok({ kraken_account_number: number });
const completed = (number: string) => ok({ status: 'COMPLETED', krakenAccountNumber: number }, 200);
const notes = { notes: [{ notes: [{ body: 'one' }] }] };

/** Where the journal has each account: its state, its number, its code. */
async function standing(...accounts: string[]): Promise<string[]> {
  const journal = openJournal(harness.journalFile, { synchronous: 'NORMAL', create: false });
  try {
    const told = [];
    for (const account of accounts) {
      const entry = await journal.find(platform, { supplier, account });
      const { state, krakenAccountNumber = '-', code = '', steps } = entry ?? {};
      told.push(`${state} ${krakenAccountNumber} ${steps?.process} ${code}`.trim());
    }
    return told;
  } finally {
    await journal.close();
  }
}

/** What was sent to create an account. */
async function attempts(account: string): Promise<PartEntry[]> {
  const journal = openJournal(harness.journalFile, { synchronous: 'NORMAL', create: false });
  const { id = 0 } = (await journal.find(platform, { supplier, account })) ?? {};
  const found: PartEntry[] = [];
  for await (const attempt of journal.attempts(id)) if (attempt.step === 'process') found.push(attempt);
  await journal.close();
  return found;
}

/** The journal has one number for both accounts. */
async function share(): Promise<void> {
  const journal = openJournal(harness.journalFile, { synchronous: 'NORMAL', create: false });
  const second = await journal.find(platform, { supplier, account: '2' });
  await journal.change(second?.id ?? 0, { krakenAccountNumber: 'A-1' });
  await journal.close();
}

type AnyStatus = ReturnType<typeof ok>;
const unknown = ok({ status: 'UNKNOWN' }, 200);
const fine = 'completed A-1 done';
const contested = 'uncertain A-1 uncertain number_of_another_account';

describe('two accounts that are told one platform number', () => {
  it('end well, each with its own, where only the answer was the wrong one', async () => {
    harness.platform.answers('process', processed('A-1'), processed('A-1'));
    harness.platform.statuses.set('1', completed('A-1')).set('2', completed('A-2'));
    expect(await harness.run([planOf('1'), planOf('2', notes)])).toMatchObject({
      exit: 0,
      accounts: { completed: 2, uncertain: 0 },
    });
    expect(await standing('1', '2')).toEqual(['completed A-1 done', 'completed A-2 done']);
    expect(harness.platform.askedFreshly).toEqual(['2']);
    expect(harness.platform.times('process')).toBe(2);
  });

  it('end well where it was the first that was told the number of the second', async () => {
    harness.platform.answers('process', processed('A-2'), processed('A-2'));
    harness.platform.statuses.set('1', completed('A-1')).set('2', completed('A-2'));
    const result = await harness.run([planOf('1'), planOf('2')]);
    expect(result).toMatchObject({ exit: 0, accounts: { completed: 2 } });
    expect(await standing('1', '2')).toEqual(['completed A-1 done', 'completed A-2 done']);
    expect(harness.platform.askedFreshly).toEqual(['2', '1']);
    expect(harness.platform.times('process')).toBe(2);
    expect(await attempts('2')).toContainEqual(
      expect.objectContaining({
        ...{ state: 'sent', outcome: 'unknown', status: 201 },
        ...{ code: 'number_of_another_account' },
      }),
    );
    expect(harness.events).toContainEqual(
      expect.objectContaining({ type: 'restated', account: '1', krakenAccountNumber: 'A-1' }),
    );
  });

  it('end well where both are in flight at once, whoever was told wrongly', async () => {
    harness.platform.answers(
      'process',
      processed('A-2'),
      processed('A-2'),
      processed('A-3'),
      processed('A-3'),
    );
    for (const account of ['1', '2', '3', '4'])
      harness.platform.statuses.set(account, completed(`A-${account}`));
    const plans = ['1', '2', '3', '4'].map((account) => planOf(account, notes));
    expect(await harness.run(plans, { concurrency: 4 })).toMatchObject({
      exit: 0,
      accounts: { completed: 4 },
    });
    const ended = await standing('1', '2', '3', '4');
    expect(ended).toEqual([1, 2, 3, 4].map((number) => `completed A-${number} done`));
  });

  it('end well where every answer on a connection was that to the request before it', async () => {
    const accounts = Array.from({ length: 8 }, (_, index) => String(index + 1));
    harness.platform.answers(
      'process',
      ...['1', '1', '2', '3', '4', '5', '6', '7'].map((n) => processed(`A-${n}`)),
    );
    for (const account of accounts) harness.platform.statuses.set(account, completed(`A-${account}`));
    const plans = accounts.map((account) => planOf(account));
    expect(await harness.run(plans, { concurrency: 3 })).toMatchObject({
      exit: 0,
      accounts: { completed: 8 },
    });
    expect(await standing(...accounts)).toEqual(accounts.map((account) => `completed A-${account} done`));
  });

  it('creates the second after all where the platform had not', async () => {
    harness.platform.answers('process', processed('A-1'), processed('A-1'), processed('A-2'));
    const absent = ok({ status: 'UNKNOWN' }, 200);
    harness.platform.statuses.set('1', completed('A-1'));
    harness.platform.answers('transferStatus', absent, absent);
    expect(await harness.run([planOf('1'), planOf('2')])).toMatchObject({
      exit: 0,
      accounts: { completed: 2 },
    });
    expect(await standing('1', '2')).toEqual(['completed A-1 done', 'completed A-2 done']);
    expect(harness.platform.times('process')).toBe(3);
  });

  it('are settled by the list of imported accounts where their statuses do not differ', async () => {
    harness.platform.answers('process', processed('A-1'), processed('A-1'));
    harness.platform.statuses.set('1', completed('A-1')).set('2', completed('A-1'));
    harness.platform.listed = [
      { external_account_number: '1', kraken_account_number: 'A-1' },
      { external_account_number: '2', kraken_account_number: 'A-2' },
      { external_account_number: '3' },
    ];
    expect(await harness.run([planOf('1'), planOf('2')])).toMatchObject({
      exit: 0,
      accounts: { completed: 2 },
    });
    expect(await standing('1', '2')).toEqual(['completed A-1 done', 'completed A-2 done']);
    expect(harness.platform.listsAsked).toEqual([`importedProcesses ${supplier}`]);
  });

  it('are settled by the list too where the answers about both were exchanged', async () => {
    harness.platform.answers('process', processed('A-1'), processed('A-1'));
    harness.platform.listed = [{ external_account_number: '1', kraken_account_number: 'A-1' }];
    harness.platform.statuses.set('2', completed('A-1'));
    expect(await harness.run([planOf('1'), planOf('2')])).toMatchObject({ exit: 8 });
    expect(await standing('1', '2')).toEqual([
      'completed A-1 done',
      'uncertain A-1 uncertain number_of_another_account',
    ]);
  });

  it('are both uncertain where the list has them under one number too, and stay so', async () => {
    harness.platform.answers('process', processed('A-1'), processed('A-1'));
    harness.platform.statuses.set('1', completed('A-1')).set('2', completed('A-1'));
    harness.platform.listed = ['1', '2'].map((account) => ({
      external_account_number: account,
      kraken_account_number: 'A-1',
    }));
    const plans = [planOf('1', notes), planOf('2', notes)];
    expect(await harness.run(plans)).toMatchObject({ exit: 8, accounts: { completed: 0, uncertain: 2 } });
    expect(await standing('1', '2')).toEqual([contested, contested]);
    expect(await harness.run(plans)).toMatchObject({ exit: 8, requests: 0, accounts: { uncertain: 2 } });
    expect(harness.events.filter((event) => 'krakenAccountNumber' in event)).toEqual([]);
  });

  it.each([2, 3])(
    'are all uncertain in one run, also while others are in flight (%s)',
    async (concurrency) => {
      harness.platform.answers('process', processed('A-1'), processed('A-1'));
      harness.platform.statuses.set('1', completed('A-1')).set('2', completed('A-1'));
      harness.platform.listed = ['1', '2'].map((account) => ({
        external_account_number: account,
        kraken_account_number: 'A-1',
      }));
      const plans = [planOf('1', notes), planOf('2', notes)];
      expect(await harness.run(plans, { concurrency })).toMatchObject({
        exit: 8,
        accounts: { uncertain: 2 },
      });
      expect(await standing('1', '2')).toEqual([contested, contested]);
    },
  );

  it('are found across the suppliers of a platform', async () => {
    harness.platform.answers('process', processed('A-1'), processed('A-1'));
    harness.platform.statuses.set('1', completed('A-1')).set('2', completed('A-2'));
    const elsewhere = { ...planOf('2'), key: { supplier: 'OTHER', account: '2' } };
    expect(await harness.run([planOf('1'), elsewhere])).toMatchObject({
      exit: 0,
      accounts: { completed: 2 },
    });
    expect(harness.platform.askedFreshly).toEqual(['2']);
  });

  it('are found across runs', async () => {
    harness.platform.answers('process', processed('A-2'), processed('A-2'));
    expect(await harness.run([planOf('1')])).toMatchObject({ exit: 0 });
    harness.platform.statuses.set('1', completed('A-1')).set('2', completed('A-2'));
    expect(await harness.run([planOf('2'), planOf('1')])).toMatchObject({
      exit: 0,
      accounts: { completed: 2 },
    });
    expect(await standing('1', '2')).toEqual(['completed A-1 done', 'completed A-2 done']);
  });

  it('are found in a journal that called both fine, though nothing else is to be done', async () => {
    expect(await harness.run([planOf('1'), planOf('2')])).toMatchObject({ exit: 0 });
    await share();
    harness.platform.gone = { kind: 'unknown', cause: 'connection_reset' };
    const silent = await harness.run([planOf('1'), planOf('2')]);
    expect(silent).toMatchObject({ exit: 5, doubled: 2 });
    harness.platform.gone = undefined;
    harness.platform.statuses.set('1', completed('A-1')).set('2', completed('A-2'));
    expect(await harness.run([planOf('1'), planOf('2')])).toMatchObject({
      exit: 0,
      accounts: { completed: 2 },
    });
    expect(await standing('1', '2')).toEqual(['completed A-1 done', 'completed A-2 done']);
    expect(harness.platform.times('process')).toBe(2);
  });

  it.each<[string, AnyStatus, AnyStatus, string[]]>([
    [
      'has a number of its own',
      completed('A-5'),
      completed('A-1'),
      ['completed A-5 done', 'completed A-1 done'],
    ],
    ['is not known to the platform', unknown, unknown, [contested, contested]],
    ['has it as the other one has', completed('A-1'), completed('A-1'), [contested, contested]],
    ['cannot be asked about', refused('forbidden'), refused('forbidden'), [fine, fine]],
    ['has another that cannot be asked about', completed('A-1'), refused('forbidden'), [fine, fine]],
  ])(
    'are found in a journal that called both fine, of which the first %s',
    async (_what, first, second, ended) => {
      await harness.run([planOf('1'), planOf('2')]);
      await share();
      harness.platform.statuses.set('1', first).set('2', second);
      harness.platform.listed = ['1', '2'].map((account) => ({
        external_account_number: account,
        kraken_account_number: 'A-1',
      }));
      await harness.run([planOf('1'), planOf('2')]);
      expect(await standing('1', '2')).toEqual(ended);
      expect(harness.platform.times('process')).toBe(2);
    },
  );

  it('are asked about no longer than another answer may come, where a proxy denies them', async () => {
    await harness.run([planOf('1'), planOf('2')]);
    await share();
    const wordless = { problems: [], code: 'http_404', detail: '', wouldImport: false };
    harness.platform.statuses.set('1', { kind: 'not-found', status: 404, refusal: wordless });
    harness.platform.statuses.set('2', completed('A-1'));
    await harness.run([planOf('1')]);
    expect(await standing('1')).toEqual([contested]);
    expect(harness.platform.askedFreshly).toEqual(['1', '1']);
  });

  it('goes on with the first, where the other one has a number of its own', async () => {
    await harness.run([planOf('1'), planOf('2')]);
    await share();
    harness.platform.statuses.set('1', completed('A-1')).set('2', completed('A-2'));
    expect(await harness.run([planOf('1', notes)])).toMatchObject({ exit: 0, accounts: { completed: 1 } });
    expect(harness.platform.times('notes')).toBe(1);
    expect(await standing('1', '2')).toEqual(['completed A-1 done', 'completed A-2 done']);
  });

  it('are left to the next run where this one is stopped before it has asked about both', async () => {
    harness.platform.answers('process', processed('A-1'), processed('A-1'));
    harness.platform.statuses.set('1', completed('A-1')).set('2', completed('A-1'));
    harness.platform.onRequest = (endpoint) => {
      if (endpoint === 'transferStatus') harness.stop.stop('interrupt');
    };
    await harness.run([planOf('1'), planOf('2')]);
    expect(await standing('1', '2')).toEqual([fine, 'staged - pending']);
  });

  it.each([
    ['created', () => harness.platform.answers('process', processed('A-1'), processed('A-1'))],
    [
      'found there',
      () =>
        harness.platform
          .answers('process', processed('A-1'))
          .answers(
            'stage',
            ok({}),
            refused('account_import_process_already_imported', '', { krakenAccountNumber: 'A-1' }),
          ),
    ],
  ])(
    'are left to the next run where this one is stopped while the second, %s, is settled',
    async (_, answer) => {
      answer();
      harness.platform.statuses.set('1', completed('A-1')).set('2', completed('A-1'));
      harness.platform.onRequest = () => {
        if (harness.platform.askedFreshly.includes('1')) harness.stop.stop('interrupt');
      };
      const result = await harness.run([planOf('1'), planOf('2')], { adopt: true });
      expect(result).toMatchObject({ exit: 6, accounts: { completed: 1 } });
      expect((await standing('1', '2'))[1]).toMatch(/^(staged|pending) - pending$/);
    },
  );

  it('are uncertain, the first too, where the second asks before the journal has said whose it is', async () => {
    harness.platform.answers('process', processed('A-1'), processed('A-1'));
    harness.platform.statuses.set('1', completed('A-1')).set('2', completed('A-1'));
    harness.platform.listed = ['1', '2'].map((account) => ({
      external_account_number: account,
      kraken_account_number: 'A-1',
    }));
    let secondEnds = (): void => undefined;
    const second = new Promise<void>((resolve) => (secondEnds = resolve));
    harness.journalOf = (journal) => {
      let asked = 0;
      const holders = journal.holders.bind(journal);
      const change = journal.change.bind(journal);
      return Object.assign(journal, {
        holders: async (...of: Parameters<typeof holders>) => {
          const answer = await holders(...of);
          if ((asked += 1) === 1) await second;
          return answer;
        },
        change: async (...what: Parameters<typeof change>) => {
          await change(...what);
          if (what[1].state === 'uncertain') secondEnds();
        },
      });
    };
    const plans = [planOf('1', notes), planOf('2')];
    expect(await harness.run(plans, { concurrency: 2 })).toMatchObject({
      exit: 8,
      accounts: { uncertain: 2 },
    });
    harness.journalOf = (journal) => journal;
    expect(await standing('1', '2')).toEqual([contested, contested]);
    expect(await attempts('1')).toMatchObject([
      { state: 'done', attempt: 1 },
      { state: 'uncertain', attempt: 1, code: 'number_of_another_account' },
    ]);
    expect(harness.platform.times('notes')).toBe(0);
  });

  it('are settled by the next run where this one is killed before', async () => {
    harness.platform.answers('process', processed('A-1'), processed('A-1'));
    await harness.runKilledAfter('settle process 0 sent', [planOf('1'), planOf('2')]);
    harness.platform.statuses.set('1', completed('A-1')).set('2', completed('A-2'));
    expect(await harness.run([planOf('1'), planOf('2')])).toMatchObject({
      exit: 0,
      accounts: { completed: 2 },
    });
    expect(await standing('1', '2')).toEqual(['completed A-1 done', 'completed A-2 done']);
    expect(harness.platform.times('process')).toBe(2);
  });

  it('are not adopted under one number either', async () => {
    const exists = refused('account_import_process_already_imported', '', { krakenAccountNumber: 'A-1' });
    harness.platform.answers('process', processed('A-1')).answers('stage', ok({}), exists);
    harness.platform.statuses.set('1', completed('A-1')).set('2', completed('A-2'));
    expect(await harness.run([planOf('1'), planOf('2')], { adopt: true })).toMatchObject({
      accounts: { completed: 2 },
    });
    expect(await standing('1', '2')).toEqual(['completed A-1 done', 'completed A-2 done']);
  });

  it('wait for the next run where the platform cannot be asked', async () => {
    harness.platform.answers('process', processed('A-1'), processed('A-1'));
    harness.platform.statuses.set('2', ok({ status: 'COMPLETED', krakenAccountNumber: 'A-1' }, 200));
    harness.platform.statuses.set('1', refused('forbidden'));
    expect(await harness.run([planOf('1'), planOf('2')])).toMatchObject({
      exit: 3,
      accounts: { completed: 1, failed: 1 },
    });
    harness.platform.statuses.set('1', completed('A-1')).set('2', completed('A-2'));
    expect(await harness.run([planOf('1'), planOf('2')])).toMatchObject({
      exit: 0,
      accounts: { completed: 2 },
    });
  });
});

describe('an account that the platform has already, right after this run staged it', () => {
  const exists = refused('account_import_process_already_imported', '', { krakenAccountNumber: 'A-5' });

  it('is uncertain: somebody else has processed it', async () => {
    harness.platform.answers('process', exists);
    expect(await harness.run([planOf('1', notes)])).toMatchObject({ exit: 8, accounts: { uncertain: 1 } });
    expect(await standing('1')).toEqual(['uncertain - uncertain created_meanwhile']);
    expect(harness.platform.times('notes')).toBe(0);
    expect(await harness.run([planOf('1', notes)])).toMatchObject({ exit: 8, requests: 0 });
  });

  it('is left alone once it is out of the export, and stays in the book', async () => {
    harness.platform.answers('process', exists, processed('A-2'));
    await harness.run([planOf('1', notes), planOf('2')]);
    const asked = harness.platform.times('process');
    expect(await harness.run([planOf('2')])).toMatchObject({ exit: 0 });
    expect(await standing('1')).toEqual(['uncertain - uncertain created_meanwhile']);
    expect(harness.platform.times('process')).toBe(asked);
  });

  it('is adopted where that is asked for', async () => {
    harness.platform.answers('process', exists);
    expect(await harness.run([planOf('1', notes)], { adopt: true })).toMatchObject({
      exit: 0,
      accounts: { completed: 1 },
    });
    expect(await standing('1')).toEqual(['completed A-5 done']);
  });

  it('is uncertain where an earlier run staged it: what can be staged is not there yet', async () => {
    await harness.run([planOf('1')], { steps: new Set(['validate', 'stage']) });
    harness.platform.answers('process', exists);
    expect(await harness.run([planOf('1')])).toMatchObject({ exit: 8, accounts: { uncertain: 1 } });
    expect(await standing('1')).toEqual(['uncertain - uncertain created_unrecorded']);
  });

  it('ends the run when there are five of them', async () => {
    harness.platform.answers('process', ...Array.from({ length: 9 }, () => exists));
    const plans = Array.from({ length: 9 }, (_, index) => planOf(String(index)));
    expect(await harness.run(plans)).toMatchObject({
      exit: 8,
      stop: { reason: 'doubled_requests', detail: 'accounts: 5' },
      accounts: { uncertain: 5, pending: 4 },
    });
  });
});
