import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Journal } from '../../src/journal/journal.ts';
import { faultsIn } from '../../src/journal/sqlite/check-journal.ts';
import { openJournal } from '../../src/journal/sqlite/open-journal.ts';
import { putBackInLine, rule, type Ruling } from '../../src/pipeline/account/rulings.ts';
import type { StepName } from '../../src/domain/steps.ts';
import type { AccountPlan } from '../../src/mapping/plan.ts';
import { collect } from '../journal/conformance/collect.ts';
import { lost, ok, planOf, refused, Harness, supplier } from './harness.ts';

let harness: Harness;
beforeEach(() => void (harness = new Harness()));
afterEach(() => harness.dispose());

const platform = 'https://platform.example';
const agreement = { agreements: [{ agreement: { tariff_code: 'A' } }] };
const payment = { 'payment-instruction': [{ vendor: 'V', reference: 'r', type: 'CARD' }] };

async function inJournal<T>(work: (journal: Journal) => Promise<T>): Promise<T> {
  const journal = openJournal(harness.journalFile, { synchronous: 'NORMAL', create: false });
  try {
    return await work(journal);
  } finally {
    await journal.close();
  }
}

function resolved(step: StepName, ruling: Ruling, account = '1') {
  return inJournal(async (journal) =>
    rule(journal, await journal.open(platform, { supplier, account }), step, ruling, {
      at: harness.clock.now(),
    }),
  );
}

function retried(choice: { step?: StepName; code?: string } = {}) {
  return inJournal(async (journal) =>
    putBackInLine(journal, await journal.open(platform, { supplier, account: '1' }), choice, {
      at: harness.clock.now(),
    }),
  );
}

it('what a person rules as done is not sent again, and the account completes', async () => {
  harness.platform.answers('agreements', lost());
  await harness.run([planOf('1', agreement)]);
  expect(await resolved('agreements', { as: 'done' })).toBeUndefined();
  expect(await harness.run([planOf('1', agreement)])).toMatchObject({ exit: 0, accounts: { completed: 1 } });
  expect(harness.platform.times('agreements')).toBe(1);
});

it('what a person wants repeated is sent once more', async () => {
  harness.platform.answers('agreements', lost());
  await harness.run([planOf('1', agreement)]);
  await resolved('agreements', { as: 'repeat' });
  expect(await harness.run([planOf('1', agreement)])).toMatchObject({ exit: 0, accounts: { completed: 1 } });
  expect(harness.platform.times('agreements')).toBe(2);
});

const document = {
  billing_document_identifier: 'd',
  billing_document_type: 'ITEM_BASED',
  issued_date: '2024-01-01',
};
const ledger = {
  ledger_code: 'L',
  billing_document_type: 'ITEM_BASED',
  historical_billing_documents: [document],
};

it.each<[string, StepName, 'paymentInstruction' | 'billingDocuments', Parameters<typeof planOf>[1], string]>([
  [
    'a payment instruction',
    'payment-instruction',
    'paymentInstruction',
    payment,
    'account_has_active_instruction',
  ],
  [
    'billing documents',
    'billing-documents',
    'billingDocuments',
    { 'billing-documents': [ledger] },
    'ledger_has_finalized_billing_document',
  ],
])(
  '%s that a person wants repeated, and that the platform has, is left to a person again',
  async (_what, step, endpoint, extra, code) => {
    harness.platform.answers(endpoint, lost(), refused(code));
    await harness.run([planOf('1', extra)]);
    await resolved(step, { as: 'repeat' });
    harness.platform.answers(endpoint, refused(code));
    expect(await harness.run([planOf('1', extra)])).toMatchObject({ exit: 8, accounts: { uncertain: 1 } });
    expect(await resolved(step, { as: 'done' })).toBeUndefined();
    expect(await harness.run([planOf('1', extra)])).toMatchObject({ exit: 0, accounts: { completed: 1 } });
  },
);

