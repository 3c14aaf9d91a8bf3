import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openJournal } from '../../src/journal/sqlite/open-journal.ts';
import { rule } from '../../src/pipeline/account/rulings.ts';
import { lost, ok, planOf, refused, Harness, supplier } from './harness.ts';

let harness: Harness;
beforeEach(() => void (harness = new Harness()));
afterEach(() => harness.dispose());

const platform = 'https://platform.example';
const created = new Set(['validate', 'stage', 'process'] as const);

const note = (body: string) => ({ notes: [{ notes: [{ body }] }] });
const withoutBody = { document_paths: [{ document_path: '/a.pdf' }] };
const bodyless = { notes: [{ notes: [withoutBody] }] };
const agreement = { agreements: [{ agreement: { tariff_code: 'A' } }] };
const payment = { 'payment-instruction': [{ vendor: 'V', reference: 'r', type: 'CARD' }] };
const charge = (...ids: string[]) => ({
  transactions: [
    {
      transactions: ids.map((transaction_id) => ({
        transaction_id,
        transaction_date: '2024-01-01',
        amount: '1.00',
        type: 'CHARGE',
      })),
    },
  ],
});
const statement = {
  statements: [
    {
      statements: [
        { statement_id: 's', bill_period_from_date: '2024-01-01', bill_period_to_date: '2024-02-01' },
      ],
    },
  ],
};
const ledger = {
  'billing-documents': [
    {
      ledger_code: 'ELECTRICITY',
      billing_document_type: 'ITEM_BASED',
      historical_billing_documents: [
        { billing_document_identifier: 'b', billing_document_type: 'ITEM_BASED', issued_date: '2024-01-01' },
      ],
    },
  ],
};
const noteThere = (body: string) => ok([{ body, status: 'NOTE_ALREADY_EXISTS' }]);
const chargeThere = (...ids: string[]) =>
  ok({
    results: ids.map((transaction_id) => ({
      status: 'TRANSACTION_ALREADY_EXISTS',
      transaction_data: { transaction_id },
    })),
  });
const imported = refused('account_import_process_already_imported', '', { krakenAccountNumber: 'A-9' });

async function inJournal<T>(work: (journal: ReturnType<typeof openJournal>) => Promise<T>): Promise<T> {
  const journal = openJournal(harness.journalFile, { synchronous: 'NORMAL', create: false });
  try {
    return await work(journal);
  } finally {
    await journal.close();
  }
}

const entryOf = (account: string) => inJournal((journal) => journal.find(platform, { supplier, account }));
const asked = (from = 0) => harness.platform.asked.slice(from).map(({ endpoint }) => endpoint);
const warnings = () =>
  harness.events.flatMap((event) =>
    event.type === 'problem' ? [`${event.problem.code} ${event.problem.path}`] : [],
  );
const numbered = (count: number) => Array.from({ length: count }, (_, index) => String(index + 1));

