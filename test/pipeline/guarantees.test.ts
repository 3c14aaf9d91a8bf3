import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Answer } from '../../src/client/platform-client.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import {
  defaultSettings,
  dryRunSuccess,
  lost,
  notSent,
  ok,
  planOf,
  refused,
  Harness,
  serverError,
  throttled,
  unauthorized,
} from './harness.ts';

let harness: Harness;
beforeEach(() => void (harness = new Harness()));
afterEach(() => harness.dispose());

const status = (value: string, number = '') => ok({ status: value, kraken_account_number: number }, 200);
const completed = (number: string) => ({
  kind: 'ok' as const,
  status: 200,
  body: { status: 'COMPLETED', krakenAccountNumber: number },
});

/** No account import process exists for the pair. */
const missing: Answer<never> = {
  kind: 'not-found',
  status: 404,
  refusal: { problems: [], code: '', detail: '', wouldImport: false },
};
/** A 404 in no words of the interface. */
const pageNotFound: Answer<never> = { ...missing, refusal: { ...missing.refusal, code: 'http_404' } };

describe('process, after a lost answer', () => {
  it('adopts the number when the platform says COMPLETED, and sends nothing twice', async () => {
    harness.platform.answers('process', lost()).answers('transferStatus', completed('A-7'));
    const result = await harness.run([planOf('1')]);
    expect(result).toMatchObject({ exit: 0, accounts: { completed: 1 } });
    expect(harness.platform.times('process')).toBe(1);
    expect(harness.events.at(-1)).toMatchObject({ krakenAccountNumber: 'A-7' });
  });

  it('waits IN_PROGRESS out, and then adopts', async () => {
    harness.platform
      .answers('process', lost())
      .answers('transferStatus', status('IN_PROGRESS'), status('IN_PROGRESS'), completed('A-7'));
    expect(await harness.run([planOf('1')])).toMatchObject({ accounts: { completed: 1 } });
    expect(harness.platform.times('process')).toBe(1);
  });

  it('is uncertain when IN_PROGRESS outlasts its patience: each run asks, and none sends again', async () => {
    harness.platform.answers('process', lost());
    harness.platform.answers('transferStatus', ...Array.from({ length: 22 }, () => status('IN_PROGRESS')));
    expect(await harness.run([planOf('1')])).toMatchObject({ exit: 8, accounts: { uncertain: 1 } });
    expect(await harness.run([planOf('1')])).toMatchObject({ exit: 8 });
    expect(harness.platform.times('process')).toBe(1);
    harness.platform.answers('transferStatus', ok({ status: 'COMPLETED', krakenAccountNumber: 'A-1' }, 200));
    expect(await harness.run([planOf('1')])).toMatchObject({ exit: 0, accounts: { completed: 1 } });
    expect(harness.platform.times('process')).toBe(1);
  });

  describe('that a run has left as IN_PROGRESS, the next one', () => {
    const other = refused('invalid_address');

    beforeEach(async () => {
      harness.platform.answers('process', lost());
      harness.platform.answers('transferStatus', ...Array.from({ length: 11 }, () => status('IN_PROGRESS')));
      expect(await harness.run([planOf('1')])).toMatchObject({ accounts: { uncertain: 1 } });
    });

    it('names what it failed for, and the one after it finds the account', async () => {
      harness.platform.answers('transferStatus', refused('no_such_question'));
      await harness.run([planOf('1')]);
      expect(harness.events.at(-1)).toMatchObject({ state: 'failed', code: 'status_http_400' });
      harness.platform.answers('transferStatus', completed('A-7'));
      expect(await harness.run([planOf('1')])).toMatchObject({ exit: 0, accounts: { completed: 1 } });
    });

    it('rejects it where it was not created and is refused now, and sends a correction', async () => {
      harness.platform
        .answers('transferStatus', status('UNKNOWN'), status('UNKNOWN'))
        .answers('process', other);
      expect(await harness.run([planOf('1')])).toMatchObject({ accounts: { rejected: 1 } });
      expect(harness.events.at(-1)).toMatchObject({ state: 'rejected' });
      const corrected = planOf('1', {}, { account_type: 'BUSINESS' });
      expect(await harness.run([corrected])).toMatchObject({ accounts: { completed: 1 } });
    });

    it('goes on where it was killed while it sent again', async () => {
      harness.platform.answers('transferStatus', status('UNKNOWN'), status('UNKNOWN'));
      await harness.runKilledAfter('intend process 0', [planOf('1')]);
      harness.platform.answers('transferStatus', completed('A-7'));
      expect(await harness.run([planOf('1')])).toMatchObject({ exit: 0, accounts: { completed: 1 } });
    });
  });

  it('believes UNKNOWN only after the quiet period, and then repeats', async () => {
    harness.platform
      .answers('process', lost())
      .answers('transferStatus', status('UNKNOWN'), status('UNKNOWN'));
    expect(await harness.run([planOf('1')])).toMatchObject({ accounts: { completed: 1 } });
    expect(harness.platform.asked.map((request) => request.endpoint)).toEqual([
      'validate',
      'stage',
      'process',
      'transferStatus',
      'transferStatus',
      'process',
    ]);
    expect(harness.clock.slept).toContain(5000);
  });

  it('believes 404 only after the quiet period, and then stages again and repeats', async () => {
    harness.platform.answers('process', lost()).answers('transferStatus', missing, missing);
    expect(await harness.run([planOf('1')])).toMatchObject({ accounts: { completed: 1 } });
    expect(harness.platform.asked.map((request) => request.endpoint)).toEqual([
      'validate',
      'stage',
      'process',
      'transferStatus',
      'transferStatus',
      'stage',
      'process',
    ]);
    expect(harness.clock.slept).toContain(5000);
  });

  it.each([
    ['', []],
    [', also of a process that goes on', [status('IN_PROGRESS')]],
  ])('does not soon believe a 404 that a proxy may have said%s', async (_, before) => {
    await harness.runKilledAfter('intend process 0', [planOf('1')]);
    await harness.clock.sleep(60_000);
    harness.platform.answers('transferStatus', ...before, pageNotFound, pageNotFound, completed('A-7'));
    expect(await harness.run([planOf('1')])).toMatchObject({ accounts: { completed: 1 } });
    expect(harness.platform.times('process')).toBe(0);
  });

  it('takes "already imported" with a number for its own', async () => {
    harness.platform
      .answers(
        'process',
        lost(),
        refused('account_import_process_already_imported', '', { krakenAccountNumber: 'A-9' }),
      )
      .answers('transferStatus', status('UNKNOWN'), status('UNKNOWN'));
    expect(await harness.run([planOf('1')])).toMatchObject({ accounts: { completed: 1 } });
    expect(harness.events.at(-1)).toMatchObject({ krakenAccountNumber: 'A-9' });
  });

  it('is asked about again when the run was killed before the number was recorded', async () => {
    await harness.runKilledAfter('settle process 0 done', [planOf('1')]);
    harness.platform.answers('transferStatus', completed('A-1'));
    expect(await harness.run([planOf('1')])).toMatchObject({ exit: 0, accounts: { completed: 1 } });
    expect(harness.platform.times('process')).toBe(1);
    expect(harness.events.at(-1)).toMatchObject({ krakenAccountNumber: 'A-1' });
  });

  it('leaves no step before it pending where it was adopted after a kill', async () => {
    await harness.runKilledAfter('intend process 0', [planOf('1')]);
    harness.platform.answers('transferStatus', completed('A-1'));
    expect(await harness.run([planOf('1')])).toMatchObject({ accounts: { completed: 1 } });
    expect((await harness.entry('1'))?.steps).toMatchObject({
      validate: 'done',
      stage: 'done',
      process: 'done',
    });
  });

  it('is settled in the next run when this one ends first', async () => {
    harness.platform.answers('process', lost());
    harness.platform.onRequest = (endpoint) => {
      if (endpoint === 'transferStatus') harness.platform.gone = lost();
    };
    expect(await harness.run([planOf('1')])).toMatchObject({ exit: 5, accounts: { staged: 1 } });
    harness.platform.onRequest = () => undefined;
    harness.platform.gone = undefined;
    harness.platform.answers('transferStatus', completed('A-7'));
    const before = harness.platform.asked.length;
    expect(await harness.run([planOf('1')])).toMatchObject({ exit: 0, accounts: { completed: 1 } });
    expect(harness.platform.asked.slice(before).map((request) => request.endpoint)).toEqual([
      'transferStatus',
    ]);
  });
});

