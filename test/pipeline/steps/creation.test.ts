import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Harness, lost, notSent, ok, planOf, refused, supplier, throttled } from '../harness.ts';

let harness: Harness;
beforeEach(() => void (harness = new Harness()));
afterEach(() => harness.dispose());

const there = refused('account_import_process_already_imported', '', { krakenAccountNumber: 'A-1' });
const unknown = ok({ status: 'UNKNOWN' }, 200);
const completed = (number: string) => ok({ status: 'COMPLETED', krakenAccountNumber: number }, 200);
const fixed = planOf('1', {}, { sales_channel: 'EVENTS' });

const absent = refused('import_process_does_not_exist');
const staged = () => harness.run([planOf('1')], { steps: new Set(['validate', 'stage']) });

/** What the journal has of the last attempt to create the account. */
async function processOf(account = '1') {
  return (await harness.entry(account))?.parts.find(({ step }) => step === 'process');
}

describe('an account that the platform has', () => {
  it('is ours if an attempt was lost, though a later one was refused', async () => {
    harness.platform
      .answers('process', lost(), refused('bad_data'))
      .answers('transferStatus', unknown, unknown);
    expect((await harness.run([planOf('1')])).accounts).toMatchObject({ rejected: 1 });
    harness.platform.answers('stage', there);
    expect((await harness.run([fixed])).accounts).toMatchObject({ rejected: 1 });
    expect(await harness.entry('1')).toMatchObject({
      krakenAccountNumber: 'A-1',
      code: 'changed_after_import',
    });
    expect(await processOf()).toMatchObject({ state: 'done', outcome: 'confirmed' });
  });

  it.each(['validate', 'stage'] as const)('is not ours because an answer to %s was lost', async (step) => {
    harness.platform.answers(step, lost(), lost(), lost());
    await harness.run([planOf('1')]);
    harness.platform.answers('stage', there);
    expect((await harness.run([planOf('1')])).accounts).toMatchObject({ skipped: 1 });
  });

  it('is ours where a server denied the staged data of the request that created it', async () => {
    await staged();
    harness.platform.answers('process', absent).answers('stage', there);
    expect((await harness.run([planOf('1')])).accounts).toMatchObject({ completed: 1 });
    expect(await processOf()).toMatchObject({ state: 'done', outcome: 'confirmed' });
  });

  it('counts as created by others, also between staging and creating, where others create accounts', async () => {
    const account_created_at = new Date(harness.clock.now() + 60_000).toISOString();
    harness.platform.listed = ['1', '2'].map((account) => ({
      ...{ external_account_number: account, account_created_at },
    }));
    harness.platform.answers('stage', there, there).answers('process', there, there, there);
    const plans = ['1', '2', '3', '4', '5'].map((account) => planOf(account));
    expect(await harness.run(plans)).toMatchObject({
      stop: { reason: 'other_journal' },
      accounts: { uncertain: 5 },
    });
  });

  it('has amounts that nobody knows, where another created it', async () => {
    harness.platform.answers('stage', there);
    await harness.run([planOf('1')], { adopt: true });
    expect(await processOf()).toMatchObject({ state: 'done', outcome: 'adopted', money: '?' });
  });

  it('is not ours because an earlier run validated it, or was refused at staging', async () => {
    await harness.run([planOf('1')], { steps: new Set(['validate']) });
    harness.platform.answers('stage', refused('bad_data'), there, there);
    await harness.run([planOf('1'), planOf('2')]);
    expect((await harness.entry('2'))?.code).toBe('already_imported');
    await harness.run([fixed]);
    expect((await harness.entry('1'))?.code).toBe('already_imported');
  });

  it("is uncertain, where the number that it is said to have is another account's", async () => {
    await harness.run([planOf('2')]);
    harness.platform.answers(
      'stage',
      refused('account_import_process_already_imported', '', { krakenAccountNumber: 'A-2' }),
    );
    harness.platform.statuses.set('1', unknown);
    await harness.run([planOf('1')], { adopt: true });
    expect((await harness.entry('1'))?.code).toBe('number_of_another_account');
  });

  it.each([
    ['failed', refused('forbidden'), { failed: 1 }, 'status_http_400'],
    ['uncertain', unknown, { uncertain: 1 }, 'already_imported_without_number'],
    ['uncertain', ok({ status: 'COMPLETED' }, 200), { uncertain: 1 }, 'already_imported_without_number'],
    ['completed', completed('A-7'), { completed: 1 }, ''],
  ])('is %s by its status, where the refusal names no number', async (_state, status, accounts, code) => {
    harness.platform.answers('stage', refused('account_import_process_already_imported'));
    harness.platform.answers('transferStatus', status);
    expect((await harness.run([planOf('1')], { adopt: true })).accounts).toMatchObject(accounts);
    expect((await harness.entry('1'))?.code).toBe(code);
  });

  it('is left as it is, where the run is stopped before its status is known', async () => {
    harness.platform.answers('stage', refused('account_import_process_already_imported'));
    harness.platform.onRequest = (endpoint) => {
      if (endpoint === 'stage') harness.stop.stop('interrupt');
    };
    expect((await harness.run([planOf('1')], { adopt: true })).accounts).toMatchObject({ pending: 1 });
    expect((await harness.entry('1'))?.steps).toMatchObject({ stage: 'pending', process: 'pending' });
    expect(harness.platform.times('transferStatus')).toBe(0);
  });
});