describe('an account of which the platform has what the journal calls never sent', () => {
  it.each([
    ['a note', note('a'), () => harness.platform.answers('notes', noteThere('a'))],
    ['a transaction', charge('t'), () => harness.platform.answers('transactions', chargeThere('t'))],
    [
      'a statement',
      statement,
      () => harness.platform.answers('statements', refused('historical_statement_already_exists')),
    ],
    [
      "a ledger's documents",
      ledger,
      () => harness.platform.answers('billingDocuments', refused('ledger_has_finalized_billing_document')),
    ],
  ])('has nothing sent that cannot be repeated, once %s shows that', async (_what, extras, answers) => {
    answers();
    const plan = planOf('1', { ...extras, ...agreement, ...payment });
    expect(await harness.run([plan])).toMatchObject({ exit: 8, accounts: { uncertain: 1 } });
    expect(harness.platform.times('agreements')).toBe(0);
    expect(harness.platform.times('paymentInstruction')).toBe(0);
    expect((await entryOf('1'))?.steps).toMatchObject({
      agreements: 'uncertain',
      'payment-instruction': 'uncertain',
    });
    expect(await harness.run([plan])).toMatchObject({ exit: 8, requests: 0 });
  });

  it('sends what a person wants sent, and completes', async () => {
    harness.platform.answers('notes', noteThere('a'));
    const plan = planOf('1', { ...note('a'), ...agreement, ...payment });
    await harness.run([plan]);
    expect(warnings()).toEqual(['already_there notes.0']);
    await inJournal(async (journal) => {
      const at = harness.clock.now();
      const open = () => journal.open(platform, { supplier, account: '1' });
      expect(await rule(journal, await open(), 'agreements', { as: 'repeat' }, { at })).toBeUndefined();
      expect(
        await rule(journal, await open(), 'payment-instruction', { as: 'done' }, { at }),
      ).toBeUndefined();
    });
    expect(await harness.run([plan])).toMatchObject({ exit: 0, accounts: { completed: 1 } });
    expect(harness.platform.times('agreements')).toBe(1);
    expect(harness.platform.times('paymentInstruction')).toBe(0);
  });

  it('is held back in the journal before the answer is, whenever the run is killed', async () => {
    harness.platform.answers('notes', noteThere('a'));
    const plan = planOf('1', { ...note('a'), ...agreement });
    await harness.runKilledAfter('settle notes 0 done', [plan]);
    expect(await harness.run([plan])).toMatchObject({ exit: 8, accounts: { uncertain: 1 } });
    expect(harness.platform.times('agreements')).toBe(0);
  });

  it('is uncertain too if the run is interrupted at that moment', async () => {
    harness.platform.answers('notes', noteThere('a'));
    harness.platform.onRequest = (endpoint) => {
      if (endpoint === 'notes') harness.stop.stop('interrupt');
    };
    const plan = planOf('1', { ...note('a'), ...charge('t'), ...agreement });
    expect(await harness.run([plan])).toMatchObject({ accounts: { uncertain: 1 } });
    harness.platform.onRequest = () => undefined;
    expect(await harness.run([plan])).toMatchObject({ exit: 8, requests: 1, accounts: { uncertain: 1 } });
    expect(asked().at(-1)).toBe('transactions');
  });

  it('sends notes without a body after what bears witness', async () => {
    harness.platform.answers('transactions', chargeThere('t'));
    expect(await harness.run([planOf('1', { ...bodyless, ...charge('t') })])).toMatchObject({
      accounts: { uncertain: 1 },
    });
    expect(asked(3)).toEqual(['transactions']);
  });
});

it('of several steps, all that bears witness is sent before what cannot be repeated', async () => {
  const plain = { ...ledger['billing-documents'][0], ledger_code: 'GAS', historical_billing_documents: [] };
  const plan = planOf('1', {
    notes: [{ notes: [{ document_paths: [{ document_path: '/a.pdf' }] }, { body: 'a' }] }],
    'billing-documents': [plain, ...ledger['billing-documents']],
  });
  const refusal = refused('ledger_has_finalized_billing_document');
  harness.platform.answers('billingDocuments', refusal);
  expect(await harness.run([plan])).toMatchObject({ exit: 8, accounts: { uncertain: 1 } });
  expect(harness.platform.bodies('notes')).toMatchObject([{ notes: [{ body: 'a' }] }]);
  expect(harness.platform.times('billingDocuments')).toBe(1);
  const { events } = harness;
  expect(events.filter(({ type }) => type === 'account').at(-1)).toMatchObject({
    state: 'uncertain',
    code: 'journal_contradicted',
  });
});