describe('an account whose run is killed while its first step after process is sent', () => {
  const plan = planOf('1', { notes: [{ notes: [{ body: 'one' }] }] });

  it('has its number in the journal by then: the next run need not ask for it', async () => {
    await harness.runKilledAfter('intend notes 0', [plan]);
    expect((await harness.entry('1'))?.steps).toMatchObject({ process: 'done' });
    const before = harness.platform.asked.length;
    expect(await harness.run([plan])).toMatchObject({ exit: 0, accounts: { completed: 1 } });
    expect(harness.platform.asked.slice(before).map(({ endpoint }) => endpoint)).toEqual(['notes']);
    expect(harness.events.at(-1)).toMatchObject({ krakenAccountNumber: 'A-1' });
  });
});

describe('an account whose run is killed after its last step, and before its state is written', () => {
  const notes = (body: string) => [planOf('1', { notes: [{ notes: [{ body }] }] })];
  const lastWrite = 'settle notes 0 done';

  it('is completed by the next, though it had failed before', async () => {
    harness.platform.answers('notes', notSent, notSent, notSent);
    expect(await harness.run(notes('one'))).toMatchObject({ exit: 3, accounts: { failed: 1 } });
    await harness.runKilledAfter(lastWrite, notes('one'));
    expect(await harness.run(notes('one'))).toMatchObject({
      exit: 0,
      requests: 0,
      accounts: { completed: 1 },
    });
  });

  it('is completed by the next, though it had been rejected before', async () => {
    harness.platform.answers('notes', refused('bad_note'));
    expect(await harness.run(notes('one'))).toMatchObject({ exit: 3, accounts: { rejected: 1 } });
    await harness.runKilledAfter(lastWrite, notes('mended'));
    expect(await harness.run(notes('mended'))).toMatchObject({
      exit: 0,
      requests: 0,
      accounts: { completed: 1 },
    });
  });
});