it('of two requests of a step one may be ruled done and the other repeated', async () => {
  const two = { agreements: [{ agreement: { tariff_code: 'A' } }, { agreement: { tariff_code: 'B' } }] };
  harness.platform.answers('agreements', lost(), lost());
  await harness.run([planOf('1', two)]);
  await resolved('agreements', { as: 'done', part: 0 });
  // The other is still uncertain, and so is the account.
  expect(await harness.run([planOf('1', two)])).toMatchObject({ exit: 8, requests: 0 });
  expect(await resolved('agreements', { as: 'done', part: 0 })).toBe('not-uncertain');
  await resolved('agreements', { as: 'repeat', part: 1 });
  expect(await harness.run([planOf('1', two)])).toMatchObject({ exit: 0, accounts: { completed: 1 } });
  expect(harness.platform.bodies('agreements').map((body) => body['agreement'])).toEqual([
    { tariff_code: 'A' },
    { tariff_code: 'B' },
    { tariff_code: 'B' },
  ]);
});

it('of what waits for a ruling the journal has the places in the export, of each part its own', async () => {
  const two = { agreements: [{ agreement: { tariff_code: 'A' } }, { agreement: { tariff_code: 'B' } }] };
  const notes = { notes: [{ notes: [{ body: 'a' }, { document_paths: [{ document_path: '/a/1.pdf' }] }] }] };
  const located = (plan: AccountPlan): AccountPlan => ({
    ...plan,
    locate: (step, path, request = 0) => ({ file: `${step}.csv`, line: request + 2, column: path }),
  });
  harness.platform
    .answers('agreements', ok(), lost())
    .answers('notes', ok([{ status: 'NOTE_CREATION_SUCCESS' }]), lost());
  await harness.run([located(planOf('1', { ...two, ...notes }))]);
  const cells = await inJournal(async (journal) => {
    const entry = await journal.find(platform, { supplier, account: '1' });
    return collect(journal.partCells(entry?.id ?? 0));
  });
  expect(cells).toEqual([
    { step: 'notes', part: 1, cell: { file: 'notes.csv', line: 2, column: 'notes.1' } },
    { step: 'agreements', part: 1, cell: { file: 'agreements.csv', line: 3, column: '' } },
  ]);
});

it('a ruling on one step leaves the account uncertain while another is', async () => {
  harness.platform.answers('agreements', lost()).answers('paymentInstruction', lost(), lost());
  await harness.run([planOf('1', { ...agreement, ...payment })]);
  await resolved('agreements', { as: 'done' });
  const state = await inJournal(
    async (journal) => (await journal.find(platform, { supplier, account: '1' }))?.state,
  );
  expect(state).toBe('uncertain');
  await resolved('payment-instruction', { as: 'done' });
  expect(await harness.run([planOf('1', { ...agreement, ...payment })])).toMatchObject({
    exit: 0,
    requests: 0,
  });
});

it('what was lost, then refused in passing, is known for its own once a person has it repeated', async () => {
  const statement = {
    statement_id: 's',
    bill_period_from_date: '2024-01-01',
    bill_period_to_date: '2024-02-01',
  };
  const plan = planOf('1', { statements: [{ statements: [statement] }] });
  harness.platform.answers(
    'statements',
    lost(),
    refused('passing'),
    refused('historical_statement_already_exists'),
  );
  expect(await harness.run([plan])).toMatchObject({ exit: 8, accounts: { uncertain: 1 } });
  expect(await resolved('statements', { as: 'repeat' })).toBeUndefined();
  expect(await harness.run([plan])).toMatchObject({ exit: 0, accounts: { completed: 1 } });
});

it('what failed after an attempt of unknown outcome can be ruled on too, and what never was cannot', async () => {
  const plan = planOf('1', { notes: [{ notes: [{ body: 'a' }] }] });
  harness.platform.answers('notes', lost(), lost(), lost());
  expect(await harness.run([plan])).toMatchObject({ accounts: { failed: 1 } });
  expect(await resolved('notes', { as: 'done' })).toBeUndefined();
  expect(await harness.run([plan])).toMatchObject({ exit: 0, requests: 0, accounts: { completed: 1 } });
  expect(await resolved('notes', { as: 'repeat' })).toBe('not-uncertain');
});

