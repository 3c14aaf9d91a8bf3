import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Answer } from '../../src/client/platform-client.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import type { Tenancy } from '../../src/pipeline/settings.ts';
import { openJournal } from '../../src/journal/sqlite/open-journal.ts';
import { lost, notSent, ok, planOf, refused, Harness, serverError, supplier, throttled } from './harness.ts';

let harness: Harness;
beforeEach(() => void (harness = new Harness()));
afterEach(() => harness.dispose());

const notes = (...bodies: string[]) => ({ notes: [{ notes: bodies.map((body) => ({ body })) }] });
const scans = (...paths: string[]) => ({
  notes: [{ notes: paths.map((path) => ({ document_paths: [{ document_path: path }] })) }],
});
const transactions = (...ids: string[]) => ({
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
const agreements = (...codes: string[]) => ({
  agreements: codes.map((tariff_code) => ({ agreement: { tariff_code } })),
});
const otherPayment = { 'payment-instruction': [{ vendor: 'W', reference: 'r', type: 'CARD' }] };
const payment = { 'payment-instruction': [{ vendor: 'V', reference: 'r', type: 'CARD' }] };
const unchecked = { transactionsQuery: { checkPreviouslyAdded: false, forceAddToCurrentStatement: true } };

const tariffs = () =>
  harness.platform
    .bodies('agreements')
    .map((body) => (body['agreement'] as { tariff_code: string }).tariff_code);
const sentIds = () =>
  harness.platform
    .bodies('transactions')
    .flatMap((body) =>
      (body['transactions'] as { transaction_id: string }[]).map((one) => one.transaction_id),
    );
const sentPaths = () =>
  harness.platform
    .bodies('notes')
    .flatMap((body) =>
      (body['notes'] as { document_paths: { document_path: string }[] }[]).map(
        (note) => note.document_paths[0]?.document_path,
      ),
    );

const codes = () =>
  harness.events.flatMap((event) =>
    event.type === 'problem' ? [`${event.problem.code} ${event.problem.path}`] : [],
  );

const notStaged = refused('import_process_does_not_exist');

describe('an export that grew since an account was completed', () => {
  it('has everything new sent, also when the first try at it fails', async () => {
    await harness.run([planOf('1', { ...notes('a'), ...transactions('1') })]);
    const grown = planOf('1', { ...notes('a', 'b'), ...transactions('1', '2') });
    harness.platform.answers('notes', serverError, serverError, serverError);
    expect(await harness.run([grown])).toMatchObject({ exit: 3, accounts: { failed: 1 } });
    expect(await harness.run([grown])).toMatchObject({ exit: 0, accounts: { completed: 1 } });
    expect(sentIds()).toEqual(['1', '2']);
  });

  it('has everything new sent, also when one run drives some of the steps alone', async () => {
    await harness.run([planOf('1', { ...notes('a'), ...transactions('1') })]);
    const grown = planOf('1', { ...notes('a', 'b'), ...transactions('1', '2') });
    expect(await harness.run([grown], { steps: new Set(['notes']) })).toMatchObject({
      accounts: { imported: 1 },
    });
    expect(await harness.run([grown])).toMatchObject({ accounts: { completed: 1 } });
    expect(sentIds()).toEqual(['1', '2']);
  });

  it('has everything new sent, also when a local rule held it up first', async () => {
    await harness.run([planOf('1', notes('a'))]);
    const grown = planOf('1', notes('a', 'b'));
    const problem = { account: '1', code: 'x', path: '', detail: 'No.', severity: 'error' as const };
    expect(await harness.run([{ ...grown, problems: [problem] }])).toMatchObject({
      exit: 3,
      accounts: { completed: 1 },
    });
    expect(await harness.run([grown])).toMatchObject({ accounts: { completed: 1 } });
    expect(harness.platform.times('notes')).toBe(2);
  });

  it('has nothing sent twice where a record was put before the others', async () => {
    await harness.run(
      [planOf('1', { ...agreements('A'), ...scans('a.pdf'), ...transactions('a') })],
      unchecked,
    );
    const shifted = { ...agreements('B', 'A'), ...scans('b.pdf', 'a.pdf'), ...transactions('b', 'a') };
    expect(await harness.run([planOf('1', shifted)], unchecked)).toMatchObject({
      accounts: { completed: 1 },
    });
    expect(tariffs()).toEqual(['A', 'B']);
    expect(sentPaths()).toEqual(['a.pdf', 'b.pdf']);
    expect(sentIds()).toEqual(['a', 'b']);
  });

  it('counts as imported, not as completed, until all of it is there', async () => {
    await harness.run([planOf('1', notes('a'))]);
    harness.platform.onRequest = () => harness.stop.stop('interrupt');
    expect(await harness.run([planOf('1', { ...notes('a', 'b'), ...payment })])).toMatchObject({
      exit: 6,
      accounts: { imported: 1 },
    });
  });
});

describe('a record that changed since it was sent', () => {
  const statement = (gross_amount: number) => ({
    statements: [
      {
        statements: [
          {
            statement_id: 's',
            bill_period_from_date: '2024-01-01',
            bill_period_to_date: '2024-02-01',
            gross_amount,
          },
        ],
      },
    ],
  });
  const existing = (...bodies: string[]) =>
    ok(bodies.map((body) => ({ body, status: body.startsWith('new') ? created : exists })));
  const [created, exists] = ['NOTE_CREATION_SUCCESS', 'NOTE_ALREADY_EXISTS'];

  it('is staged again while the account does not exist', async () => {
    await harness.run([planOf('1')], { steps: new Set(['validate', 'stage']) });
    const fixed = planOf('1', {}, { sales_channel: 'EVENTS' });
    expect(await harness.run([fixed])).toMatchObject({ exit: 0, accounts: { completed: 1 } });
    expect(harness.platform.bodies('stage').map((body) => body['sales_channel'])).toEqual([
      undefined,
      'EVENTS',
    ]);
    expect(harness.platform.times('process')).toBe(1);
  });

  it.each([
    ['an agreement', agreements('A'), agreements('B'), 'agreements', 'agreement.tariff_code'],
    ['a statement', statement(1), statement(2), 'statements', 'statements.0.gross_amount'],
    ['a payment instruction', payment, otherPayment, 'paymentInstruction', 'vendor'],
    ['a note without a body', scans('a.pdf'), scans('b.pdf'), 'notes', 'notes.0'],
  ] as const)(
    'and is %s is not sent on top, and told in every run',
    async (_, before, after, endpoint, path) => {
      await harness.run([planOf('1', before)]);
      expect(await harness.run([planOf('1', after)])).toMatchObject({
        exit: 3,
        requests: 0,
        accounts: { rejected: 1 },
      });
      expect(codes()).toEqual([`changed_after_import ${path}`]);
      expect(await harness.run([planOf('1', after)])).toMatchObject({ exit: 3, requests: 0 });
      expect(harness.platform.times(endpoint)).toBe(1);
      // The way back.
      expect(await harness.run([planOf('1', before)])).toMatchObject({ exit: 0, accounts: { completed: 1 } });
    },
  );

  it('and is a field of the account is not sent on top, and told with its place', async () => {
    await harness.run([planOf('1')]);
    const changed = [planOf('1', {}, { sales_channel: 'EVENTS' })];
    expect(await harness.run(changed)).toMatchObject({ exit: 3, requests: 0, accounts: { rejected: 1 } });
    expect(codes()).toEqual(['changed_after_import sales_channel']);
    expect(harness.events).toContainEqual(
      expect.objectContaining({ problem: expect.objectContaining({ cell: expect.anything() }) }),
    );
    expect(await harness.run([planOf('1')])).toMatchObject({ exit: 0, accounts: { completed: 1 } });
  });

  it('and is a note is added in its new form, and the old one is told of', async () => {
    await harness.run([planOf('1', notes('a', 'b'))]);
    harness.platform.answers('notes', existing('a', 'new b'));
    expect(await harness.run([planOf('1', notes('a', 'new b'))])).toMatchObject({
      exit: 0,
      accounts: { completed: 1 },
    });
    expect(codes()).toEqual(['no_longer_in_export notes']);
    expect(harness.platform.times('notes')).toBe(2);
    expect(await harness.run([planOf('1', notes('a', 'new b'))])).toMatchObject({ exit: 0, requests: 0 });
  });

  it('and is a note leaves those that did not change alone: no refusal can be about them', async () => {
    await harness.run([planOf('1', notes('a', 'b'))]);
    harness.platform.answers('notes', refused('x', 'notes.0'));
    const changed = planOf('1', notes('a', 'new b'));
    expect(await harness.run([changed])).toMatchObject({
      exit: 3,
    });
    expect(codes()).toEqual(['no_longer_in_export notes', 'x notes.1']);
    expect(harness.platform.bodies('notes').at(-1)).toMatchObject({ notes: [{ body: 'new b' }] });
    expect(harness.platform.times('notes')).toBe(2);
  });

  it('is not mistaken for one that has moved', async () => {
    await harness.run([planOf('1', notes('a', 'b'))]);
    expect(await harness.run([planOf('1', notes('a', 'new', 'b'))])).toMatchObject({
      accounts: { completed: 1 },
    });
    expect(codes()).toEqual([]);
    await harness.run([planOf('1', notes('a', 'new', 'b', 'c'))]);
    expect(codes()).toEqual([]);
    expect(harness.platform.bodies('notes').at(-1)).toMatchObject({ notes: [{ body: 'c' }] });
  });

  it('is told of when it left the export: what the platform has stays there', async () => {
    await harness.run([planOf('1', { ...notes('a', 'b'), ...agreements('A', 'B'), ...payment })]);
    expect(await harness.run([planOf('1', { ...agreements('B') })])).toMatchObject({
      exit: 0,
      requests: 0,
      accounts: { completed: 1 },
    });
    expect(codes()).toEqual(['no_longer_in_export notes', 'no_longer_in_export ', 'no_longer_in_export ']);
  });
});

describe('an item of several that changed after import', () => {
  const paid = (...amounts: string[]) => ({
    transactions: [
      {
        transactions: amounts.map((amount, index) => ({
          transaction_id: `T-${index}`,
          transaction_date: '2024-01-01',
          amount,
          type: 'PAYMENT',
        })),
      },
    ],
  });
  const exists = (data?: JsonObject) => ({
    status: 'TRANSACTION_ALREADY_EXISTS',
    ...(data === undefined ? {} : { transaction_data: data }),
  });

  it.each([
    ['names nothing', undefined],
    [
      'names what it was just sent',
      { transaction_id: 'T-1', transaction_date: '2024-01-01', amount: '5001.10', type: 'PAYMENT' },
    ],
  ])('is told, though the platform %s and says that it has it', async (_what, data) => {
    await harness.run([planOf('1', paid('2.00', '1.10', '3.00'))]);
    harness.platform.answers('transactions', ok({ results: [exists(data)] }));
    const changed = planOf('1', paid('2.00', '5001.10', '3.00'));
    expect(await harness.run([changed])).toMatchObject({ exit: 3, accounts: { rejected: 1 } });
    expect(codes()).toEqual(['changed_after_import transactions.1.amount']);
    // The others are there as they were sent: they are not sent again.
    expect(sentIds()).toEqual(['T-0', 'T-1', 'T-2', 'T-1']);
    expect(await harness.run([changed])).toMatchObject({ exit: 3, requests: 0 });
    expect(await harness.run([planOf('1', paid('2.00', '1.10', '3.00'))])).toMatchObject({ exit: 0 });
  });

  it('is told also where the first answer about it was lost', async () => {
    await harness.run([planOf('1', paid('2.00', '1.10'))]);
    harness.platform.answers('transactions', lost(), ok({ results: [exists()] }));
    expect(await harness.run([planOf('1', paid('2.00', '5001.10'))])).toMatchObject({ exit: 3 });
    expect(codes()).toEqual(['changed_after_import transactions.1.amount']);
  });

  it('does not make a new one look changed whose first answer was lost', async () => {
    await harness.run([planOf('1', transactions('1', '2'))]);
    harness.platform.answers('transactions', lost(), ok({ results: [exists()] }));
    expect(await harness.run([planOf('1', transactions('2', '3'))])).toMatchObject({
      exit: 0,
      accounts: { completed: 1 },
    });
    expect(codes()).toEqual(['no_longer_in_export transactions']);
  });

  it('does not make a new one look changed that a refused request left there', async () => {
    await harness.run([planOf('1', transactions('1', '2'))]);
    const bad = (path: string) => refused('TRANSACTION_IMPORT_ERROR', path);
    const kept = ok({ results: [exists()] });
    harness.platform.answers('transactions', bad('transactions.1'), bad('transactions.0'), kept);
    expect(await harness.run([planOf('1', transactions('2', '3', '4'))])).toMatchObject({ exit: 3 });
    expect(codes()).toEqual(['no_longer_in_export transactions', 'TRANSACTION_IMPORT_ERROR transactions.2']);
  });

  it('is no change where its amount is written otherwise and the platform names it', async () => {
    await harness.run([planOf('1', paid('2.00', '1.10'))]);
    const data = { transaction_id: 'T-1', amount: '1.10', type: 'PAYMENT', transaction_date: '2024-01-01' };
    harness.platform.answers('transactions', ok({ results: [exists(data)] }));
    expect(await harness.run([planOf('1', paid('2.00', '1.1'))])).toMatchObject({ exit: 0 });
  });

  const statement = (id: string, gross_amount = 1) => ({
    statement_id: id,
    bill_period_from_date: '2024-01-01',
    bill_period_to_date: '2024-02-01',
    gross_amount,
  });
  const asStatements = (...statements: JsonObject[]) => ({ statements: [{ statements }] });
  const sentStatements = () =>
    harness.platform
      .bodies('statements')
      .map((body) =>
        (body['statements'] as { statement_id: string }[]).map((one) => one.statement_id).join(),
      );

  it('does not make a new statement look changed when it is gone, or changed itself', async () => {
    await harness.run([planOf('1', asStatements(statement('a'), statement('b')))]);
    const without = planOf('1', asStatements(statement('b'), statement('c')));
    expect(await harness.run([without])).toMatchObject({ exit: 0, accounts: { completed: 1 } });
    expect(codes()).toEqual(['no_longer_in_export statements']);
    const changed = planOf('1', asStatements(statement('b', 2), statement('c'), statement('d')));
    expect(await harness.run([changed])).toMatchObject({ exit: 3, accounts: { rejected: 1 } });
    expect(codes()).toContain('changed_after_import statements.0.gross_amount');
    expect(sentStatements()).toEqual(['a,b', 'c', 'd']);
  });

  it('does not keep a new statement back while it is uncertain', async () => {
    harness.platform.answers('statements', lost(), refused('x'));
    await harness.run([planOf('1', asStatements(statement('a')))]);
    const grown = planOf('1', asStatements(statement('a', 2), statement('b')));
    expect(await harness.run([grown])).toMatchObject({ exit: 8, accounts: { uncertain: 1 } });
    expect(sentStatements()).toEqual(['a', 'a', 'b']);
  });

  it('is the only statement that is told', async () => {
    const statements = (...amounts: number[]) =>
      asStatements(...amounts.map((amount, index) => statement(`S-${index}`, amount)));
    await harness.run([planOf('1', statements(1, 2, 3))]);
    expect(await harness.run([planOf('1', statements(1, 20, 3))])).toMatchObject({ exit: 3, requests: 0 });
    expect(codes()).toEqual(['changed_after_import statements.1.gross_amount']);
  });
});

describe('an effect that is not known', () => {
  it('stays uncertain when its record leaves the export', async () => {
    harness.platform.answers('agreements', lost());
    expect(await harness.run([planOf('1', agreements('A'))])).toMatchObject({ exit: 8 });
    expect(await harness.run([planOf('1')])).toMatchObject({ exit: 8, accounts: { uncertain: 1 } });
    expect(await harness.run([planOf('1')])).toMatchObject({ exit: 8, requests: 0 });
  });

  it('is never overwritten by what is sent beside it', async () => {
    harness.platform.answers('transactions', lost());
    await harness.run([planOf('1', transactions('a'))], unchecked);
    expect(await harness.run([planOf('1', transactions('x', 'a'))], unchecked)).toMatchObject({ exit: 8 });
    expect(await harness.run([planOf('1', transactions('x', 'y', 'a'))], unchecked)).toMatchObject({
      exit: 8,
    });
    expect(sentIds()).toEqual(['a', 'x', 'y']);
  });

  it.each([
    ['transactions', transactions],
    ['notes', notes],
  ] as const)('of several %s lets no refusal settle one that did not change', async (step, of) => {
    harness.platform.answers(step, lost(), notSent, notSent);
    await harness.run([planOf('1', of('a', 'b'))]);
    const first = `${step}.0`;
    harness.platform.answers(step, refused('x', first), refused('x', first), refused('x', first));
    expect(await harness.run([planOf('1', of('changed', 'b'))])).toMatchObject({ exit: 8 });
    const journal = openJournal(harness.journalFile, { synchronous: 'NORMAL', create: false });
    const entry = await journal.find('https://platform.example', { supplier, account: '1' });
    await journal.close();
    const parts = entry?.parts.filter((part) => part.step === step) ?? [];
    const singles = parts.filter(({ hash }) => hash.endsWith(':1'));
    // `b` has the first free number.
    expect(singles.map(({ state }) => state)).toEqual(['uncertain', 'refused']);
  });

  it('is not hidden by a run of other steps', async () => {
    harness.platform.answers('agreements', lost());
    await harness.run([planOf('1', { ...agreements('A'), ...payment })]);
    expect(
      await harness.run([planOf('1', agreements('A'))], { steps: new Set(['statements']) }),
    ).toMatchObject({
      exit: 8,
      accounts: { uncertain: 1 },
    });
  });

  it('does not keep what failed beside it from being sent again', async () => {
    harness.platform.answers('agreements', lost(), ...Array.from({ length: 5 }, () => throttled(1)));
    await harness.run([planOf('1', agreements('A', 'B', 'C'))]);
    expect(await harness.run([planOf('1', agreements('A', 'B', 'C'))])).toMatchObject({ exit: 8 });
    expect(tariffs().filter((code) => code === 'A')).toHaveLength(1);
    expect(tariffs().at(-1)).toBe('C');
  });

  it('of process makes an account ours, also after a later refusal', async () => {
    const unknown = ok({ status: 'UNKNOWN' }, 200);
    harness.platform.answers('process', lost(), refused('team')).answers('transferStatus', unknown, unknown);
    expect(await harness.run([planOf('1')])).toMatchObject({ accounts: { rejected: 1 } });
    const exists = refused('account_import_process_already_imported', '', { krakenAccountNumber: 'A-1' });
    harness.platform.answers('stage', exists);
    const fixed = planOf('1', {}, { sales_channel: 'EVENTS' });
    expect(await harness.run([fixed])).not.toMatchObject({ accounts: { skipped: 1 } });
  });

  it('of process is waited out from when its answer was given up, not from when it left', async () => {
    harness.platform.onRequest = (endpoint) => {
      // The answer is waited for until the time is up.
      if (endpoint === 'process') void harness.clock.sleep(120_000);
    };
    harness.platform.answers('process', lost('headers_timeout'));
    await harness.run([planOf('1')]);
    expect(harness.platform.asked.map((request) => request.endpoint).slice(2)).toEqual([
      'process',
      'transferStatus',
      'transferStatus',
      'process',
    ]);
  });
});

describe('data that changed while an earlier staging request may still be on its way', () => {
  it('is staged only when that request must have arrived, so that it cannot be staged over', async () => {
    harness.platform.answers('stage', lost(), ok({}));
    await harness.run([planOf('1')], { steps: new Set(['validate', 'stage']) });
    const slept = harness.clock.slept.length;
    const changed = planOf('1', {}, { sales_channel: 'EVENTS' });
    expect(await harness.run([changed])).toMatchObject({ exit: 0, accounts: { completed: 1 } });
    // The quiet period, less the wait before the lost request was repeated.
    expect(harness.clock.slept.slice(slept)).toEqual([5000 - 50]);
  });
});

describe('an account that a local rule held up', () => {
  it('is as it was once the rule is content, though its data did not change', async () => {
    await harness.run([planOf('1', notes('a'))]);
    const problem = { account: '1', code: 'x', path: '', detail: 'No.', severity: 'error' as const };
    await harness.run([{ ...planOf('1', notes('a')), problems: [problem] }]);
    expect(await harness.run([planOf('1', notes('a'))])).toMatchObject({
      exit: 0,
      requests: 0,
      accounts: { completed: 1 },
    });
  });
});

describe('what the platform refused', () => {
  it('is not sent again because something else changed', async () => {
    harness.platform.answers('paymentInstruction', refused('vendor'));
    await harness.run([planOf('1', payment)]);
    expect(await harness.run([planOf('1', { ...payment, ...notes('a') })])).toMatchObject({
      exit: 3,
      accounts: { rejected: 1 },
    });
    expect(harness.platform.times('paymentInstruction')).toBe(1);
    expect(harness.platform.times('notes')).toBe(1);
  });

  const notFound: Answer<never> = {
    kind: 'not-found',
    status: 404,
    refusal: { problems: [], code: 'account_not_found', detail: 'No.', wouldImport: false },
  };

  it.each([
    [
      'a document that is at fault',
      refused('invalid', 'historical_billing_documents.0.issued_date'),
      'uncertain',
    ],
    ['an account that does not exist', notFound, 'failed'],
    ['a supplier that is paused', refused('import_supplier_migration_not_ongoing'), 'uncertain'],
    ['a ledger that does not exist', refused('ledger_not_found', 'ledger_code'), 'uncertain'],
    ['a ledger, in words alone', refused('invalid', 'ledger_code'), 'uncertain'],
  ])('of a ledger after a lost answer does not count as ours for %s', async (_what, refusal, ended) => {
    const tenancy: Tenancy = {
      statementsRefuseKnownIds: true,
      agreementsMayRepeat: false,
      billingRefusalCountsAsOurs: true,
      paymentRefusalAfter500: false,
    };
    const ledger = {
      'billing-documents': [
        {
          ledger_code: 'ELECTRICITY',
          billing_document_type: 'ITEM_BASED',
          historical_billing_documents: [
            {
              billing_document_identifier: 'b',
              billing_document_type: 'ITEM_BASED',
              issued_date: '2024-01-01',
            },
          ],
        },
      ],
    };
    harness.platform.answers('billingDocuments', lost(), ...Array.from({ length: 40 }, () => refusal));
    expect(await harness.run([planOf('1', ledger)], { tenancy })).toMatchObject({
      accounts: { [ended]: 1 },
    });
  });

  it.each([
    ['', []],
    [', whose answer was lost,', [lost(), lost(), lost()]],
  ])('as it was before a dry run staged another version%s is staged once more', async (_what, answers) => {
    const before = planOf('1');
    const between = planOf('1', {}, { sales_channel: 'OTHER' });
    await harness.run([before], { steps: new Set(['validate', 'stage'] as const) });
    harness.platform.answers('stage', ...answers);
    await harness.run([between], { dryRun: true });
    expect(harness.platform.bodies('stage').at(-1)).toHaveProperty('sales_channel');
    expect(await harness.run([before])).toMatchObject({ exit: 0, accounts: { completed: 1 } });
    expect(harness.platform.bodies('stage').at(-1)).not.toHaveProperty('sales_channel');
  });

  it('as never staged right after staging is asked again: one of the servers is behind', async () => {
    harness.platform.answers('process', ...Array.from({ length: 3 }, () => notStaged));
    expect(await harness.run([planOf('1')])).toMatchObject({ exit: 0, accounts: { completed: 1 } });
    expect(harness.platform.times('stage')).toBe(1);
    expect(harness.clock.slept).toEqual([250, 500, 1000]);
  });

  it('as never staged for longer than the patience fails, and the next run finishes it', async () => {
    harness.platform.answers('process', ...Array.from({ length: 12 }, () => notStaged));
    expect(await harness.run([planOf('1')])).toMatchObject({ accounts: { failed: 1 } });
    expect(await harness.run([planOf('1')])).toMatchObject({ exit: 0, accounts: { completed: 1 } });
  });

  it('as never staged of data from an earlier run is staged once more', async () => {
    await harness.run([planOf('1')], { steps: new Set(['validate', 'stage'] as const) });
    harness.platform.answers('process', notStaged);
    expect(await harness.run([planOf('1')])).toMatchObject({ exit: 0, accounts: { completed: 1 } });
    expect(harness.platform.times('stage')).toBe(2);
  });

  it('because it does not know the account that it has just created is asked again', async () => {
    const unknown = refused('account_not_found');
    const extras = { notes: [{ notes: [{ body: 'a' }, { body: 'b' }] }], ...agreements('A') };
    harness.platform.answers('notes', unknown, unknown).answers('agreements', unknown);
    expect(await harness.run([planOf('1', extras)])).toMatchObject({ exit: 0, accounts: { completed: 1 } });
    // Both notes in one request each time: nothing is split.
    expect(harness.platform.bodies('notes').map(({ notes }) => (notes as unknown[]).length)).toEqual([
      2, 2, 2,
    ]);
  });

  it('because it does not know the account for longer than the patience fails, and the next run sends it', async () => {
    const unknown = refused('account_not_found');
    harness.platform.answers('notes', ...Array.from({ length: 12 }, () => unknown));
    const extras = { notes: [{ notes: [{ body: 'a' }] }] };
    expect(await harness.run([planOf('1', extras)])).toMatchObject({ exit: 3, accounts: { failed: 1 } });
    expect(await harness.run([planOf('1', extras)])).toMatchObject({ exit: 0, accounts: { completed: 1 } });
  });
});

describe('a process request whose answer is lost each time', () => {
  it('fails its account after the configured attempts, and is asked about first in the next run', async () => {
    harness.platform.answers('process', serverError, serverError, serverError);
    expect(await harness.run([planOf('1')])).toMatchObject({ exit: 3, accounts: { failed: 1 } });
    expect(harness.platform.times('process')).toBe(3);
    const before = harness.platform.asked.length;
    expect(await harness.run([planOf('1')])).toMatchObject({ exit: 0, accounts: { completed: 1 } });
    expect(harness.platform.asked[before]?.endpoint).toBe('transferStatus');
  });
});

describe('one of two suppliers that is not Ongoing', () => {
  it('does not hold up the other', async () => {
    const other = planOf('2');
    const plan = {
      ...other,
      key: { supplier: 'SECOND', account: '2' },
      payload: { ...other.payload, import_supplier: 'SECOND' },
    };
    harness.platform.answers('stage', refused('import_supplier_migration_not_ongoing'));
    expect(await harness.run([planOf('1'), plan])).toMatchObject({
      exit: 5,
      accounts: { pending: 1, completed: 1 },
    });
  });
});

describe('a limit', () => {
  it('is not used up by accounts that cannot move', async () => {
    const plans = ['1', '2', '3'].map((account) => planOf(account));
    const steps = { steps: new Set(['validate', 'stage'] as const), limit: 1 };
    await harness.run(plans, steps);
    await harness.run(plans, steps);
    expect(await harness.run(plans, steps)).toMatchObject({ exit: 0, accounts: { staged: 3 } });
  });
});

describe('a dry run of some steps', () => {
  it('goes no further than they do', async () => {
    await harness.run([planOf('1')], { dryRun: true, steps: new Set(['validate']) });
    expect(harness.platform.asked.map((request) => request.endpoint)).toEqual(['validate']);
  });
});