describe('an account that an earlier run left half-way, with nothing to be sent that bears witness,', () => {
  const plan = planOf('1', { ...note('a'), ...agreement });
  const listed = (account: string, createdAt: number) => ({
    external_account_number: account,
    kraken_account_number: `A-${account}`,
    account_created_at: new Date(createdAt).toISOString(),
  });

  beforeEach(async () => {
    await harness.run([plan], { steps: new Set(['validate', 'stage', 'process', 'notes'] as const) });
    harness.clock.pass(60_000);
  });

  it('is held back if the platform has created accounts since, that the journal does not know', async () => {
    harness.platform.listed = [
      listed('1', harness.clock.now() - 60_000),
      listed('2', harness.clock.now() - 30_000),
    ];
    expect(await harness.run([plan])).toMatchObject({ exit: 8, accounts: { uncertain: 1 } });
    expect(harness.platform.times('agreements')).toBe(0);
  });

  it('is held back if that was within the second in which this run began', async () => {
    harness.platform.listed = [listed('2', harness.clock.now())];
    expect(await harness.run([plan])).toMatchObject({ exit: 8, accounts: { uncertain: 1 } });
    expect(harness.platform.times('agreements')).toBe(0);
  });

  it('is held back if this run met such an account before, and has a record of it since', async () => {
    const other = planOf('2', agreement);
    harness.platform.answers('stage', imported);
    harness.platform.listed = [listed('2', harness.clock.now() - 30_000)];
    expect(await harness.run([other, plan])).toMatchObject({ exit: 8, accounts: { uncertain: 2 } });
    expect(harness.platform.times('agreements')).toBe(0);
  });

  it('is held back then also where a person wants it repeated, until that is ruled again', async () => {
    harness.platform.answers('agreements', lost());
    expect(await harness.run([plan])).toMatchObject({ exit: 8 });
    const repeat = () =>
      inJournal(async (journal) => {
        const open = await journal.open(platform, { supplier, account: '1' });
        const at = harness.clock.now();
        expect(await rule(journal, open, 'agreements', { as: 'repeat' }, { at })).toBeUndefined();
      });
    await repeat();
    harness.clock.pass(60_000);
    harness.platform.listed = [listed('2', harness.clock.now() - 30_000)];
    const before = harness.platform.times('agreements');
    expect(await harness.run([plan])).toMatchObject({ exit: 8, accounts: { uncertain: 1 } });
    expect(harness.platform.times('agreements')).toBe(before);
    await repeat();
    expect(await harness.run([plan])).toMatchObject({ exit: 0, accounts: { completed: 1 } });
    expect(harness.platform.times('agreements')).toBe(before + 1);
  });

  describe('while a person has ruled that such an account was created,', () => {
    const other = planOf('2', agreement);

    beforeEach(async () => {
      harness.platform.answers('stage', imported);
      harness.platform.listed = [listed('2', harness.clock.now() - 30_000)];
      expect(await harness.run([other])).toMatchObject({ exit: 8, accounts: { uncertain: 1 } });
      await inJournal(async (journal) => {
        const open = await journal.open(platform, { supplier, account: '2' });
        const ruling = { as: 'done', krakenAccountNumber: 'A-2' } as const;
        expect(await rule(journal, open, 'process', ruling, { at: harness.clock.now() })).toBeUndefined();
      });
      harness.clock.pass(60_000);
    });

    it('is held back all the same: the journal did not know it when the account was left', async () => {
      expect(await harness.run([plan])).toMatchObject({ exit: 8, accounts: { uncertain: 1 } });
      expect(harness.platform.times('agreements')).toBe(0);
    });

    it('is completed if it was left after that', async () => {
      const later = planOf('3', { ...note('a'), ...agreement });
      await harness.run([later], { steps: new Set(['validate', 'stage', 'process', 'notes'] as const) });
      expect(await harness.run([later])).toMatchObject({ exit: 0, accounts: { completed: 1 } });
    });
  });

  it('is completed if an earlier run met that account, and found it older than the journal', async () => {
    const other = planOf('2', agreement);
    harness.platform.answers('stage', imported);
    harness.platform.listed = [
      { ...listed('2', harness.clock.now() - 30_000), account_created_at: '2001-01-01T00:00:00Z' },
    ];
    await harness.run([other]);
    harness.platform.listed = [listed('2', harness.clock.now())];
    expect(await harness.run([other, plan])).toMatchObject({ accounts: { completed: 1, skipped: 1 } });
  });

  it('is completed if it has not, or if its list cannot be read', async () => {
    harness.platform.listed = [
      listed('1', harness.clock.now() - 60_000),
      listed('2', harness.clock.now() - 90_000),
    ];
    expect(await harness.run([plan])).toMatchObject({ exit: 0, accounts: { completed: 1 } });
  });
});