describe('an account to be created', () => {
  it.each([
    ['MIGRATIONS', { operations_team_name: 'MIGRATIONS' }],
    ['', {}],
  ])('is created for the team %j, by one request', async (team, named) => {
    await harness.run([planOf('1')], { team });
    expect(harness.platform.bodies('process')).toEqual([
      { external_account_number: '1', import_supplier_code: supplier, ...named },
    ]);
    expect(await processOf()).toMatchObject({
      ...{ state: 'done', outcome: 'ok', status: 201, money: undefined },
    });
  });

  it('fails where the platform answers with the number of another one again and again', async () => {
    await harness.run([planOf('2')]);
    const wrong = ok({ kraken_account_number: 'A-2' });
    harness.platform.answers('process', ...Array.from({ length: 20 }, () => wrong));
    expect((await harness.run([planOf('1')])).accounts).toMatchObject({ failed: 1 });
    expect((await harness.entry('1'))?.code).toBe('lost_answer');
    expect(harness.platform.times('process')).toBe(4);
  });

  it('is refused at the step that refuses it', async () => {
    harness.platform.answers('stage', refused('bad_data'));
    expect((await harness.run([planOf('1')])).accounts).toMatchObject({ rejected: 1 });
    expect((await harness.entry('1'))?.steps).toMatchObject({ stage: 'refused', process: 'pending' });
  });

  it('is refused with the words of the platform', async () => {
    harness.platform.answers('process', refused('bad_data'));
    expect((await harness.run([planOf('1')])).accounts).toMatchObject({ rejected: 1 });
    expect(await processOf()).toMatchObject({
      ...{ state: 'refused', outcome: 'refused', status: 400 },
      ...{ code: 'bad_data', words: 'No.' },
    });
  });

  it.each([
    { kraken_account_number: ' A-3 ' },
    { kraken_account_number: ' ', account_number: 'A-3' },
    { account_number: 'A-3' },
  ])('has the number of the answer: %j', async (answer) => {
    harness.platform.answers('process', ok(answer));
    await harness.run([planOf('1')]);
    expect((await harness.entry('1'))?.krakenAccountNumber).toBe('A-3');
  });

  it('is staged once more, where a server does not know what was staged by an earlier run', async () => {
    await staged();
    harness.platform.answers('process', absent);
    expect((await harness.run([planOf('1')])).accounts).toMatchObject({ completed: 1 });
    expect(harness.platform.asked.map(({ endpoint }) => endpoint)).toEqual([
      ...['validate', 'stage'],
      ...['process', 'stage', 'process'],
    ]);
  });

  it('is staged no third time', async () => {
    await staged();
    harness.platform.answers('process', ...Array.from({ length: 20 }, () => absent));
    expect((await harness.run([planOf('1')])).accounts).toMatchObject({ failed: 1 });
    expect(await processOf()).toMatchObject({
      ...{ state: 'sent', outcome: 'refused', status: 400 },
      ...{ code: 'import_process_does_not_exist' },
    });
    expect(harness.platform.times('stage')).toBe(2);
  });

  it('fails where the platform takes no request, and is created by the next run', async () => {
    harness.platform.answers('process', notSent, notSent, notSent);
    expect((await harness.run([planOf('1')])).accounts).toMatchObject({ failed: 1 });
    expect((await harness.entry('1'))?.code).toBe('connection_refused');
    expect((await harness.run([planOf('1')])).accounts).toMatchObject({ completed: 1 });
  });

  it('fails where every answer is lost, and is asked about first by the next run', async () => {
    harness.platform.answers('process', lost(), lost(), lost(), lost());
    expect((await harness.run([planOf('1')])).accounts).toMatchObject({ failed: 1 });
    expect((await harness.entry('1'))?.code).toBe('lost_answer');
    expect(harness.platform.times('process')).toBe(3);
    harness.platform.answers('transferStatus', completed('A-1'));
    expect((await harness.run([planOf('1')])).accounts).toMatchObject({ completed: 1 });
    expect(harness.platform.times('process')).toBe(3);
  });

  it('is uncertain by an unknown outcome, where its status says so', async () => {
    harness.platform.answers('process', lost()).answers('transferStatus', ok({ status: 'COMPLETED' }, 200));
    expect((await harness.run([planOf('1')])).accounts).toMatchObject({ uncertain: 1 });
    expect(await processOf()).toMatchObject({
      state: 'uncertain',
      outcome: 'unknown',
      code: 'completed_without_number',
    });
  });

  it('is told of by its step, where creating it is repeated', async () => {
    harness.platform.answers('process', throttled());
    await harness.run([planOf('1')]);
    expect(harness.events).toContainEqual(
      expect.objectContaining({ type: 'retry', account: '1', step: 'process', cause: 'throttled' }),
    );
  });

  it('is let go of, where the platform does not answer and the run is aborted', async () => {
    harness.platform.hanging.add('process');
    harness.platform.onRequest = (endpoint) => {
      if (endpoint === 'process') setImmediate(() => harness.stop.abort('interrupt'));
    };
    expect(await harness.run([planOf('1')])).toMatchObject({ exit: 6, accounts: { staged: 1 } });
    expect(await processOf()).toMatchObject({ state: 'sent', code: 'aborted' });
  });

  it('is recorded with its amounts, and with what tells later which field changed', async () => {
    const balance = { transfer_balance: '12.50' };
    await harness.run([planOf('1', {}, balance)]);
    expect((await processOf())?.money).toContain('12.5');
    await harness.run([planOf('1', {}, { ...balance, sales_channel: 'EVENTS' })]);
    expect(harness.events).toContainEqual(
      expect.objectContaining({
        problem: expect.objectContaining({ code: 'changed_after_import', path: 'sales_channel' }),
      }),
    );
  });
});
