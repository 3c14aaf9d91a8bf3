import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Answer } from '../../src/client/platform-client.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import type { AccountEntry, Journal } from '../../src/journal/journal.ts';
import { openJournal } from '../../src/journal/sqlite/open-journal.ts';
import { putBackInLine } from '../../src/pipeline/account/rulings.ts';
import {
  defaultSettings,
  lost,
  ok,
  planOf,
  refused,
  rules,
  supplier,
  throttled,
  Harness,
} from './harness.ts';
import { SimulatedTime } from './simulated-time.ts';

let harness: Harness;
beforeEach(() => void (harness = new Harness()));
afterEach(() => harness.dispose());

const note = (body: string): JsonObject => ({ body });
const transaction = (id: string, amount = '1.10'): JsonObject => ({
  transaction_id: id,
  transaction_date: '2024-01-01',
  amount,
  type: 'PAYMENT',
});
const statement = (id: string): JsonObject => ({
  statement_id: id,
  bill_period_from_date: '2024-01-01',
  bill_period_to_date: '2024-02-01',
});
const extras = {
  notes: (...bodies: string[]) => ({ notes: [{ notes: bodies.map(note) }] }),
  transactions: (...ids: string[]) => ({
    transactions: [{ transactions: ids.map((id) => transaction(id)) }],
  }),
  statements: (...ids: string[]) => ({ statements: [{ statements: ids.map(statement) }] }),
};
const instruction = { 'payment-instruction': [{ vendor: 'V', reference: 'R', type: 'CARD' }] };

const mismatch: Answer<never> = { kind: 'unknown', cause: 'answer_mismatch', status: 201 };
const queued: Answer<never> = {
  kind: 'unknown',
  cause: 'unrecognised_answer',
  status: 202,
  looks: '202 with JSON {queued}',
};
/** As a proxy refuses what it does not like. */
const gateway = (status: number): Answer<never> => ({
  kind: 'unknown',
  cause: `gateway_http_${status}`,
  status,
});

/** A refusal whose code is at its top, and whose problems are of a field alone. */
function fieldShaped(code: string, path: string): Answer<never> {
  const problems = [{ code: 'invalid', path, detail: 'already exists', severity: 'error' as const }];
  return {
    kind: 'refused',
    status: 400,
    refusal: { problems, code, detail: '', wouldImport: false },
  };
}

describe('a refusal after a lost answer is no proof', () => {
  it.each([
    ['a note', 'notes', extras.notes('a')],
    ['a transaction', 'transactions', extras.transactions('a')],
    ['a statement', 'statements', extras.statements('a')],
    ['a payment instruction', 'paymentInstruction', instruction],
  ] as const)('of %s: a person decides', async (_what, endpoint, plan) => {
    harness.platform.answers(endpoint, lost(), refused('invalid'));
    expect(await harness.run([planOf('1', plan)])).toMatchObject({ exit: 8, accounts: { uncertain: 1 } });
    expect(await harness.run([planOf('1', plan)])).toMatchObject({ exit: 8, requests: 0 });
  });

  it('of several notes: they are sent one by one, and only the refused one is left to a person', async () => {
    harness.platform.answers(
      'notes',
      lost(),
      refused('invalid'),
      ok([{ body: 'a', status: 'NOTE_ALREADY_EXISTS' }]),
      refused('invalid'),
    );
    expect(await harness.run([planOf('1', extras.notes('a', 'b', 'c'))])).toMatchObject({
      accounts: { uncertain: 1 },
    });
    expect(harness.platform.bodies('notes').map((body) => body['notes'])).toEqual([
      [note('a'), note('b'), note('c')],
      [note('a'), note('b'), note('c')],
      [note('a')],
      [note('b')],
      [note('c')],
    ]);
  });

  it('not even where the run is killed before they are sent one by one', async () => {
    harness.platform.answers('notes', lost(), refused('invalid'));
    await harness.runKilledAfter('intend notes 1', [planOf('1', extras.notes('a', 'b'))]);
    harness.platform.answers('notes', refused('invalid'), refused('invalid'), refused('invalid'));
    expect(await harness.run([planOf('1', extras.notes('a', 'b'))])).toMatchObject({
      exit: 8,
      accounts: { uncertain: 1 },
    });
  });

  it.each([
    ['as the code of the problem', refused('historical_statement_already_exists', 'statements.0')],
    [
      'as the code of the answer, with the id alone at fault',
      fieldShaped('historical_statement_already_exists', 'statements.0.statement_id'),
    ],
  ])('but "already exists" %s is: the statement is done', async (_how, answer) => {
    harness.platform.answers('statements', lost(), answer);
    expect(await harness.run([planOf('1', extras.statements('s'))])).toMatchObject({
      exit: 0,
      accounts: { completed: 1 },
    });
  });

  it.each([
    ['in words alone', fieldShaped('', 'statements.0.statement_id')],
    [
      'with something else at fault',
      fieldShaped('historical_statement_already_exists', 'statements.0.gross_amount'),
    ],
  ])('"already exists" %s proves nothing', async (_how, answer) => {
    harness.platform.answers('statements', lost(), answer);
    expect(await harness.run([planOf('1', extras.statements('s'))])).toMatchObject({
      accounts: { uncertain: 1 },
    });
  });
});