describe('an account that the platform has already', () => {
  const exists = refused('account_import_process_already_imported', '', { krakenAccountNumber: 'A-5' });
  const notes = { notes: [{ notes: [{ body: 'one' }] }] };

  it('is skipped, and nothing is added to it', async () => {
    harness.platform.answers('stage', exists);
    expect(await harness.run([planOf('1', notes)])).toMatchObject({ exit: 3, accounts: { skipped: 1 } });
    expect(harness.platform.times('notes')).toBe(0);
    expect(await harness.run([planOf('1', notes)])).toMatchObject({
      ...{ exit: 3, requests: 0 },
      accounts: { skipped: 1 },
    });
  });

  it('is gone on with under --adopt', async () => {
    harness.platform.answers('stage', exists);
    expect(await harness.run([planOf('1', notes)], { adopt: true })).toMatchObject({
      accounts: { completed: 1 },
    });
    expect(harness.platform.times('process')).toBe(0);
    expect(harness.platform.times('notes')).toBe(1);
    expect(harness.events.at(-1)).toMatchObject({ krakenAccountNumber: 'A-5' });
  });
});

describe('a request', () => {
  it('is in the journal before it leaves, and its outcome before the next one does', async () => {
    const recorded: string[] = [];
    harness.platform.onRequest = (endpoint) => {
      const db = new Database(harness.journalFile, { readonly: true });
      const counts = db.prepare<[], string>("SELECT total(took IS NULL) || ' of ' || count(*) FROM part");
      recorded.push(`${endpoint} ${counts.pluck().get()}`);
      db.close();
    };
    const plan = planOf('1', {
      notes: [{ notes: [{ body: 'one' }] }],
      agreements: [{ agreements: [] }],
      'payment-instruction': [{ vendor: 'V', reference: 'r', type: 'CARD' }],
    });
    await harness.run([plan]);
    // Validate stores nothing, so it is recorded with its outcome.
    expect(recorded).toEqual([
      'validate 0.0 of 0',
      'stage 1.0 of 2',
      'process 1.0 of 3',
      'notes 1.0 of 4',
      'agreements 1.0 of 5',
      'paymentInstruction 1.0 of 6',
    ]);
  });
});