describe('what the platform refused, and a person found there,', () => {
  const two = { agreements: [{ agreement: { tariff_code: 'A' } }, { agreement: { tariff_code: 'B' } }] };

  it('is done once it is ruled so, and is sent no more', async () => {
    harness.platform.answers('paymentInstruction', refused('account_has_instruction'));
    expect(await harness.run([planOf('1', payment)])).toMatchObject({ accounts: { rejected: 1 } });
    expect(await resolved('payment-instruction', { as: 'done' })).toBeUndefined();
    expect(await harness.run([planOf('1', payment)])).toMatchObject({
      exit: 0,
      requests: 0,
      accounts: { completed: 1 },
    });
  });

  it('is sent again if it is ruled so', async () => {
    harness.platform.answers('paymentInstruction', refused('vendor_away'));
    await harness.run([planOf('1', payment)]);
    expect(await resolved('payment-instruction', { as: 'repeat' })).toBeUndefined();
    expect(await harness.run([planOf('1', payment)])).toMatchObject({ exit: 0, accounts: { completed: 1 } });
    expect(harness.platform.times('paymentInstruction')).toBe(2);
  });

  it('stays refused where the ruling is on what is uncertain beside it', async () => {
    harness.platform.answers('agreements', refused('no_such_tariff'), lost());
    await harness.run([planOf('1', two)]);
    expect(await resolved('agreements', { as: 'done' })).toBeUndefined();
    expect(await harness.run([planOf('1', two)])).toMatchObject({ requests: 0, accounts: { rejected: 1 } });
    expect(await resolved('agreements', { as: 'done', part: 0 })).toBeUndefined();
    expect(await harness.run([planOf('1', two)])).toMatchObject({ requests: 0, accounts: { completed: 1 } });
  });

  it('is an account that was created by hand after process was refused', async () => {
    harness.platform.answers('process', refused('team_unknown'));
    expect(await harness.run([planOf('1', payment)])).toMatchObject({ accounts: { rejected: 1 } });
    expect(await resolved('process', { as: 'done' })).toBe('number-needed');
    expect(await resolved('process', { as: 'done', krakenAccountNumber: 'A-5' })).toBeUndefined();
    expect(await harness.run([planOf('1', payment)])).toMatchObject({ exit: 0, accounts: { completed: 1 } });
    expect(harness.platform.asked.at(-1)?.endpoint).toBe('paymentInstruction');
  });

  it('is an account that was skipped, and is ours after all', async () => {
    const imported = refused('account_import_process_already_imported', '', { krakenAccountNumber: 'A-5' });
    harness.platform.answers('stage', imported);
    expect(await harness.run([planOf('1', payment)])).toMatchObject({ accounts: { skipped: 1 } });
    expect(await resolved('process', { as: 'done', krakenAccountNumber: 'A-5' })).toBeUndefined();
    expect(await harness.run([planOf('1', payment)])).toMatchObject({ exit: 0, accounts: { completed: 1 } });
    expect([...faultsIn(harness.journalFile)]).toEqual([]);
  });
});

it('a process step is done with its number, or asked about again', async () => {
  harness.platform.answers('process', lost());
  const inProgress = Array.from({ length: 40 }, () => ok({ status: 'IN_PROGRESS' }, 200));
  harness.platform.answers('transferStatus', ...inProgress);
  await harness.run([planOf('1')]);
  expect(await resolved('process', { as: 'done' })).toBe('number-needed');
  expect(await resolved('notes', { as: 'done' })).toBe('not-uncertain');
  await resolved('process', { as: 'repeat' });
  const before = harness.platform.asked.length;
  await harness.run([planOf('1')]);
  expect(harness.platform.asked[before]?.endpoint).toBe('transferStatus');
  expect(await resolved('process', { as: 'done', krakenAccountNumber: 'A-5' })).toBeUndefined();
  expect(await harness.run([planOf('1')])).toMatchObject({
    exit: 0,
    requests: 0,
    accounts: { completed: 1 },
  });
});