describe('"already exists" that answers the first attempt', () => {
  const exists = (path: string) => refused('historical_statement_already_exists', path);
  const ledger = (identifier: string) => ({
    ledger_code: 'L',
    billing_document_type: 'ITEM_BASED',
    historical_billing_documents: [
      {
        billing_document_identifier: identifier,
        billing_document_type: 'ITEM_BASED',
        issued_date: '2024-01-01',
      },
    ],
  });
  const finalized = refused('ledger_has_finalized_billing_document', 'ledger_code');
  const active = refused('account_has_active_instruction');

  it.each([
    ['a statement', 'statements', extras.statements('s'), exists('statements.0')],
    [
      'billing documents',
      'billingDocuments',
      { 'billing-documents': [ledger('d')] as JsonObject[] },
      finalized,
    ],
    ['a payment instruction', 'paymentInstruction', instruction, active],
  ] as const)(
    'of %s of an account that is ours leaves it to a person',
    async (_what, endpoint, plan, answer) => {
      harness.platform.answers(endpoint, answer);
      expect(await harness.run([planOf('1', plan)])).toMatchObject({ exit: 8, accounts: { uncertain: 1 } });
      expect(await harness.run([planOf('1', plan)])).toMatchObject({ exit: 8, requests: 0 });
    },
  );

  it('leaves it to a person also where a kill cut the creation short', async () => {
    const plan = planOf('1', extras.statements('s'));
    await harness.runKilledAfter('intend process 0', [plan]);
    const number = { status: 'COMPLETED', krakenAccountNumber: 'A-1' };
    harness.platform.answers('transferStatus', { kind: 'ok', status: 200, body: number });
    harness.platform.answers('statements', exists('statements.0'));
    expect(await harness.run([plan])).toMatchObject({ exit: 8, accounts: { uncertain: 1 } });
  });

  it.each([
    [exists('statements.0'), exists('statements.0')],
    [exists('statements.0'), exists('')],
  ])(
    'of an account that somebody else created is a refusal, of two statements of each (%#)',
    async (...said) => {
      const imported = refused('account_import_process_already_imported', '', { krakenAccountNumber: 'A-5' });
      harness.platform.answers('stage', imported).answers('statements', ...said, exists('statements.0'));
      const plan = planOf('1', extras.statements('s', 't'));
      expect(await harness.run([plan], { adopt: true })).toMatchObject({
        exit: 3,
        accounts: { rejected: 1 },
      });
    },
  );

  it('of an account that somebody else created is a refusal', async () => {
    const imported = refused('account_import_process_already_imported', '', { krakenAccountNumber: 'A-5' });
    harness.platform.answers('stage', imported).answers('statements', exists('statements.0'));
    harness.platform.answers('billingDocuments', finalized);
    const plan = planOf('1', { ...extras.statements('s'), 'billing-documents': [ledger('d')] });
    expect(await harness.run([plan], { adopt: true })).toMatchObject({ exit: 3, accounts: { rejected: 1 } });
  });

  it('is a refusal where another record of the account is what exists', async () => {
    const levels = new Map([
      ['duplicate_statement_ids', 'off'],
      ['billing_documents_ledger_repeated', 'off'],
    ] as const);
    harness.rules = { ...rules, levels };
    harness.platform.answers('statements', exists('statements.1'), ok(), exists('statements.0'));
    const twice = { statements: [{ statements: [statement('s'), { ...statement('s'), number: '2' }] }] };
    expect(await harness.run([planOf('1', twice)])).toMatchObject({ exit: 3, accounts: { rejected: 1 } });
    harness.platform.answers('billingDocuments', ok(), finalized);
    const ledgers = { 'billing-documents': [ledger('d'), ledger('e')] };
    expect(await harness.run([planOf('2', ledgers)])).toMatchObject({ exit: 3, accounts: { rejected: 1 } });
    expect([harness.platform.times('statements'), harness.platform.times('billingDocuments')]).toEqual([
      3, 2,
    ]);
  });
});

