import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Settings } from '../../src/pipeline/settings.ts';
import { PendingTasks } from '../../src/pipeline/steps/pending-tasks.ts';
import { defaultSettings, lost, notSent, ok, planOf, refused, Harness } from './harness.ts';
import {
  entryOf,
  errored,
  inJournal,
  pending,
  processed,
  runScheduled,
  schedule,
  told,
  unknownTask,
} from './scheduled-run.ts';

let harness: Harness;
beforeEach(() => void (harness = new Harness()));
afterEach(() => harness.dispose());

const run = (settings: Partial<Settings> = {}, ...accounts: string[]) =>
  runScheduled(harness, settings, ...accounts);
const asked = (from = 0) => harness.platform.asked.slice(from).map(({ endpoint }) => endpoint);
const entry = (account = '1') => entryOf(harness, account);
const restore = () => inJournal(harness, (journal) => journal.markRestored(harness.clock.now()));

describe('an account that is scheduled', () => {
  it('is submitted once, and asked about until it is created', async () => {
    harness.platform.answers('taskStatus', pending, told('IN_PROGRESS'), processed);
    expect(await run()).toMatchObject({ exit: 0, accounts: { completed: 1 } });
    expect(asked()).toEqual(['validate', 'schedule', 'taskStatus', 'taskStatus', 'taskStatus']);
    expect(harness.platform.bodies('schedule')).toEqual([
      {
        payload: expect.objectContaining({ external_account_number: '1' }),
        task_params: { is_dry_run: false },
      },
    ]);
    expect(await entry()).toEqual({
      ...{ account: 'completed', process: 'done', krakenAccountNumber: 'A-1' },
      ...{ sent: 'done', outcome: 'confirmed', why: undefined },
    });
    // The first question comes soon, the others as seldom as is set.
    expect(harness.clock.slept.filter((ms) => ms > 0)).toEqual([1000, 60_000, 60_000]);
  });

  it('is left to the next run after the time that is set, and that one asks at once', async () => {
    harness.platform.answers('taskStatus', ...Array<typeof pending>(20).fill(pending));
    const first = await run();
    expect(first).toMatchObject({ accounts: { scheduled: 1 } });
    expect(await entry()).toMatchObject({ account: 'scheduled', process: 'pending', sent: 'sent' });
    expect((await harness.entry('1'))?.parts).toContainEqual(
      expect.objectContaining({ step: 'process', state: 'sent', outcome: 'scheduled', status: 201 }),
    );
    expect(harness.clock.slept.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(600_000);
    const [before, times] = [harness.platform.asked.length, harness.clock.slept.length];
    harness.platform.clear('taskStatus');
    harness.platform.answers('taskStatus', processed);
    expect(await run()).toMatchObject({ exit: 0, accounts: { completed: 1 } });
    expect(asked(before)).toEqual(['taskStatus']);
    expect(harness.clock.slept.slice(times).filter((ms) => ms > 0)).toEqual([]);
  });

  it.each([errored('bad_data'), told('CANCELLED')])(
    'is not given up for the end of an earlier task, which a server may still tell of',
    async (ended) => {
      harness.platform.answers('taskStatus', ended, ended, processed);
      await run();
      harness.clock.pass(60_000);
      const fixed = planOf('1', {}, { sales_channel: 'EVENTS' });
      expect(await harness.run([fixed], { importKind: 'v2', schedule })).toMatchObject({
        exit: 0,
        accounts: { completed: 1 },
      });
      expect(harness.platform.times('schedule')).toBe(2);
    },
  );

  it('is pending again where an earlier task was cancelled', async () => {
    harness.platform.answers('taskStatus', told('CANCELLED'), ...Array<typeof pending>(20).fill(pending));
    expect(await run()).toMatchObject({ accounts: { failed: 1 } });
    expect(await run()).toMatchObject({ accounts: { scheduled: 1 } });
    expect(await entry()).toMatchObject({ account: 'scheduled', process: 'pending' });
  });

  it('is refused where its task ended without a word', async () => {
    harness.platform.answers('taskStatus', told('ERRORED'));
    expect(await run()).toMatchObject({ accounts: { rejected: 1 } });
    expect(harness.events).toContainEqual(
      expect.objectContaining({
        type: 'problem',
        problem: expect.objectContaining({ code: 'import_errored', detail: '' }) as unknown,
      }),
    );
  });

  it('is told once for each status that no contract names', async () => {
    harness.platform.answers('taskStatus', told('QUEUED'), told('QUEUED'), pending, told('LATE'), processed);
    expect(await run()).toMatchObject({ exit: 0 });
    expect(harness.events.filter(({ type }) => type === 'unknown-status')).toEqual([
      { type: 'unknown-status', account: '1', status: 'QUEUED' },
      { type: 'unknown-status', account: '1', status: 'LATE' },
    ]);
  });

  it.each<[string, ReturnType<typeof told>, object]>([
    [
      'ends without a number',
      told('PROCESSED'),
      { account: 'uncertain processed_without_number', sent: 'uncertain' },
    ],
    [
      'is cancelled',
      told('CANCELLED'),
      { account: 'failed import_cancelled', sent: 'failed', outcome: 'cancelled', why: 'import_cancelled' },
    ],
    [
      'ends in an error',
      errored('no_tariff', 'There is none.'),
      { account: 'rejected no_tariff', sent: 'refused', outcome: 'errored', why: 'no_tariff' },
    ],
    [
      'ends in an error without a code',
      errored(''),
      { account: 'rejected import_errored', sent: 'refused', why: 'import_errored' },
    ],
    [
      'ends in an error without a word',
      told('ERRORED'),
      { account: 'rejected import_errored', sent: 'refused', why: 'import_errored' },
    ],
  ])('has the state of its task, which %s', async (_what, answer, expected) => {
    harness.platform.answers('taskStatus', answer);
    await run();
    expect(await entry()).toMatchObject(expected);
    expect(harness.platform.times('schedule')).toBe(1);
  });

  it('has a problem at the field that the error names, or what validate says of its data', async () => {
    const problems = () =>
      harness.events.flatMap((event) =>
        event.type === 'problem' ? `${event.problem.code} ${event.problem.path}`.trim() : [],
      );
    harness.platform.answers('taskStatus', errored('invalid', 'The account_type is wrong.'));
    await run();
    expect(problems()).toEqual(['invalid account_type']);
    expect(harness.platform.times('validate')).toBe(1);
    harness.platform.answers('taskStatus', errored('invalid', 'Something is wrong.'));
    harness.platform.answers('validate', ok({}), refused('too_long', 'account_type'));
    await run({}, '2');
    expect(problems()).toEqual(['too_long account_type']);
    expect(await entry('2')).toMatchObject({ account: 'rejected too_long', why: 'invalid' });
    harness.platform.answers('taskStatus', errored('invalid', 'Something is wrong.'));
    await run({}, '3');
    expect(problems()).toEqual(['invalid']);
  });
});

describe('a submission', () => {
  it('whose answer was lost is asked about before it is repeated, and not while it may be under way', async () => {
    harness.platform.answers('schedule', lost());
    harness.platform.answers('taskStatus', unknownTask, unknownTask, processed);
    expect(await run()).toMatchObject({ exit: 0, accounts: { completed: 1 } });
    expect(asked(1)).toEqual([...['schedule', 'taskStatus', 'taskStatus', 'schedule', 'taskStatus']]);
    // The quiet period, and then until the first question about the task.
    expect(harness.clock.slept.filter((ms) => ms > 0)).toEqual([5000, 1000]);
  });

  it('whose answer was lost is found again', async () => {
    harness.platform.answers('schedule', lost());
    harness.platform.answers('taskStatus', pending, processed);
    expect(await run()).toMatchObject({ exit: 0, accounts: { completed: 1 } });
    expect(harness.platform.times('schedule')).toBe(1);
  });

  it('that this run repeats has no notes yet: some that are there were sent twice', async () => {
    const accounts = ['1', '2', '3', '4', '5'];
    harness.platform.answers(
      'taskStatus',
      ...accounts.map((account) => told('PROCESSED', { krakenAccountNumber: `A-${account}` })),
    );
    const there = ok([{ body: 'a', status: 'NOTE_ALREADY_EXISTS' }]);
    harness.platform.answers('notes', there, there, there, there, there);
    const plans = accounts.map((account) => planOf(account, { notes: [{ notes: [{ body: 'a' }] }] }));
    expect(await harness.run(plans, { importKind: 'v2', schedule })).toMatchObject({
      stop: { reason: 'doubled_requests' },
    });
  });

  it('whose answers are all lost fails', async () => {
    harness.platform.answers('schedule', ...Array<typeof pending>(9).fill(lost()));
    harness.platform.answers('taskStatus', ...Array<typeof pending>(99).fill(unknownTask));
    expect(await run()).toMatchObject({ accounts: { failed: 1 } });
    expect(await entry()).toMatchObject({ account: 'failed lost_answer' });
    expect(harness.platform.times('schedule')).toBe(defaultSettings.retry.attempts);
  });

  it('that never leaves fails, and takes no room from the next account', async () => {
    harness.platform.answers('schedule', notSent, notSent, notSent);
    harness.platform.answers('taskStatus', processed);
    const one = { schedule: { ...schedule, mostPending: 1 } };
    expect(await run(one, '1', '2')).toMatchObject({ accounts: { failed: 1, completed: 1 } });
    expect(await entry()).toMatchObject({ account: 'failed connection_refused' });
  });

  it('that the platform has forgotten is left to a person after a while', async () => {
    harness.platform.answers('taskStatus', ...Array<typeof pending>(99).fill(unknownTask));
    expect(await run()).toMatchObject({ exit: 8, accounts: { uncertain: 1 } });
    expect(await entry()).toMatchObject({ account: 'uncertain scheduled_import_missing' });
    expect(harness.platform.times('schedule')).toBe(1);
    const { laggingMs } = defaultSettings.patience;
    const slept = () => harness.clock.slept.reduce((sum, ms) => sum + ms, 0);
    expect(slept()).toBeGreaterThanOrEqual(laggingMs);
    const before = slept();
    const patience = { ...defaultSettings.patience, laggingMs: before - 1000 };
    expect(await run({ patience }, '2')).toMatchObject({ accounts: { uncertain: 1 } });
    expect(slept()).toBe(2 * before);
  });

  it('that is repeated when the time that is set has passed is not asked about', async () => {
    harness.platform.answers('schedule', lost());
    harness.platform.answers('taskStatus', unknownTask, unknownTask, processed);
    expect(await run({ schedule: { ...schedule, waitMs: 5000 } })).toMatchObject({
      accounts: { scheduled: 1 },
    });
    expect(asked(1)).toEqual(['schedule', 'taskStatus', 'taskStatus', 'schedule']);
  });

  it('that the platform knows of again is not left to a person', async () => {
    harness.platform.answers('taskStatus', unknownTask, pending, unknownTask, processed);
    expect(await run()).toMatchObject({ exit: 0, accounts: { completed: 1 } });
  });

  it.each<[string, ReturnType<typeof refused>, string]>([
    ['for its data', refused('invalid', 'account_type'), 'rejected invalid'],
    [
      'because the account exists',
      refused('account_import_process_already_imported'),
      'skipped already_imported',
    ],
  ])('is refused %s', async (_what, answer, state) => {
    harness.platform.answers('schedule', answer);
    await run();
    expect(await entry()).toMatchObject({ account: state });
    expect(asked()).toEqual(['validate', 'schedule']);
  });

  it('that is refused as invalid has the problems that validate names', async () => {
    harness.platform.answers('schedule', refused('import_process_failed_validation'));
    harness.platform.answers('validate', ok({}), refused('too_long', 'account_type'));
    await run();
    const why = 'import_process_failed_validation';
    expect(await entry()).toMatchObject({ account: 'rejected too_long', sent: 'refused', why });
    harness.platform.answers('schedule', refused(why));
    await run({}, '2');
    expect(await entry('2')).toMatchObject({ account: `rejected ${why}`, sent: 'refused' });
  });

  it('of a supplier that is paused leaves the account as it is', async () => {
    harness.platform.answers('schedule', refused('import_supplier_migration_not_ongoing'));
    await run();
    expect(await entry()).toMatchObject({ account: 'pending' });
  });

  it('is left out where the step is', async () => {
    expect(await run({ steps: new Set(['validate']) })).toMatchObject({ accounts: { pending: 1 } });
    expect(asked()).toEqual(['validate']);
  });

  it('begins with the window that is set, and is not asked about before', async () => {
    const startAt = harness.clock.now() + 120_000;
    harness.platform.answers('taskStatus', processed);
    const window = { ...schedule, startAt, endAt: startAt + 1000 };
    expect(await run({ schedule: window })).toMatchObject({ exit: 0 });
    expect(harness.platform.bodies('schedule')).toMatchObject([
      {
        task_params: {
          schedule_window_start: new Date(startAt).toISOString(),
          schedule_window_end: new Date(startAt + 1000).toISOString(),
        },
      },
    ]);
    expect(harness.clock.slept).toEqual([120_000]);
    const late = { ...schedule, startAt: harness.clock.now() + schedule.waitMs + 1 };
    expect(await run({ schedule: late }, '2')).toMatchObject({ accounts: { scheduled: 1 } });
    expect(harness.platform.times('taskStatus')).toBe(1);
  });

  it('of a journal that was restored is looked for first', async () => {
    await restore();
    harness.platform.answers('taskStatus', processed);
    await run();
    expect(asked()).toEqual(['taskStatus']);
    expect(await entry()).toMatchObject({ account: 'completed', krakenAccountNumber: 'A-1' });
  });

  it('of a journal that was restored is made once no earlier one can be under way', async () => {
    await restore();
    harness.platform.answers('taskStatus', unknownTask, unknownTask, unknownTask, unknownTask, unknownTask);
    harness.platform.answers('taskStatus', unknownTask, processed);
    expect(await run()).toMatchObject({ exit: 0, accounts: { completed: 1 } });
    expect(harness.platform.times('schedule')).toBe(1);
    expect(harness.clock.slept[0]).toBe(1000);
    expect(asked().indexOf('schedule')).toBeGreaterThan(5);
  });

  it('of a journal that was restored long ago is made at once', async () => {
    await restore();
    harness.clock.pass(10_000);
    harness.platform.answers('taskStatus', unknownTask, processed);
    expect(await run()).toMatchObject({ exit: 0, accounts: { completed: 1 } });
    expect(asked()).toEqual(['taskStatus', 'schedule', 'taskStatus']);
  });
});

describe('room for tasks', () => {
  const one = { mostPending: 1, pollMs: 60_000 };

  it('is taken by one account after the other', async () => {
    const both = [
      told('PROCESSED', { krakenAccountNumber: 'A-1' }),
      told('PROCESSED', { krakenAccountNumber: 'A-2' }),
    ];
    harness.platform.answers('taskStatus', ...both);
    const settings = { schedule: { ...schedule, mostPending: 1 }, concurrency: 2 };
    expect(await run(settings, '1', '2')).toMatchObject({ exit: 0, accounts: { completed: 2 } });
    expect(asked().filter((endpoint) => endpoint !== 'validate')).toEqual([
      ...['schedule', 'taskStatus', 'schedule', 'taskStatus'],
    ]);
  });

  it('that is lacking leaves accounts to the next run', async () => {
    harness.platform.answers('taskStatus', ...Array<typeof pending>(99).fill(pending));
    const settings = { schedule: { ...schedule, mostPending: 1 } };
    expect(await run(settings, '1', '2')).toMatchObject({ accounts: { scheduled: 1, pending: 1 } });
    expect(harness.platform.times('schedule')).toBe(1);
  });

  it('is there for as many as are allowed, with those of earlier runs', () => {
    const tasks = new PendingTasks({ mostPending: 3, pollMs: 1 }, 1);
    tasks.begin(1);
    expect([tasks.take(), tasks.hasRoom, tasks.take(), tasks.take()]).toEqual([true, true, true, false]);
    // Its own may end in this run.
    expect(tasks.hasRoom).toBe(true);
    tasks.leaveToNext();
    expect(tasks.hasRoom).toBe(true);
    tasks.leaveToNext();
    expect(tasks.hasRoom).toBe(false);
    tasks.resume();
    expect(tasks.hasRoom).toBe(true);
    tasks.leave();
    expect([tasks.hasRoom, tasks.take(), tasks.take()]).toEqual([true, true, false]);
  });

  it('is not hoped for once the last task has ended', () => {
    const tasks = new PendingTasks({ mostPending: 1, pollMs: 1 }, 1);
    tasks.begin(2);
    tasks.resume();
    tasks.leave();
    expect([tasks.take(), tasks.hasRoom]).toEqual([false, false]);
  });

  it('is never less than nothing', () => {
    const tasks = new PendingTasks(one, 1);
    tasks.resume();
    tasks.leave();
    expect([tasks.take(), tasks.take()]).toEqual([true, false]);
  });

  it('that was lacking is counted', () => {
    const tasks = new PendingTasks(one, 1);
    expect(tasks.passedOver).toBe(0);
    tasks.passOver();
    tasks.passOver();
    expect(tasks.passedOver).toBe(2);
  });

  it('is asked for as seldom as tasks take long', () => {
    const tasks = new PendingTasks(one, 1000);
    expect(tasks.waitBefore(0, 0)).toBe(1000);
    expect([1, 2].map((question) => tasks.waitBefore(question, 100))).toEqual([60_000, 60_000]);
    expect(tasks.waitBefore(1, 200_000)).toBe(100_000);
    expect(tasks.waitBefore(1, 9_000_000)).toBe(600_000);
    tasks.tookMs(20_000);
    expect(tasks.waitBefore(0, 0)).toBe(10_000);
    tasks.tookMs(40_000);
    expect(tasks.waitBefore(0, 0)).toBe(12_000);
    tasks.tookMs(4_000_000);
    expect(tasks.waitBefore(0, 0)).toBe(60_000);
  });
});