describe('an account that an earlier run left half-way, while the platform has created accounts that the journal does not know,', () => {
  const plan = (extras = {}) => planOf('1', { ...note('a'), ...extras, ...agreement });

  beforeEach(async () => {
    await harness.run([plan()], { steps: created });
    harness.clock.pass(60_000);
    const createdAt = new Date(harness.clock.now() - 30_000).toISOString();
    harness.platform.listed = [
      { external_account_number: '2', kraken_account_number: 'A-2', account_created_at: createdAt },
    ];
  });

  it.each([
    ['the platform refuses', [refused('invalid', 'notes.0.body')]],
    ['an earlier attempt explains', [lost(), noteThere('a')]],
    ['the platform answers with a success that names nothing', [ok(undefined)]],
  ])('is held back if it has no witness but one that %s', async (_what, answers) => {
    harness.platform.answers('notes', ...answers);
    expect(await harness.run([plan(payment)])).toMatchObject({ exit: 8 });
    expect(asked(3)).toEqual(answers.map(() => 'notes'));
    expect((await entryOf('1'))?.steps).toMatchObject({
      agreements: 'uncertain',
      'payment-instruction': 'uncertain',
    });
    expect(await harness.run([plan(payment)])).toMatchObject({ exit: 8, requests: 0 });
  });

  it('has no note without a body sent after one that the platform refuses', async () => {
    harness.platform.answers('notes', refused('invalid', 'notes.0.body'));
    const both = { notes: [{ notes: [{ body: 'a' }, withoutBody] }] };
    expect(await harness.run([planOf('1', both)])).toMatchObject({ exit: 8, accounts: { uncertain: 1 } });
    expect(harness.platform.bodies('notes')).toMatchObject([{ notes: [{ body: 'a' }] }]);
  });

  it('is held back if its only witness fails', async () => {
    harness.platform.answers('notes', ...Array.from({ length: 9 }, () => lost()));
    await harness.run([plan()]);
    for (let runs = 0; runs < 3; runs += 1) await harness.run([plan()]);
    expect(harness.platform.times('agreements')).toBe(0);
    expect((await entryOf('1'))?.state).toBe('uncertain');
  });

  it('is completed, and no list is asked for, if a witness is answered as new', async () => {
    harness.platform.answers('statements', refused('invalid', 'statements.0'));
    expect(await harness.run([plan(statement)])).toMatchObject({ exit: 3, accounts: { rejected: 1 } });
    expect(harness.platform.times('agreements')).toBe(1);
    expect(harness.platform.listsAsked).toEqual([]);
  });
});

describe('nothing contradicts the journal where', () => {
  const completes = async (extras: Parameters<typeof planOf>[1], payload = {}) => {
    const plan = planOf('1', { ...extras, ...agreement }, payload);
    expect(await harness.run([plan])).toMatchObject({ exit: 0, accounts: { completed: 1 } });
    expect(harness.platform.times('agreements')).toBe(1);
    expect(warnings()).toEqual([]);
  };

  it('an attempt was lost before', async () => {
    harness.platform.answers('notes', lost(), noteThere('a'));
    await completes(note('a'));
  });

  it('the account payload has the transaction', async () => {
    harness.platform.answers('transactions', chargeThere('t'));
    await completes(charge('t'), { metadata: [{ key: 'k', value: { opening: 't' } }] });
  });

  it('the account was adopted', async () => {
    harness.platform.answers('stage', imported).answers('notes', noteThere('a'));
    const plan = planOf('1', { ...note('a'), ...agreement });
    expect(await harness.run([plan], { adopt: true })).toMatchObject({ accounts: { completed: 1 } });
    expect(harness.platform.times('agreements')).toBe(1);
  });

  it('others had created the account before the journal began', async () => {
    harness.platform.answers('stage', imported);
    harness.platform.listed = [
      {
        external_account_number: '1',
        kraken_account_number: 'A-9',
        account_created_at: '2001-01-01T00:00:00Z',
      },
    ];
    expect(await harness.run([planOf('1', agreement)])).toMatchObject({ exit: 3, accounts: { skipped: 1 } });
  });

  it('others had created the account before the last run, and the export has it since', async () => {
    await harness.run([planOf('1')]);
    harness.platform.answers('stage', imported);
    harness.platform.listed = [
      {
        external_account_number: '2',
        kraken_account_number: 'A-9',
        account_created_at: '2001-01-01T00:00:00Z',
      },
    ];
    expect(await harness.run([planOf('1'), planOf('2')])).toMatchObject({
      exit: 3,
      accounts: { completed: 1, skipped: 1 },
    });
  });
});