describe('a step after a lost answer', () => {
  const note = (body: JsonObject) => ({ notes: [{ notes: [body] }] });
  const billing = (documents: JsonObject[]) => ({
    'billing-documents': [
      {
        ledger_code: 'ELECTRICITY',
        billing_document_type: 'ITEM_BASED',
        historical_billing_documents: documents,
      },
    ],
  });
  const document = {
    billing_document_identifier: 'b',
    billing_document_type: 'ITEM_BASED',
    issued_date: '2024-01-01',
  };
  const payment = { 'payment-instruction': [{ vendor: 'V', reference: 'r', type: 'CARD' }] };
  const agreement = { agreements: [{ agreements: [] }] };
  const statementList = (...ids: string[]) => ({
    statements: [
      {
        statements: ids.map((id) => ({
          statement_id: id,
          bill_period_from_date: '2024-01-01',
          bill_period_to_date: '2024-02-01',
        })),
      },
    ],
  });

  it('repeats notes that have a body', async () => {
    harness.platform.answers('notes', lost());
    expect(await harness.run([planOf('1', note({ body: 'x' }))])).toMatchObject({
      exit: 0,
      accounts: { completed: 1 },
    });
    expect(harness.platform.times('notes')).toBe(2);
  });

  it('leaves a note without a body to a person', async () => {
    harness.platform.answers('notes', lost());
    const plan = planOf('1', note({ document_paths: [{ document_path: 'a.pdf' }] }));
    expect(await harness.run([plan])).toMatchObject({ exit: 8, accounts: { uncertain: 1 } });
    await harness.run([plan]);
    expect(harness.platform.times('notes')).toBe(1);
  });

  it('repeats transactions with the check, and leaves them to a person without', async () => {
    const transactions = {
      transactions: [
        {
          transactions: [
            { transaction_id: '1', transaction_date: '2024-01-01', amount: '1.00', type: 'CHARGE' },
          ],
        },
      ],
    };
    harness.platform.answers('transactions', lost());
    expect(await harness.run([planOf('1', transactions)])).toMatchObject({ accounts: { completed: 1 } });
    expect(harness.platform.times('transactions')).toBe(2);
    harness.platform.answers('transactions', lost());
    const unchecked = {
      transactionsQuery: { checkPreviouslyAdded: false, forceAddToCurrentStatement: true },
    };
    expect(await harness.run([planOf('2', transactions)], unchecked)).toMatchObject({
      exit: 8,
      accounts: { uncertain: 1 },
    });
    expect(harness.platform.times('transactions')).toBe(3);
  });

  it('tells of a transaction that the platform has with other words, and leaves it', async () => {
    const ours = {
      ...{ transaction_id: '1', transaction_date: '2024-01-01', amount: '1.00', type: 'CHARGE' },
      note: 'corrected',
    };
    const theirs = { ...ours, amount: '1.0', note: 'as it was' };
    const answer = ok({ results: [{ status: 'TRANSACTION_ALREADY_EXISTS', transaction_data: theirs }] });
    harness.platform.answers('transactions', lost(), answer);
    const plan = planOf('1', { transactions: [{ transactions: [ours] }] });
    expect(await harness.run([plan])).toMatchObject({ exit: 0, accounts: { completed: 1 } });
    expect(harness.events.filter((event) => event.type === 'problem')).toMatchObject([
      {
        problem: { code: 'transaction_details_differ', path: 'transactions.0.note', severity: 'warning' },
      },
    ]);
  });

  it('names a transaction that the platform has with another amount', async () => {
    const ours = { transaction_id: '1', transaction_date: '2024-01-01', amount: '1.00', type: 'CHARGE' };
    const theirs = { ...ours, amount: '2.00' };
    const answer = ok({ results: [{ status: 'TRANSACTION_ALREADY_EXISTS', transaction_data: theirs }] });
    harness.platform.answers('transactions', lost(), answer);
    const plan = planOf('1', { transactions: [{ transactions: [ours] }] });
    expect(await harness.run([plan])).toMatchObject({ exit: 3, accounts: { rejected: 1 } });
    expect(harness.events.find((event) => event.type === 'problem')).toMatchObject({
      problem: { code: 'transaction_differs', path: 'transactions.0', cell: { line: 1 } },
    });
  });

  it('knows a transaction that it sent itself with another amount', async () => {
    const sent = { transaction_id: '1', transaction_date: '2024-01-01', amount: '2.00', type: 'CHARGE' };
    const planWith = (transaction: JsonObject) =>
      planOf('1', { transactions: [{ transactions: [transaction] }] });
    expect(await harness.run([planWith(sent)])).toMatchObject({ accounts: { completed: 1 } });
    const answer = ok({ results: [{ status: 'TRANSACTION_ALREADY_EXISTS', transaction_data: sent }] });
    harness.platform.answers('transactions', answer);
    expect(await harness.run([planWith({ ...sent, amount: '9.00' })])).toMatchObject({
      accounts: { rejected: 1 },
    });
    expect(harness.events.filter((event) => event.type === 'problem').at(-1)).toMatchObject({
      problem: { code: 'changed_after_import', path: 'transactions.0.amount', cell: { line: 1 } },
    });
  });

  it('repeats statements one by one, and takes "already exists" for done', async () => {
    harness.platform.answers('statements', lost(), refused('historical_statement_already_exists'), ok({}));
    expect(await harness.run([planOf('1', statementList('s1', 's2'))])).toMatchObject({
      accounts: { completed: 1 },
    });
    const sizes = harness.platform
      .bodies('statements')
      .map((body) => (body['statements'] as unknown[]).length);
    expect(sizes).toEqual([2, 1, 1]);
  });

  it('leaves statements to a person where known ids are not refused', async () => {
    harness.platform.answers('statements', lost());
    const tenancy = {
      statementsRefuseKnownIds: false,
      agreementsMayRepeat: false,
      billingRefusalCountsAsOurs: false,
      paymentRefusalAfter500: false,
    };
    expect(await harness.run([planOf('1', statementList('s1'))], { tenancy })).toMatchObject({
      accounts: { uncertain: 1 },
    });
    expect(harness.platform.times('statements')).toBe(1);
  });

  it('repeats a ledger that holds a document; accepted is done', async () => {
    harness.platform.answers('billingDocuments', lost());
    expect(await harness.run([planOf('1', billing([document]))])).toMatchObject({
      accounts: { completed: 1 },
    });
    expect(harness.platform.times('billingDocuments')).toBe(2);
  });

  it('is uncertain of a ledger that is then refused, unless configured to count it as ours', async () => {
    const finalized = refused('ledger_has_finalized_billing_document', 'ledger_code');
    harness.platform.answers('billingDocuments', lost(), finalized);
    expect(await harness.run([planOf('1', billing([document]))])).toMatchObject({
      accounts: { uncertain: 1 },
    });
    harness.platform.answers('billingDocuments', lost(), finalized);
    const tenancy = {
      statementsRefuseKnownIds: true,
      agreementsMayRepeat: false,
      billingRefusalCountsAsOurs: true,
      paymentRefusalAfter500: false,
    };
    expect(await harness.run([planOf('2', billing([document]))], { tenancy })).toMatchObject({
      accounts: { completed: 1 },
    });
  });

  it('never repeats a ledger without a document', async () => {
    harness.platform.answers('billingDocuments', lost());
    expect(await harness.run([planOf('1', billing([]))])).toMatchObject({ accounts: { uncertain: 1 } });
    expect(harness.platform.times('billingDocuments')).toBe(1);
  });

  it('leaves agreements to a person unless this tenancy allows a repeat', async () => {
    harness.platform.answers('agreements', lost());
    expect(await harness.run([planOf('1', agreement)])).toMatchObject({ accounts: { uncertain: 1 } });
    harness.platform.answers('agreements', lost());
    const tenancy = {
      statementsRefuseKnownIds: true,
      agreementsMayRepeat: true,
      billingRefusalCountsAsOurs: false,
      paymentRefusalAfter500: false,
    };
    expect(await harness.run([planOf('2', agreement)], { tenancy })).toMatchObject({
      accounts: { completed: 1 },
    });
  });

  it('repeats a payment instruction once: accepted is done, refused is uncertain, lost again is uncertain', async () => {
    harness.platform.answers('paymentInstruction', lost());
    expect(await harness.run([planOf('1', payment)])).toMatchObject({ accounts: { completed: 1 } });
    harness.platform.answers('paymentInstruction', lost(), refused('vendor'));
    expect(await harness.run([planOf('2', payment)])).toMatchObject({ accounts: { uncertain: 1 } });
    harness.platform.answers('paymentInstruction', lost(), lost());
    expect(await harness.run([planOf('3', payment)])).toMatchObject({ accounts: { uncertain: 1 } });
    expect(harness.platform.times('paymentInstruction')).toBe(6);
  });

  it('counts the attempt that a kill cut short: a payment instruction lost again goes to a person', async () => {
    await harness.runKilledAfter('intend payment-instruction 0', [planOf('1', payment)]);
    const before = harness.platform.times('paymentInstruction');
    harness.platform.answers('paymentInstruction', lost());
    expect(await harness.run([planOf('1', payment)])).toMatchObject({ accounts: { uncertain: 1 } });
    expect(harness.platform.times('paymentInstruction')).toBe(before + 1);
  });

  it('repeats a payment instruction as it is on 500, and never on 400', async () => {
    harness.platform.answers('paymentInstruction', serverError, serverError);
    expect(await harness.run([planOf('1', payment)])).toMatchObject({ accounts: { completed: 1 } });
    harness.platform.answers('paymentInstruction', refused('vendor'));
    expect(await harness.run([planOf('2', payment)])).toMatchObject({ accounts: { rejected: 1 } });
    await harness.run([planOf('2', payment)]);
    expect(harness.platform.times('paymentInstruction')).toBe(4);
  });

  it('leaves a payment instruction that is refused after a 500 to a person, unless a 500 has no effect', async () => {
    harness.platform.answers('paymentInstruction', serverError, refused('vendor'));
    expect(await harness.run([planOf('1', payment)])).toMatchObject({ exit: 8, accounts: { uncertain: 1 } });
    harness.platform.answers('paymentInstruction', serverError, refused('vendor'));
    const tenancy = { ...defaultSettings.tenancy, paymentRefusalAfter500: true };
    expect(await harness.run([planOf('2', payment)], { tenancy })).toMatchObject({
      accounts: { rejected: 1 },
    });
  });

  it('does not hold back the steps that follow an uncertain one', async () => {
    harness.platform.answers('agreements', lost());
    await harness.run([planOf('1', { ...agreement, ...payment })]);
    expect(harness.platform.times('paymentInstruction')).toBe(1);
  });

  it('stays uncertain when its rows become faulty', async () => {
    harness.platform.answers('agreements', lost());
    await harness.run([planOf('1', agreement)]);
    const problem = {
      account: '1',
      code: 'invalid_date',
      path: '',
      detail: 'No.',
      severity: 'error' as const,
    };
    const faulty = { ...planOf('1', agreement), problems: [problem] };
    expect(await harness.run([faulty])).toMatchObject({ exit: 8, requests: 0, accounts: { uncertain: 1 } });
  });

  it('sends nothing that changed in the export since', async () => {
    harness.platform.answers('agreements', lost());
    await harness.run([planOf('1', agreement)]);
    const changed = { agreements: [{ agreements: [{ tariff_code: 'T' }] }] };
    expect(await harness.run([planOf('1', changed)])).toMatchObject({ accounts: { uncertain: 1 } });
    expect(harness.platform.times('agreements')).toBe(1);
  });
});

