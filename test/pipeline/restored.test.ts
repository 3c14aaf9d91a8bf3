import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openJournal } from '../../src/journal/sqlite/open-journal.ts';
import type { Settings } from '../../src/pipeline/settings.ts';
import { lost, notSent, ok, planOf, refused, Harness, supplier } from './harness.ts';

let harness: Harness;
beforeEach(() => void (harness = new Harness()));
afterEach(() => harness.dispose());

const notes = (...bodies: string[]) => ({ notes: [{ notes: bodies.map((body) => ({ body })) }] });
const agreements = (...codes: string[]) => ({
  agreements: codes.map((tariff_code) => ({ agreement: { tariff_code } })),
});
const payment = { 'payment-instruction': [{ vendor: 'V', reference: 'r', type: 'CARD' }] };
const ledger = (...identifiers: string[]) => ({
  'billing-documents': [
    {
      ledger_code: 'ELECTRICITY',
      billing_document_type: 'ITEM_BASED',
      historical_billing_documents: identifiers.map((billing_document_identifier) => ({
        billing_document_identifier,
        billing_document_type: 'ITEM_BASED',
        issued_date: '2024-01-01',
      })),
    },
  ],
});
const created = ok({ status: 'COMPLETED', krakenAccountNumber: 'A-1' }, 200);
const creation: Partial<Settings> = { steps: new Set(['validate', 'stage', 'process']) };

/** The journal is put back from a backup that was taken now; what was sent since is not in it. */
async function restore(): Promise<void> {
  const journal = openJournal(harness.journalFile, { synchronous: 'NORMAL', create: true });
  await journal.markRestored(harness.clock.now());
  await journal.close();
}

const asked = (from = 0) => harness.platform.asked.slice(from).map(({ endpoint }) => endpoint);

async function entry() {
  const journal = openJournal(harness.journalFile, { synchronous: 'NORMAL', create: false });
  const found = await journal.find('https://platform.example', { supplier, account: '1' });
  await journal.close();
  return found;
}