describe('a run stops after five such accounts, and says that', () => {
  const plans = (extras = {}) =>
    numbered(9).map((account) => planOf(account, { ...note('a'), ...agreement, ...extras }));

  it('requests are doubled, if it created the accounts itself', async () => {
    harness.platform.answers('notes', ...numbered(9).map(() => noteThere('a')));
    expect(await harness.run(plans())).toMatchObject({
      exit: 8,
      stop: { reason: 'doubled_requests' },
      accounts: { uncertain: 5, pending: 4 },
    });
    expect(harness.platform.times('agreements')).toBe(0);
    // Nothing else of the journal is in doubt.
    expect(await entryOf('9')).toMatchObject({ inDoubtSince: undefined });
  });

  it('the journal is behind, if an earlier run did, and all accounts are in doubt', async () => {
    await harness.run(plans(), { steps: created });
    harness.platform.answers('notes', ...numbered(9).map(() => noteThere('a')));
    expect(await harness.run(plans())).toMatchObject({
      exit: 8,
      stop: { reason: 'journal_behind' },
      accounts: { uncertain: 5, imported: 4 },
    });
    expect(harness.platform.times('agreements')).toBe(0);
    expect((await entryOf('9'))?.inDoubtSince).toBeDefined();
    // The rest is settled as after a restore: what nobody can ask about is left to a person, and nothing is sent twice.
    expect(await harness.run(plans())).toMatchObject({ exit: 8, accounts: { uncertain: 9 } });
    expect(harness.platform.times('agreements')).toBe(0);
  });

  it('the journal is behind, if accounts were created since its last record, with both times', async () => {
    const start = harness.clock.now();
    await harness.run([planOf('0')]);
    const at = new Date(harness.clock.now() + 5_000).toISOString();
    harness.platform.answers('stage', ...numbered(9).map(() => imported));
    harness.platform.listed = numbered(9).map((account) => ({
      external_account_number: account,
      kraken_account_number: `A-${account}`,
      account_created_at: at,
    }));
    await harness.clock.sleep(60_000);
    const result = await harness.run([planOf('0'), ...plans()]);
    expect(result).toMatchObject({ exit: 8, stop: { reason: 'journal_behind' }, accounts: { skipped: 0 } });
    expect(result.stop?.detail).toContain(`the platform's newest account is of ${at.slice(0, 19)}Z`);
    expect(result.stop?.detail).toContain(
      `the journal is complete until ${new Date(start).toISOString().slice(0, 16)}`,
    );
    expect((await entryOf('1'))?.code).toBe('created_unrecorded');
  });

  it("no account is somebody else's that is met while the list is read", async () => {
    await harness.run([planOf('0')]);
    const at = new Date(harness.clock.now() + 5_000).toISOString();
    harness.platform.answers('stage', ...numbered(9).map(() => imported));
    harness.platform.listed = numbered(9).map((account) => ({
      external_account_number: account,
      kraken_account_number: `A-${account}`,
      account_created_at: at,
    }));
    await harness.clock.sleep(60_000);
    const result = await harness.run([planOf('0'), ...plans()], { concurrency: 9 });
    expect(result).toMatchObject({ exit: 8, accounts: { skipped: 0, uncertain: 9 } });
  });

  it('another journal is at work, if accounts are created while it runs', async () => {
    harness.platform.answers('stage', ...numbered(9).map(() => imported));
    harness.platform.listed = numbered(9).map((account) => ({
      external_account_number: account,
      kraken_account_number: `A-${account}`,
      account_created_at: new Date(harness.clock.now() + 3_600_000).toISOString(),
    }));
    expect(await harness.run(plans())).toMatchObject({
      exit: 8,
      stop: { reason: 'other_journal' },
      accounts: { uncertain: 5, skipped: 0 },
    });
  });
});