describe('a refusal', () => {
  it('of one note neither loses nor repeats the others, and names the one', async () => {
    const notes = [{ notes: ['a', 'bad', 'c'].map((body) => ({ body })) }];
    harness.platform.answers(
      'notes',
      refused('invalid', 'notes.1.body'),
      ok([{ status: 'NOTE_CREATION_SUCCESS' }]),
      refused('invalid', 'notes.0.body'),
    );
    const result = await harness.run([planOf('1', { notes })]);
    expect(result).toMatchObject({ exit: 3, accounts: { rejected: 1 } });
    const bodies = harness.platform
      .bodies('notes')
      .map((body) => (body['notes'] as { body: string }[]).map((note) => note.body));
    expect(bodies).toEqual([['a', 'bad', 'c'], ['a'], ['bad'], ['c']]);
    expect(harness.events.filter((event) => event.type === 'problem')).toMatchObject([
      { problem: { step: 'notes', path: 'notes.1.body' } },
    ]);
    expect(harness.events.at(-1)).toMatchObject({ state: 'rejected', krakenAccountNumber: 'A-1' });
  });

  it('is not sent again until the data changes', async () => {
    harness.platform.answers('validate', refused('invalid_phone_number', 'customers.0.landline'));
    expect(await harness.run([planOf('1')])).toMatchObject({ exit: 3, accounts: { rejected: 1 } });
    expect(await harness.run([planOf('1')])).toMatchObject({
      exit: 3,
      requests: 0,
      accounts: { rejected: 1 },
    });
    const fixed = planOf('1', {}, { sales_channel: 'EVENTS' });
    expect(await harness.run([fixed])).toMatchObject({ exit: 0, accounts: { completed: 1 } });
  });

  it('because the supplier is not Ongoing stops the run, and leaves the accounts as they were', async () => {
    harness.platform.answers('stage', refused('import_supplier_migration_not_ongoing'));
    expect(await harness.run([planOf('1'), planOf('2')])).toMatchObject({
      exit: 5,
      accounts: { pending: 2 },
      stop: { reason: 'supplier-not-ongoing' },
    });
  });
});