describe('of several statements that were refused as existing, a statement', () => {
  const exists = (at: number) => refused('historical_statement_already_exists', `statements.${at}`);
  const passing = refused('passing', 'import_supplier');
  const plan = planOf('1', extras.statements('S-1', 'S-2', 'S-3'));

  it('may be there: a refusal that is not about it leaves it to a person', async () => {
    harness.platform.answers('statements', exists(0), passing, exists(0), passing);
    expect(await harness.run([plan])).toMatchObject({ exit: 8, accounts: { uncertain: 1 } });
    expect(await states('statements')).toEqual(['uncertain', 'uncertain', 'uncertain']);
  });

  it('may be there also where the answer names another problem first', async () => {
    const problems = [
      { code: 'invalid_period', path: 'statements.1', detail: 'No.', severity: 'error' as const },
      {
        code: 'historical_statement_already_exists',
        path: 'statements.0',
        detail: 'No.',
        severity: 'error' as const,
      },
    ];
    const both: Answer<never> = {
      kind: 'refused',
      status: 400,
      refusal: { problems, code: '', detail: '', wouldImport: false },
    };
    harness.platform.answers('statements', both, passing, passing, passing);
    expect(await harness.run([plan])).toMatchObject({ exit: 8, accounts: { uncertain: 1 } });
    expect(await states('statements')).toEqual(['uncertain', 'uncertain', 'uncertain']);
  });

  it('may be there also in the next run', async () => {
    harness.platform.answers('statements', exists(0));
    harness.platform.onRequest = (endpoint) => {
      if (endpoint === 'statements') harness.stop.stop('interrupt');
    };
    await harness.run([plan]);
    harness.platform.onRequest = () => undefined;
    harness.platform.answers('statements', passing, passing, passing);
    const requestSizes = { ...defaultSettings.requestSizes, statements: 1 };
    expect(await harness.run([plan], { requestSizes })).toMatchObject({
      exit: 8,
      accounts: { uncertain: 1 },
    });
    expect((await states('statements')).filter((state) => state === 'uncertain')).toHaveLength(3);
  });

  it('is refused where the platform finds fault with it', async () => {
    harness.platform.answers('statements', exists(0), exists(0), refused('invalid_period', 'statements.0'));
    expect(await harness.run([plan])).toMatchObject({ exit: 8, accounts: { uncertain: 1 } });
    expect((await states('statements')).toSorted()).toEqual(['done', 'refused', 'uncertain']);
  });
});

describe('an answer about something else', () => {
  it('is not believed, and the repeat that is about this request is', async () => {
    harness.platform.answers('notes', mismatch);
    expect(await harness.run([planOf('1', extras.notes('a'))])).toMatchObject({ accounts: { completed: 1 } });
    expect(harness.platform.times('notes')).toBe(2);
  });

  it('leaves it to a person when the repeat is answered so too', async () => {
    harness.platform.answers('notes', mismatch, mismatch);
    expect(await harness.run([planOf('1', extras.notes('a'))])).toMatchObject({
      exit: 8,
      accounts: { uncertain: 1 },
    });
  });
});

