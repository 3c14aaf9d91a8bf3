import type { PostEndpoint } from '../../client/platform-client.ts';
import { endpointOf } from '../../contract/endpoints.ts';
import type { ExtraStepName } from '../../domain/steps.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';
import type { ConformanceCheck } from '../check.ts';
import type { Answered } from '../sandbox.ts';
import { fieldOf, type Trial } from '../trial.ts';

/** Section 4, rules 5 to 8, and sections 2.6 to 2.11: what is added to an account. */
export const extraDataChecks: readonly ConformanceCheck[] = [
  {
    section: '2.7',
    sentence: 'The response has created_at, body and status of each note.',
    asks: ['notes'],
    account: 'shared',
    run: async (trial) => {
      const bodies = ['With a time.', 'Without one.'];
      const answered = await addNotes(trial, [
        { body: bodies[0] ?? '', created_at: '2020-01-01T12:00:00Z' },
        { body: bodies[1] ?? '' },
      ]);
      if (!trial.expectSuccess('notes', answered)) return;
      const results = listOf(answered.body);
      trial.expect(results.length === bodies.length, `${bodies.length} results`, answered);
      for (const body of bodies) {
        const own = results.find((result) => fieldOf(result, 'body') === body);
        trial.expect(own !== undefined, `a result with the body ${JSON.stringify(body)}`, answered);
        if (own === undefined) continue;
        trial.expect(typeof fieldOf(own, 'created_at') === 'string', 'created_at of each note', answered);
        trial.expect(fieldOf(own, 'status') === 'NOTE_CREATION_SUCCESS', 'NOTE_CREATION_SUCCESS', answered);
      }
    },
  },
  {
    section: '2.7',
    sentence:
      'The platform recognises a note that it already has by the same body and, if one is given, the same created_at.',
    asks: ['notes'],
    account: 'shared',
    run: async (trial) => {
      const first = { body: 'Said twice.', created_at: '2020-01-01T12:00:00Z' };
      if (!trial.expectSuccess('notes', await addNotes(trial, [first]))) return;
      for (const [note, status] of [
        [first, 'NOTE_ALREADY_EXISTS'],
        [{ body: first.body }, 'NOTE_ALREADY_EXISTS'],
        [{ ...first, created_at: '2021-01-01T12:00:00Z' }, 'NOTE_CREATION_SUCCESS'],
      ] as const) {
        const answered = await addNotes(trial, [note]);
        if (!trial.expectSuccess('notes', answered)) continue;
        trial.expect(
          fieldOf(listOf(answered.body)[0], 'status') === status,
          `${status} for ${JSON.stringify(note)}`,
          answered,
        );
      }
    },
  },
  {
    section: '2.7',
    sentence: 'A note has a body, or document_paths (each with a document_path, 2.1), or both.',
    asks: ['notes'],
    account: 'shared',
    run: async (trial) => {
      trial.expectStatus(
        await addNotes(trial, [{ is_pinned: true }]),
        400,
        'for a note with neither of the two',
      );
    },
  },
  {
    section: '2.7',
    sentence:
      "is_pinned keeps the note at the top of the account's page; unpin_at, a datetime, may end that.",
    asks: ['notes'],
    account: 'shared',
    run: async (trial) => {
      const pinned = { body: 'Pinned.', is_pinned: true, unpin_at: '2099-06-01T12:00:00Z' };
      trial.expectSuccess('notes', await addNotes(trial, [pinned]));
    },
  },
  {
    section: '7',
    sentence: 'the account does not exist; for notes it must be imported, not only staged',
    asks: ['notes'],
    account: 'staged',
    run: async (trial) => {
      const { platform, payloads, account } = trial;
      for (const missing of [account, platform.newAccount()]) {
        const answered = await platform.post('notes', payloads.notes(missing, [{ body: 'A note.' }]));
        trial.expectStatus(answered, 404, 'for an account that is not imported');
      }
    },
  },
  {
    section: '2.6',
    sentence: 'The response has a status and the data of each transaction.',
    asks: ['transactions'],
    account: 'shared',
    run: async (trial) => {
      const sent = everyType(trial);
      const answered = await addTransactions(trial, sent);
      if (!trial.expectSuccess('transactions', answered)) return;
      const results = listOf(fieldOf(answered.body, 'results'));
      trial.expect(results.length === sent.length, `${sent.length} results`, answered);
      for (const result of results) {
        trial.expect(
          fieldOf(result, 'status') === 'TRANSACTION_ADDED_TO_ACCOUNT',
          'TRANSACTION_ADDED_TO_ACCOUNT',
          { ...answered, body: result },
        );
        trial.expect(isJsonObject(fieldOf(result, 'transaction_data')), 'transaction_data', {
          ...answered,
          body: result,
        });
      }
    },
  },
  {
    section: '4',
    sentence: 'With check_previously_added, the platform skips transactions that it already has.',
    asks: ['transactions'],
    account: 'shared',
    run: async (trial) => {
      const one = trial.payloads.charge(`${trial.account}-E1`);
      if (!trial.expectSuccess('transactions', await addTransactions(trial, [one]))) return;
      const again = await addTransactions(trial, [one, trial.payloads.charge(`${trial.account}-E2`)]);
      if (!trial.expectSuccess('transactions', again)) return;
      const wanted = ['TRANSACTION_ALREADY_EXISTS', 'TRANSACTION_ADDED_TO_ACCOUNT'];
      const statuses = listOf(fieldOf(again.body, 'results')).map((result) => fieldOf(result, 'status'));
      trial.expect(
        wanted.every((status, index) => statuses[index] === status),
        wanted.join(' and '),
        again,
      );
    },
  },
  {
    section: '4',
    sentence: 'With check_previously_added=false, it does not check.',
    asks: ['transactions'],
    account: 'shared',
    run: async (trial) => {
      const one = trial.payloads.charge(`${trial.account}-C1`);
      if (!trial.expectSuccess('transactions', await addTransactions(trial, [one]))) return;
      const again = await addTransactions(trial, [one], '?check_previously_added=false');
      const [result] = listOf(fieldOf(again.body, 'results'));
      trial.expect(
        fieldOf(result, 'status') !== 'TRANSACTION_ALREADY_EXISTS',
        'another status than TRANSACTION_ALREADY_EXISTS',
        again,
      );
    },
  },
  {
    section: '4',
    sentence:
      'With force_add_to_current_statement, it moves a date outside the open statement period into that period, and adds a pinned note.',
    asks: ['stage', 'process', 'transactions'],
    account: 'new',
    creates: true,
    run: async (trial) => {
      if (!(await importClosed(trial))) return;
      trial.expectSuccess('transactions', await addTransactions(trial, [old(trial, 'M1')]));
    },
  },
  {
    section: '4',
    sentence: 'If a transaction fails, the response names the first one.',
    asks: ['stage', 'process', 'transactions'],
    account: 'new',
    creates: true,
    run: async (trial) => {
      if (!(await importClosed(trial))) return;
      const sent = [trial.payloads.charge('F1'), old(trial, 'F2'), old(trial, 'F3')];
      const answered = await addTransactions(trial, sent, '?force_add_to_current_statement=false');
      if (!trial.expectStatus(answered, 400, 'for a date outside the open statement period')) return;
      trial.expectField(answered, 'status', 'TRANSACTION_IMPORT_ERROR');
      trial.expectField(answered, 'error_detail', (value) => typeof value === 'string', 'text');
      const failed = fieldOf(answered.body, 'transaction_data');
      trial.expect(fieldOf(failed, 'transaction_id') === 'F2', 'transaction_data of F2 alone', answered);
    },
  },
  {
    section: '4',
    sentence: 'The response to historical agreements is empty.',
    asks: ['agreements'],
    account: 'shared',
    run: async (trial) => {
      const { payloads, platform, account } = trial;
      if (payloads.contract === undefined && !payloads.isKnown('agreements')) {
        trial.notChecked =
          'The interface does not define this request. Name a contract, or a payload of agreements with --payloads.';
        return;
      }
      const answered = await platform.post('agreements', payloads.agreements(account));
      if (trial.expectSuccess('agreements', answered)) expectNothingElse(trial, answered);
    },
  },
  ...(['ITEM_BASED', 'PERIOD_BASED'] as const).map((type): ConformanceCheck => ({
    section: '2.8',
    sentence: 'A ledger accepts one request.',
    subject: type,
    asks: ['billingDocuments'],
    account: 'imported',
    creates: true,
    run: async (trial) => {
      const payload = trial.payloads.billingDocuments(trial.account, `L-${type}`, type);
      const first = await trial.platform.post('billingDocuments', payload);
      if (!trial.expectSuccess('billingDocuments', first)) return;
      expectNothingElse(trial, first);
      const second = await trial.platform.post('billingDocuments', payload);
      trial.expectStatus(second, 400, `for more ${type} documents of the ledger`);
    },
  })),
  {
    section: '4',
    sentence: 'The response to statements is the validated data.',
    asks: ['statements'],
    account: 'shared',
    run: async (trial) => {
      const answered = await trial.platform.post('statements', trial.payloads.statements(trial.account));
      if (trial.expectSuccess('statements', answered)) expectNothingElse(trial, answered);
    },
  },
  {
    section: '4',
    sentence: "The response to a payment instruction has the account's number and the reference.",
    asks: ['paymentInstruction', 'transferStatus'],
    account: 'imported',
    creates: true,
    run: async (trial) => {
      const { payloads, platform, account } = trial;
      if (!payloads.isKnown('payment-instruction')) {
        trial.notChecked = 'Name an instruction that the vendor knows: payment-instruction in --payloads.';
        return;
      }
      const payload = payloads.paymentInstruction(account);
      const number = fieldOf((await platform.status(account)).body, 'kraken_account_number') ?? '';
      const answered = await platform.post('paymentInstruction', payload);
      if (!trial.expectSuccess('paymentInstruction', answered)) return;
      trial.expectField(answered, 'kraken_account_number', number);
      trial.expectField(answered, 'reference', payload['reference'] ?? '');
    },
  },
  ...(['transactions', 'billing-documents', 'statements', 'payment-instruction'] as const).map(
    (step): ConformanceCheck => ({
      section: '4',
      sentence: 'They need an account that exists.',
      subject: step,
      asks: [endpointOf[step]],
      account: 'staged',
      run: async (trial) => {
        const endpoint: PostEndpoint = endpointOf[step];
        const answered = await trial.platform.post(endpoint, extraPayload(trial, step));
        trial.expectNoSuccess(answered, `of ${step} for an account that is only staged`);
      },
    }),
  ),
];