describe('after the journal was put back from a backup, an account', () => {
  it('that it never saw is asked about before anything is sent, and what was sent since is not sent twice', async () => {
    await restore();
    harness.platform.answers('transferStatus', created);
    const plan = planOf('1', { ...notes('a'), ...agreements('A'), ...payment });
    expect(await harness.run([plan])).toMatchObject({ exit: 8, accounts: { uncertain: 1 } });
    expect(asked()).toEqual(['transferStatus', 'notes', 'paymentInstruction']);
    expect(await entry()).toMatchObject({
      krakenAccountNumber: 'A-1',
      inDoubtSince: undefined,
      steps: { process: 'done', notes: 'done', agreements: 'uncertain', 'payment-instruction': 'done' },
      parts: expect.arrayContaining([
        expect.objectContaining({ step: 'process', outcome: 'restored', money: '?' }),
      ]) as unknown,
    });
    expect(await harness.run([plan])).toMatchObject({ exit: 8, requests: 0 });
  });

  it('that the platform does not have is created as any other, and is in doubt no longer', async () => {
    await restore();
    const missing = { kind: 'not-found', status: 404, refusal: noProcess } as const;
    harness.platform.answers('transferStatus', missing, missing);
    const plan = planOf('1', { ...agreements('A'), ...payment });
    expect(await harness.run([plan])).toMatchObject({ exit: 0, accounts: { completed: 1 } });
    // What was sent just before the restore may still be under way.
    expect(harness.clock.slept).toEqual([5000]);
    expect(asked()).toEqual([
      'transferStatus',
      'transferStatus',
      'validate',
      'stage',
      'process',
      'agreements',
      'paymentInstruction',
    ]);
    expect(await entry()).toMatchObject({ inDoubtSince: undefined });
    expect(await harness.run([planOf('1', { ...agreements('A', 'B'), ...payment })])).toMatchObject({
      exit: 0,
    });
    expect(asked(7)).toEqual(['agreements']);
  });

  it('that was not there, and whose process request of today is lost, is not in doubt again', async () => {
    await restore();
    harness.platform.answers('process', lost());
    harness.platform.onRequest = (endpoint) => {
      if (endpoint === 'process') harness.stop.stop('interrupt');
    };
    await harness.run([planOf('1', agreements('A'))]);
    harness.platform.onRequest = () => undefined;
    harness.platform.answers('transferStatus', created);
    expect(await harness.run([planOf('1', agreements('A'))])).toMatchObject({
      exit: 0,
      accounts: { completed: 1 },
    });
    expect(harness.platform.times('agreements')).toBe(1);
  });

  it('that its status says is not there, and staging that it is, is ours: the status may be that of another', async () => {
    await restore();
    const missing = { kind: 'not-found', status: 404, refusal: noProcess } as const;
    harness.platform.answers('transferStatus', missing, missing);
    const imported = refused('account_import_process_already_imported', '', { krakenAccountNumber: 'A-1' });
    harness.platform.answers('stage', imported);
    const plan = planOf('1', { ...notes('a'), ...agreements('A') });
    expect(await harness.run([plan])).toMatchObject({ exit: 8, accounts: { uncertain: 1 } });
    expect(await entry()).toMatchObject({
      krakenAccountNumber: 'A-1',
      steps: { process: 'done', notes: 'done', agreements: 'uncertain' },
    });
  });

  it('that was staged is staged again: other data may have been staged since', async () => {
    await harness.run([planOf('1')], { steps: new Set(['validate', 'stage']) });
    await restore();
    expect(await harness.run([planOf('1')])).toMatchObject({ exit: 0, accounts: { completed: 1 } });
    expect(asked(2)).toEqual(['transferStatus', 'transferStatus', 'stage', 'process']);
  });

  it('that was staged from data which changed since, and exists now, is told of: which data made it is not known', async () => {
    await harness.run([planOf('1')], { steps: new Set(['validate', 'stage']) });
    const stagedHash = (await entry())?.stagedHash ?? 'none';
    await restore();
    harness.platform.answers('transferStatus', created);
    const fixed = planOf('1', {}, { sales_channel: 'EVENTS' });
    expect(await harness.run([fixed])).toMatchObject({ exit: 3, accounts: { rejected: 1 } });
    expect(await entry()).toMatchObject({
      code: 'changed_after_import',
      krakenAccountNumber: 'A-1',
      stagedHash,
    });
  });

  it('that was staged from such data, and whose status is no help, may have amounts that nobody knows', async () => {
    await harness.run([planOf('1')], { steps: new Set(['validate', 'stage']) });
    const hash = (await entry())?.stagedHash ?? 'none';
    await restore();
    harness.platform.answers('transferStatus', ok({ status: 'COMPLETED' }, 200));
    expect(await harness.run([planOf('1', {}, { sales_channel: 'EVENTS' })])).toMatchObject({ exit: 8 });
    expect((await entry())?.parts.find(({ step }) => step === 'process')).toMatchObject({
      ...{ state: 'uncertain', outcome: 'unknown', code: 'completed_without_number' },
      ...{ hash, money: '?' },
    });
  });

  it('is left as it is, where the run is stopped while it is asked about', async () => {
    await harness.run([planOf('1')], { steps: new Set(['validate', 'stage']) });
    const { stagedHash } = (await entry()) ?? {};
    await restore();
    harness.platform.onRequest = () => harness.stop.stop('interrupt');
    expect(await harness.run([planOf('1')])).toMatchObject({ accounts: { staged: 1 } });
    expect(asked(2)).toEqual(['transferStatus']);
    expect(await entry()).toMatchObject({ stagedHash });
  });

  it('that was restored long ago is asked about once', async () => {
    await restore();
    harness.clock.pass(10_000);
    expect(await harness.run([planOf('1')])).toMatchObject({ exit: 0, accounts: { completed: 1 } });
    expect(asked()).toEqual(['transferStatus', 'validate', 'stage', 'process']);
  });

  it('that is still in progress stays with a person, and is asked about again after the ruling', async () => {
    await restore();
    harness.platform.answers(
      'transferStatus',
      ...Array.from({ length: 40 }, () => ok({ status: 'IN_PROGRESS' }, 200)),
    );
    expect(await harness.run([planOf('1', agreements('A'))])).toMatchObject({
      exit: 8,
      accounts: { uncertain: 1 },
    });
    expect(asked().every((endpoint) => endpoint === 'transferStatus')).toBe(true);
    expect(await entry()).toHaveProperty('inDoubtSince');
  });

  it('that existed has each step settled as after a lost answer', async () => {
    const plan = planOf('1', { ...notes('a'), ...agreements('A'), ...ledger(), ...payment });
    await harness.run([plan], creation);
    await restore();
    harness.platform.answers('paymentInstruction', refused('there_already'));
    expect(await harness.run([plan])).toMatchObject({ exit: 8, accounts: { uncertain: 1 } });
    expect(asked(3)).toEqual(['notes', 'paymentInstruction']);
    expect((await entry())?.steps).toMatchObject({
      notes: 'done',
      agreements: 'uncertain',
      'billing-documents': 'uncertain',
      'payment-instruction': 'uncertain',
    });
  });

  it('has its ledger repeated where the platform cannot take it twice', async () => {
    await harness.run([planOf('1', ledger('b'))], creation);
    await restore();
    const tenancy = {
      statementsRefuseKnownIds: true,
      agreementsMayRepeat: true,
      billingRefusalCountsAsOurs: true,
      paymentRefusalAfter500: false,
    };
    harness.platform.answers(
      'billingDocuments',
      refused('ledger_has_finalized_billing_document', 'ledger_code'),
    );
    expect(await harness.run([planOf('1', ledger('b'))], { tenancy })).toMatchObject({ exit: 0 });
  });

  it('of which a payment instruction had been lost already has it repeated no more', async () => {
    harness.platform.answers('paymentInstruction', lost());
    harness.platform.onRequest = (endpoint) => {
      if (endpoint === 'paymentInstruction') harness.stop.stop('interrupt');
    };
    await harness.run([planOf('1', payment)]);
    harness.platform.onRequest = () => undefined;
    await restore();
    expect(await harness.run([planOf('1', payment)])).toMatchObject({ exit: 8, requests: 0 });
  });

  it('of which the run is killed before it sends anything is settled in the same way by the next', async () => {
    await harness.run([planOf('1', payment)], creation);
    await restore();
    await harness.runKilledAfter('record payment-instruction 0 sent', [planOf('1', payment)]);
    expect(await entry()).toHaveProperty('inDoubtSince');
    expect(await harness.run([planOf('1', payment)])).toMatchObject({ exit: 0, accounts: { completed: 1 } });
    expect(harness.platform.times('paymentInstruction')).toBe(1);
  });

  it('that was completed and did not change has nothing sent', async () => {
    const plan = planOf('1', { ...agreements('A'), ...payment });
    await harness.run([plan]);
    await restore();
    expect(await harness.run([plan])).toMatchObject({ exit: 0, requests: 0, accounts: { completed: 1 } });
  });

  it('that was completed and grew is not given twice what may have been added since', async () => {
    await harness.run([planOf('1', agreements('A'))]);
    await restore();
    const grown = planOf('1', { ...agreements('A', 'B'), ...notes('a') });
    expect(await harness.run([grown])).toMatchObject({ exit: 8, accounts: { uncertain: 1 } });
    expect(asked(4)).toEqual(['notes']);
  });

  it('of which a request failed and then changed may have had it sent in its old form', async () => {
    harness.platform.answers('agreements', notSent, notSent, notSent);
    await harness.run([planOf('1', agreements('A'))]);
    expect(await entry()).toMatchObject({
      parts: expect.arrayContaining([expect.objectContaining({ state: 'failed' })]),
    });
    await restore();
    expect(await harness.run([planOf('1', agreements('B'))])).toMatchObject({ exit: 8, requests: 0 });
  });

  it('keeps a refusal: nothing sends it again by itself', async () => {
    harness.platform.answers('paymentInstruction', refused('vendor'));
    await harness.run([planOf('1', payment)]);
    await restore();
    expect(await harness.run([planOf('1', { ...payment, ...notes('a') })])).toMatchObject({ exit: 3 });
    expect(harness.platform.times('paymentInstruction')).toBe(1);
  });

  it('is rehearsed by a dry run without a mark', async () => {
    await restore();
    await harness.run([planOf('1')], { dryRun: true });
    expect(await entry()).toHaveProperty('inDoubtSince');
  });
});

const noProcess = { problems: [], code: '', detail: '', wouldImport: false };