async function inJournal<T>(work: (journal: Journal, entry: AccountEntry) => T | Promise<T>): Promise<T> {
  const journal = openJournal(harness.journalFile, { synchronous: 'NORMAL', create: false });
  const worked = await work(
    journal,
    await journal.open('https://platform.example', { supplier, account: '1' }),
  );
  await journal.close();
  return worked;
}

const states = (step = 'transactions') =>
  inJournal((_, { parts }) => parts.filter((part) => part.step === step).map(({ state }) => state));
const putBack = () => inJournal((journal, entry) => putBackInLine(journal, entry, {}, { at: 0 }));

describe('of several transactions that were refused for one of them, a transaction', () => {
  const failed = refused('TRANSACTION_IMPORT_ERROR', 'transactions');
  const passing = refused('passing', 'import_supplier');
  const plan = planOf('1', extras.transactions('T-1', 'T-2', 'T-3'));

  it('may be there: a refusal that is not about it leaves it to a person', async () => {
    harness.platform.answers('transactions', failed, passing, failed, passing);
    expect(await harness.run([plan])).toMatchObject({ exit: 8, accounts: { uncertain: 1 } });
    expect(await states()).toEqual(['uncertain', 'uncertain', 'refused']);
  });

  it('may be there also in the next run', async () => {
    harness.platform.answers('transactions', failed);
    harness.platform.onRequest = (endpoint) => {
      if (endpoint === 'transactions') harness.stop.stop('interrupt');
    };
    await harness.run([plan]);
    harness.platform.onRequest = () => undefined;
    harness.platform.answers('transactions', passing, failed);
    const requestSizes = { ...defaultSettings.requestSizes, transactions: 1 };
    expect(await harness.run([plan], { requestSizes })).toMatchObject({ exit: 8 });
    // The first is the whole.
    expect(await states()).toEqual(['refused', 'refused', 'done', 'uncertain']);
  });

  it.each([
    ['the run ended after the first of them', 1, 0],
    ['no more could be sent after the first of them', 1, 5],
    ['the last one to be sent could not be', 2, 5],
  ])('may be there also where %s was sent alone, and after a retry', async (_when, alone, throttles) => {
    const { platform } = harness;
    const yes = Array.from({ length: alone }, () => ok());
    platform.answers(
      'transactions',
      failed,
      ...yes,
      ...Array.from({ length: throttles }, () => throttled(1)),
    );
    platform.onRequest = () => {
      if (throttles === 0 && platform.times('transactions') === alone) harness.stop.stop('interrupt');
    };
    await harness.run([plan]);
    platform.onRequest = () => undefined;
    if (throttles > 0) await putBack();
    platform.answers('transactions', passing, passing, passing);
    expect(await harness.run([plan])).toMatchObject({ exit: 8, accounts: { uncertain: 1 } });
    const left = 3 - alone;
    expect((await states()).filter((state) => state === 'uncertain')).toHaveLength(left);
  });

  it('is refused where the whole was refused before any was looked at', async () => {
    harness.platform.answers('transactions', passing, passing, passing, passing);
    expect(await harness.run([plan])).toMatchObject({ exit: 3, accounts: { rejected: 1 } });
  });
});

describe('a request that could be doubled by a refusal which belongs to another one', () => {
  const scan = { notes: [{ notes: [{ document_paths: [{ document_path: '/a/1.pdf' }] }] }] };

  it('goes over a connection that carried no other answer', async () => {
    await harness.run(
      [planOf('1', { ...scan, ...extras.transactions('T-1', 'T-2'), ...extras.statements('S-1') })],
      {
        transactionsQuery: { checkPreviouslyAdded: false, forceAddToCurrentStatement: true },
        tenancy: { ...defaultSettings.tenancy, statementsRefuseKnownIds: false },
      },
    );
    expect(harness.platform.sentFreshly).toEqual(['notes', 'transactions', 'transactions', 'statements']);
  });

  it('is none where the platform recognises what it has', async () => {
    await harness.run([
      planOf('1', { ...extras.notes('a'), ...extras.transactions('T-1'), ...extras.statements('S-1') }),
    ]);
    expect(harness.platform.sentFreshly).toEqual([]);
  });
});