/** A payload of each step that adds to an account. */
export function extraPayload({ payloads, account }: Trial, step: ExtraStepName): JsonObject {
  switch (step) {
    case 'notes':
      return payloads.notes(account, [{ body: 'A note.' }]);
    case 'transactions':
      return payloads.transactions(account, [payloads.charge(`${account}-X1`)]);
    case 'agreements':
      return payloads.agreements(account);
    case 'billing-documents':
      return payloads.billingDocuments(account, 'L-X', 'ITEM_BASED');
    case 'statements':
      return payloads.statements(account);
    case 'payment-instruction':
      return payloads.paymentInstruction(account);
  }
}

function addNotes({ platform, payloads, account }: Trial, notes: JsonObject[]): Promise<Answered> {
  return platform.post('notes', payloads.notes(account, notes));
}

function addTransactions(trial: Trial, transactions: JsonObject[], query = ''): Promise<Answered> {
  const { platform, payloads, account } = trial;
  return platform.post('transactions', payloads.transactions(account, transactions), query);
}

/** One transaction of each type that needs no code of the tenancy (2.6). */
function everyType({ payloads, account }: Trial): JsonObject[] {
  const paid = { reference: 'P', payment_type: 'DD_REGULAR_COLLECTION' };
  return [
    payloads.charge(`${account}-K1`, { display_note: 'For the customer', note: 'Internal' }),
    payloads.charge(`${account}-K2`, { type: 'CREDIT', reason: 'IMPORTED_CREDIT' }),
    payloads.charge(`${account}-K3`, { type: 'PAYMENT', reason: 'ACCOUNT_CHARGE_PAYMENT', ...paid }),
    payloads.charge(`${account}-K4`, { type: 'REPAYMENT', reason: 'FULL_CREDIT_REFUND', ...paid }),
  ];
}

/** The trial's account, imported with a ledger whose last statement was closed a month ago. */
async function importClosed(trial: Trial): Promise<boolean> {
  const { platform, payloads, account } = trial;
  const payload = payloads.withClosing(account, payloads.daysAgo(30));
  if (payload === undefined) {
    trial.notOffered = 'The contract has no last_statement_closing_date.';
    return false;
  }
  if (!trial.expectSuccess('stage', await platform.post('stage', payload))) return false;
  return trial.expectSuccess('process', await platform.post('process', payloads.process(account)));
}

/** A transaction from before the open statement period. */
function old({ payloads }: Trial, id: string): JsonObject {
  return payloads.charge(id, { transaction_date: payloads.daysAgo(90) });
}

/** Nothing, or what was sent: anything else may come from a proxy. */
function expectNothingElse(trial: Trial, answered: Answered): void {
  const { body, isEmpty } = answered;
  const isOurs =
    isEmpty ||
    (isJsonObject(body) &&
      (Object.keys(body).length === 0 ||
        'external_account_number' in body ||
        'import_supplier' in body ||
        'statements' in body));
  trial.expect(isOurs, 'an empty body, or the data that was sent', answered);
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}