describe('what changed after import', () => {
  it('is reported, and is not silently ignored', async () => {
    await harness.run([planOf('1')]);
    const changed = planOf('1', {}, { sales_channel: 'EVENTS' });
    expect(await harness.run([changed])).toMatchObject({ exit: 3, accounts: { rejected: 1 } });
    expect(harness.events.at(-1)).toMatchObject({ code: 'changed_after_import', krakenAccountNumber: 'A-1' });
  });
});

describe('trouble on the way', () => {
  it('is waited out with full jitter when a request never left', async () => {
    harness.platform.answers('process', notSent, notSent);
    expect(await harness.run([planOf('1')])).toMatchObject({
      exit: 0,
      retries: 2,
      accounts: { completed: 1 },
    });
    expect(harness.platform.times('transferStatus')).toBe(0);
    expect(harness.clock.slept).toEqual([50, 100]);
  });

  it('ends the run as unavailable when the platform cannot be reached', async () => {
    harness.platform.gone = notSent;
    expect(await harness.run([planOf('1'), planOf('2')])).toMatchObject({
      exit: 5,
      accounts: { pending: 2 },
      stop: { reason: 'unavailable' },
    });
    expect(harness.platform.asked).toHaveLength(6);
  });

  it('obeys Retry-After on 429', async () => {
    harness.platform.answers('process', throttled(7000));
    expect(await harness.run([planOf('1')])).toMatchObject({ accounts: { completed: 1 } });
    expect(harness.clock.slept).toEqual([7000]);
  });

  it('renews the token once on 401, and tries again for half a minute before it gives up', async () => {
    harness.platform.answers('stage', unauthorized);
    expect(await harness.run([planOf('1')])).toMatchObject({ exit: 0, accounts: { completed: 1 } });
    expect(harness.platform.discarded).toEqual([1]);
    harness.platform.answers('stage', ...Array.from({ length: 8 }, () => unauthorized));
    expect(await harness.run([planOf('2')])).toMatchObject({ exit: 0, accounts: { completed: 1 } });
    expect(harness.platform.discarded.length).toBeLessThan(4);
    harness.platform.gone = unauthorized;
    expect(await harness.run([planOf('3')])).toMatchObject({ exit: 4, stop: { reason: 'credentials' } });
    const waited = harness.clock.slept.reduce((sum, ms) => sum + ms, 0);
    expect(waited).toBeGreaterThanOrEqual(30_000);
  });

  const denied = { kind: 'unauthorized', status: 403, tokenId: 1, detail: 'Denied.' } as const;

  it('fails the one account that the platform denies access, and goes on with the others', async () => {
    harness.platform.answers('notes', denied, denied);
    const extras = { notes: [{ notes: [{ body: 'a' }] }] };
    expect(await harness.run([planOf('1', extras), planOf('2', extras)])).toMatchObject({
      exit: 3,
      accounts: { completed: 1, failed: 1 },
    });
    expect(await harness.run([planOf('1', extras), planOf('2', extras)])).toMatchObject({
      exit: 0,
      accounts: { completed: 2 },
    });
  });

  it('holds the step whose endpoint denies access to all, and goes on with the other steps', async () => {
    harness.platform.onRequest = (endpoint) => {
      if (endpoint === 'agreements') harness.platform.answers('agreements', denied);
    };
    const agreements = [{ agreement: { tariff_code: 'A' } }];
    const plans = Array.from({ length: 12 }, (_, n) =>
      planOf(`${n}`, {
        agreements,
        'payment-instruction': [{ vendor: 'V', reference: `${n}`, type: 'CARD' }],
      }),
    );
    const result = await harness.run(plans);
    expect(result.stop?.reason).toBe('unrecognised-answers');
    expect(result.stop?.detail).toContain('agreements: 403');
    expect(harness.platform.times('paymentInstruction')).toBe(7);
    expect(harness.platform.times('agreements')).toBe(10);
    harness.platform.onRequest = () => undefined;
    expect(await harness.run(plans)).toMatchObject({ exit: 0, accounts: { completed: 12 } });
  });

  it('fails an account after its retries and takes it up again in the next run', async () => {
    harness.platform.answers('validate', serverError, serverError, serverError);
    expect(await harness.run([planOf('1')])).toMatchObject({ exit: 3, accounts: { failed: 1 } });
    expect(await harness.run([planOf('1')])).toMatchObject({ exit: 0, accounts: { completed: 1 } });
  });

  it('stops at the configured number of failures', async () => {
    const bad = refused('invalid');
    harness.platform.answers('validate', bad, bad, bad);
    const plans = ['1', '2', '3', '4'].map((account) => planOf(account));
    expect(await harness.run(plans, { maxFailures: { count: 2 } })).toMatchObject({
      exit: 6,
      accounts: { rejected: 2, pending: 2 },
    });
  });

  it('says how many failed of all that were driven, also of those that were in flight when it stopped', async () => {
    const bad = refused('invalid');
    harness.platform.answers('validate', bad, bad);
    const plans = Array.from({ length: 40 }, (_, account) => planOf(String(account)));
    const { stop, accounts } = await harness.run(plans, { concurrency: 8, maxFailures: { count: 2 } });
    const driven = 40 - accounts.pending;
    expect(driven).toBeGreaterThan(2);
    expect(stop).toEqual({ reason: 'max-failures', detail: `2 of ${driven} accounts` });
  });
});