describe('an account that counts as created, and that the platform does not have,', () => {
  // The answer to its process request was that to another one.
  const absent = Array.from({ length: 40 }, () => refused('account_not_found'));
  const stranded = async (): Promise<void> => {
    harness.platform.answers('paymentInstruction', ...absent);
    expect(await harness.run([planOf('1', payment)])).toMatchObject({ exit: 3, accounts: { failed: 1 } });
    harness.platform.clear('paymentInstruction');
  };

  it('is asked about and created once a person wants process repeated', async () => {
    await stranded();
    expect(await resolved('process', { as: 'repeat' })).toBeUndefined();
    const before = harness.platform.asked.length;
    harness.platform.answers('transferStatus', ok({ status: 'PENDING' }, 200));
    expect(await harness.run([planOf('1', payment)])).toMatchObject({ exit: 0, accounts: { completed: 1 } });
    const asked = harness.platform.asked.slice(before).map(({ endpoint }) => endpoint);
    expect(asked[0]).toBe('transferStatus');
    expect(asked).toContain('process');
    expect(asked).toContain('paymentInstruction');
  });

  it('is not created again if anything of it has arrived', async () => {
    const plan = planOf('1', { notes: [{ notes: [{ body: 'one' }] }] });
    expect(await harness.run([plan])).toMatchObject({ accounts: { completed: 1 } });
    expect(await resolved('process', { as: 'repeat' })).toBe('not-uncertain');
  });
});

it("what was refused of an account that had another one's number is sent when it is created", async () => {
  harness.platform.answers('paymentInstruction', refused('vendor_unknown'));
  expect(await harness.run([planOf('1', payment)])).toMatchObject({ accounts: { rejected: 1 } });
  // A later run finds out that the number is another account's.
  await inJournal(async (journal) => {
    const { id } = await journal.open(platform, { supplier, account: '1' });
    const at = harness.clock.now();
    void journal.settle(
      { accountId: id, step: 'process', part: 0 },
      { state: 'uncertain', outcome: 'unknown', at },
    );
    await journal.change(id, { state: 'uncertain', code: 'shared_number', steps: { process: 'uncertain' } });
  });
  expect(await resolved('process', { as: 'repeat' })).toBeUndefined();
  expect(await harness.run([planOf('1', payment)])).toMatchObject({ exit: 0, accounts: { completed: 1 } });
  expect(harness.platform.times('paymentInstruction')).toBe(2);
});