describe('a status without words of the platform', () => {
  it('fails the account that it keeps coming for, and no other', async () => {
    harness.platform.answers('stage', gateway(413), gateway(413), gateway(413));
    expect(await harness.run([planOf('1'), planOf('2')])).toMatchObject({
      exit: 3,
      accounts: { failed: 1, completed: 1 },
    });
    expect(harness.events).toContainEqual(
      expect.objectContaining({ type: 'account', account: '1', code: 'gateway_http_413' }),
    );
    expect(harness.events.filter(({ type }) => type === 'outage')).toEqual([]);
  });

  it('says nothing of what cannot be repeated', async () => {
    harness.platform.answers('agreements', gateway(403));
    const plan = planOf('1', { agreements: [{ tariff_code: 'T' }] });
    expect(await harness.run([plan])).toMatchObject({ exit: 8, accounts: { uncertain: 1 } });
  });
});

describe('five equal answers that nothing in the interface explains', () => {
  const plan = (account: string) => planOf(account, { agreements: [{ tariff_code: 'T' }], ...instruction });
  const accounts = Array.from({ length: 12 }, (_, at) => plan(String(at + 1)));
  const queuedTimes = (times: number) => Array.from({ length: times }, () => queued);
  beforeEach(() => {
    harness.time = new SimulatedTime();
  });

  it('hold their step if four more trials have the same answer, and nothing but that step', async () => {
    harness.platform.answers('agreements', ...queuedTimes(12));
    const ended = await harness.run(accounts);
    expect(ended).toMatchObject({
      exit: 8,
      accounts: { uncertain: 9, imported: 3 },
      stop: { reason: 'unrecognised-answers', detail: 'agreements: 202 with JSON {queued}' },
    });
    expect(harness.platform.times('agreements')).toBe(9);
    expect(harness.platform.times('paymentInstruction')).toBe(12);
    expect(harness.events).toContainEqual({
      type: 'held',
      step: 'agreements',
      looks: '202 with JSON {queued}',
    });
  });

  it.each([1, 16])('of one moment release it again, with %i at once', async (concurrency) => {
    harness.platform.answers('agreements', ...queuedTimes(7));
    expect(await harness.run(accounts, { concurrency })).toMatchObject({
      accounts: { imported: 0 },
      stop: undefined,
    });
    expect(harness.events.filter(({ type }) => type === 'held')).toEqual([]);
    expect(harness.platform.times('agreements')).toBe(12);
  });

  it('are tried by one account at a time', async () => {
    harness.platform.answers('agreements', ...queuedTimes(7));
    const times: number[] = [];
    harness.platform.onRequest = (endpoint) => {
      if (endpoint === 'agreements') times.push(harness.time?.now() ?? 0);
    };
    await harness.run(accounts);
    const waits = times.slice(5, 8).map((at, index) => at - (times[index + 4] ?? 0));
    expect(waits).toEqual([500, 1000, 2000]);
  });

  it('are not a row where the platform answers in between', async () => {
    const answers = [queued, queued, queued, queued, ok(), queued, queued, queued];
    harness.platform.answers('agreements', ...answers);
    expect(await harness.run(accounts)).toMatchObject({ accounts: { uncertain: 7, completed: 5 } });
    expect(harness.platform.times('agreements')).toBe(12);
  });

  it('stop the run where no account can be created without the step', async () => {
    harness.platform.answers('stage', ...Array.from({ length: 9 }, () => queued));
    expect(await harness.run(accounts, { retry: { ...defaultSettings.retry, attempts: 12 } })).toMatchObject({
      exit: 6,
      accounts: { pending: 12 },
      stop: { reason: 'unrecognised-answers' },
    });
    expect(harness.platform.times('stage')).toBe(9);
  });
});