describe('a dry run', () => {
  it('creates nothing, sends nothing after process, and leaves progress as it was', async () => {
    const plan = planOf('1', { notes: [{ notes: [{ body: 'one' }] }] });
    expect(await harness.run([plan], { dryRun: true })).toMatchObject({
      exit: 0,
      wouldImport: 1,
      accounts: { pending: 1 },
    });
    expect(harness.platform.asked.map((request) => request.endpoint)).toEqual([
      'validate',
      'stage',
      'process',
    ]);
    expect(harness.platform.bodies('process')).toMatchObject([{ dry_run: true }]);
    expect(await harness.run([plan])).toMatchObject({ accounts: { completed: 1 } });
    expect(harness.platform.times('stage')).toBe(2);
  });

  it('never counts an answer that is not the stated one as a success', async () => {
    const unrecognised = {
      ...dryRunSuccess,
      refusal: { problems: [], code: 'http_400', detail: '', wouldImport: false },
    };
    harness.platform.answers('process', unrecognised);
    expect(await harness.run([planOf('1')], { dryRun: true })).toMatchObject({ exit: 3, wouldImport: 0 });
  });

  it('stops at once when the platform creates the account all the same', async () => {
    harness.platform.answers('process', ok({ kraken_account_number: 'A-1' }));
    expect(await harness.run([planOf('1'), planOf('2')], { dryRun: true })).toMatchObject({
      exit: 8,
      stop: { reason: 'dry-run-ignored' },
    });
  });
});