describe('an account of somebody else, ruled as skip,', () => {
  const imported = refused('account_import_process_already_imported', '', { krakenAccountNumber: 'A-5' });
  const completed = (number: string) => ok({ status: 'COMPLETED', krakenAccountNumber: number }, 200);
  const faulty = {
    ...planOf('1', agreement),
    problems: [{ account: '1', code: 'faulty', path: '', detail: 'No.', severity: 'error' as const }],
  };

  beforeEach(async () => {
    harness.platform.answers('process', imported);
    expect(await harness.run([planOf('1', agreement)])).toMatchObject({ exit: 8 });
    expect(await resolved('process', { as: 'skip' })).toBeUndefined();
  });

  it.each([
    ['as it is', planOf('1', agreement), {}],
    ['with other data', planOf('1', payment, { sales_channel: 'OTHER' }), {}],
    ['with data that is at fault', faulty, {}],
    ['under --adopt', planOf('1', agreement), { adopt: true }],
  ])('is left alone %s', async (_how, plan, settings) => {
    harness.platform.answers('stage', imported, imported);
    expect(await harness.run([plan], settings)).toMatchObject({
      exit: 0,
      requests: 0,
      accounts: { skipped: 1 },
    });
    expect(harness.events.at(-1)).toMatchObject({ state: 'skipped', code: 'not_ours' });
    expect(await harness.run([planOf('1', agreement)], settings)).toMatchObject({ exit: 0, requests: 0 });
  });

  it('is left alone once the journal is put back, too', async () => {
    await inJournal((journal) => journal.markRestored(harness.clock.now()));
    expect(await harness.run([planOf('1', agreement)])).toMatchObject({ exit: 0, requests: 0 });
  });

  it('is ours once process is ruled on again', async () => {
    expect(await resolved('process', { as: 'repeat' })).toBeUndefined();
    harness.platform.answers('transferStatus', completed('A-5'));
    expect(await harness.run([planOf('1', agreement)])).toMatchObject({
      exit: 0,
      accounts: { completed: 1 },
    });
    expect(harness.events.at(-1)).toMatchObject({ krakenAccountNumber: 'A-5' });
  });

  it('is ruled on by its process step alone', async () => {
    expect(await resolved('agreements', { as: 'skip' })).toBe('process-only');
  });

  it('gives its number free for the account that has it', async () => {
    const plans = [planOf('2'), planOf('3')];
    const number = ok({ kraken_account_number: 'A-7' });
    harness.platform.answers('process', number, number);
    harness.platform.statuses.set('2', completed('A-7')).set('3', completed('A-7'));
    harness.platform.listed = ['2', '3'].map((account) => ({
      external_account_number: account,
      kraken_account_number: 'A-7',
    }));
    expect(await harness.run(plans)).toMatchObject({ exit: 8, accounts: { uncertain: 2 } });
    expect(await resolved('process', { as: 'skip' }, '3')).toBeUndefined();
    expect(await resolved('process', { as: 'repeat' }, '2')).toBeUndefined();
    expect(await harness.run(plans)).toMatchObject({ exit: 0, accounts: { completed: 1, skipped: 1 } });
    expect([...faultsIn(harness.journalFile)]).toEqual([]);
  });
});

it('a rejected account is sent as it is once it is put back in line, and is chosen by step and code', async () => {
  harness.platform.answers('paymentInstruction', refused('vendor_away'));
  await harness.run([planOf('1', payment)]);
  expect(await retried({ code: 'another' })).toBe(false);
  expect(await retried({ step: 'notes' })).toBe(false);
  expect(await retried({ step: 'payment-instruction', code: 'vendor_away' })).toBe(true);
  expect(await harness.run([planOf('1', payment)])).toMatchObject({ exit: 0, accounts: { completed: 1 } });
  expect(harness.platform.times('paymentInstruction')).toBe(2);
  expect(harness.platform.times('process')).toBe(1);
});

it('an account that validate refused is sent as it is once it is put back in line', async () => {
  harness.platform.answers('validate', refused('passing'));
  await harness.run([planOf('1')]);
  expect(await harness.run([planOf('1')])).toMatchObject({ requests: 0 });
  expect(await retried()).toBe(true);
  expect(await harness.run([planOf('1')])).toMatchObject({ exit: 0, accounts: { completed: 1 } });
});

/** As an earlier version read a gateway's 409 in JSON. */
const conflict = {
  kind: 'refused',
  status: 409,
  refusal: { problems: [], code: 'conflict', detail: 'No.', wouldImport: false },
} as const;

it.each([
  ['agreements', agreement, 1],
  ['payment-instruction', payment, 2],
] as const)(
  'what a gateway refused of %s in an earlier version may have arrived: retry does not just send it again',
  async (step, extras, sent) => {
    const endpoint = step === 'agreements' ? 'agreements' : 'paymentInstruction';
    harness.platform.answers(endpoint, conflict);
    expect(await harness.run([planOf('1', extras)])).toMatchObject({ accounts: { rejected: 1 } });
    expect(await retried()).toBe(true);
    harness.platform.answers(endpoint, refused('other'));
    expect(await harness.run([planOf('1', extras)])).toMatchObject({ accounts: { uncertain: 1 } });
    expect(harness.platform.times(endpoint)).toBe(sent);
  },
);
