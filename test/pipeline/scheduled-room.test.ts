import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { scheduledOutcome } from '../../src/pipeline/account/standing.ts';
import type { Settings } from '../../src/pipeline/settings.ts';
import { lost, notSent, refused, Harness, supplier } from './harness.ts';
import {
  entryOf,
  inJournal,
  one,
  pending,
  processed,
  processedAs,
  recorded,
  runScheduled,
  schedule,
  unknownTask,
} from './scheduled-run.ts';

let harness: Harness;
beforeEach(() => {
  harness = new Harness();
  harness.clock.pass(1_000_003);
});
afterEach(() => harness.dispose());

const run = (settings: Partial<Settings> = {}, ...accounts: string[]) =>
  runScheduled(harness, settings, ...accounts);
const entry = (account = '1') => entryOf(harness, account);
const answers = (...all: Parameters<Harness['platform']['answers']>) => void harness.platform.answers(...all);
const slept = (from = 0) => harness.clock.slept.slice(from).filter((ms) => ms > 0);

/** A run after which the first account is scheduled. */
async function scheduledBefore(): Promise<void> {
  answers('taskStatus', pending);
  await run({ schedule: { ...schedule, waitMs: 2000 } });
  expect(await entry()).toMatchObject({ account: 'scheduled', sent: 'sent' });
  harness.platform.asked.length = 0;
}

/** The person at the terminal stops the run at the first request to this endpoint. */
function stopAt(endpoint: 'schedule' | 'taskStatus', times = 1): void {
  let left = times;
  harness.platform.onRequest = (asked) => {
    if (asked === endpoint && (left -= 1) === 0) harness.stop.stop('interrupt');
  };
}

describe('the room of a task', () => {
  it('of an earlier run is free when that task has ended', async () => {
    await scheduledBefore();
    answers('taskStatus', processed, processedAs('A-2'));
    expect(await run(one, '1', '2')).toMatchObject({ exit: 0, accounts: { completed: 2 } });
  });

  it('of an earlier run is waited for by the next account', async () => {
    await scheduledBefore();
    answers('taskStatus', pending, processed, processedAs('A-2'));
    expect(await run({ ...one, concurrency: 2 }, '1', '2')).toMatchObject({ accounts: { completed: 2 } });
  });

  it('is waited for by each account after the other', async () => {
    answers('taskStatus', processed, processedAs('A-2'), processedAs('A-3'));
    expect(await run({ ...one, concurrency: 2 }, '1', '2', '3')).toMatchObject({
      accounts: { completed: 3 },
    });
  });

  it('is not freed by the end of another one that had none', async () => {
    await scheduledBefore();
    await inJournal(harness, (journal) => journal.markRestored(harness.clock.now()));
    answers('taskStatus', processedAs('A-2'), unknownTask, unknownTask, unknownTask, unknownTask);
    answers('taskStatus', unknownTask, unknownTask, unknownTask, unknownTask, unknownTask, unknownTask);
    expect(await run(one, '2', '3')).toMatchObject({ accounts: { completed: 1, pending: 1 } });
    expect(harness.platform.times('schedule')).toBe(0);
  });

  it('is kept for a submission that may have been made', async () => {
    answers('schedule', lost(), notSent, notSent, notSent);
    answers('taskStatus', unknownTask, unknownTask, ...Array<typeof pending>(9).fill(pending));
    expect(await run(one, '1', '2')).toMatchObject({ accounts: { failed: 1, pending: 1 } });
    expect(harness.platform.times('schedule')).toBe(4);
  });

  it('is taken by a task of which a crash kept the account from telling', async () => {
    await inJournal(harness, async (journal) => {
      const { id } = await journal.open('https://platform.example', { supplier, account: '1' });
      const at = harness.clock.now();
      await journal.recordSent(
        { accountId: id, step: 'process', part: 0 },
        { hash: 'h', run: 1, at },
        { state: 'sent', outcome: scheduledOutcome, at },
      );
    });
    answers('taskStatus', ...Array<typeof pending>(99).fill(pending));
    expect(await run(one, '1', '2')).toMatchObject({ accounts: { scheduled: 1, pending: 1 } });
    expect(await entry()).toMatchObject({ account: 'scheduled', process: 'pending', sent: 'sent' });
    expect(harness.platform.times('schedule')).toBe(0);
  });

  it('is taken by a submission whose answer was lost and whose task was found', async () => {
    answers('schedule', lost());
    answers('taskStatus', ...Array<typeof pending>(99).fill(pending));
    expect(await run(one, '1', '2')).toMatchObject({ accounts: { scheduled: 1, pending: 1 } });
    expect(await entry()).toMatchObject({ account: 'scheduled', sent: 'sent', outcome: scheduledOutcome });
  });
});

describe('a run that is stopped', () => {
  it('before a submission has left leaves the account to the next run', async () => {
    answers('schedule', notSent);
    stopAt('schedule');
    expect(await run()).toMatchObject({ accounts: { pending: 1 } });
    harness.platform.onRequest = () => undefined;
    answers('taskStatus', processed);
    expect(await run()).toMatchObject({ exit: 0, accounts: { completed: 1 } });
  });

  it('while an account waits for room submits nothing of it', async () => {
    await scheduledBefore();
    answers('taskStatus', pending, pending, pending);
    stopAt('taskStatus', 2);
    expect(await run({ ...one, concurrency: 2 }, '1', '2')).toMatchObject({
      accounts: { scheduled: 1, pending: 1 },
    });
    expect(harness.platform.times('schedule')).toBe(0);
  });

  it('while it asks has learnt nothing of the task', async () => {
    answers('taskStatus', unknownTask, lost(), processed);
    stopAt('taskStatus', 2);
    expect(await run()).toMatchObject({ accounts: { scheduled: 1 } });
    expect(await entry()).toMatchObject({ account: 'scheduled', sent: 'sent' });
  });
});

describe('a question about a task', () => {
  it('that is refused says nothing of the task, and the next run asks again', async () => {
    answers('taskStatus', unknownTask, refused('no_right'), processed);
    await run();
    expect(await entry()).toMatchObject({ account: 'failed status_http_400', sent: 'sent' });
    expect(harness.events.filter(({ type }) => type === 'problem')).toEqual([]);
    expect(await run()).toMatchObject({ exit: 0, accounts: { completed: 1 } });
    expect(harness.platform.times('schedule')).toBe(1);
  });

  it('is recorded once, however often it is asked', async () => {
    answers('taskStatus', pending, pending, pending, processed);
    await run();
    const { id = 0 } = (await recorded(harness)) ?? {};
    const attempts = await inJournal(harness, async (journal) => {
      const all: unknown[] = [];
      for await (const { step, outcome } of journal.attempts(id)) all.push([step, outcome]);
      return all;
    });
    expect(attempts).toEqual([
      ['validate', 'ok'],
      ['process', scheduledOutcome],
      ['process', 'confirmed'],
    ]);
  });

  it('is asked at once and then as seldom as is set, if an earlier run has submitted', async () => {
    await scheduledBefore();
    const from = harness.clock.slept.length;
    answers('taskStatus', pending, processed, processedAs('A-2'));
    await run({ ...one, concurrency: 2 }, '1', '2');
    expect(slept(from)).toContain(60_000);
    // How long that task took is not known, so that the next one is asked about as soon as a first one.
    expect(slept(from).at(-1)).toBe(1000);
  });

  it('is asked later of the next account if tasks take long', async () => {
    answers('taskStatus', pending, processed, processedAs('A-2'));
    await run({ ...one, concurrency: 2 }, '1', '2');
    // Half of the minute that the first one took, and of its neighbour's waiting for room.
    const last = slept().at(-1);
    expect(last).toBeGreaterThan(30_000);
    expect(last).toBeLessThan(60_000);
  });

  it('waits for the quiet period of a lost submission, and no longer', async () => {
    answers('schedule', lost());
    answers('taskStatus', unknownTask, unknownTask, processed);
    expect(await run()).toMatchObject({ accounts: { completed: 1 } });
    expect(slept()).toEqual([5000, 1000]);
  });

  it('is asked as long as the time that is set has not passed, and once at least', async () => {
    answers('taskStatus', pending, processed);
    const brief = (waitMs: number) => ({ schedule: { ...schedule, waitMs } });
    expect(await run(brief(61_000))).toMatchObject({ accounts: { completed: 1 } });
    answers('taskStatus', processedAs('A-2'));
    expect(await run(brief(500), '2')).toMatchObject({ accounts: { completed: 1 } });
    answers('taskStatus', processedAs('A-3'));
    const startAt = harness.clock.now() + schedule.waitMs;
    expect(await run({ schedule: { ...schedule, startAt } }, '3')).toMatchObject({
      accounts: { completed: 1 },
    });
  });
});

describe('an account of a journal that was restored', () => {
  it('is in doubt no longer once it was submitted', async () => {
    await inJournal(harness, (journal) => journal.markRestored(harness.clock.now()));
    answers('taskStatus', ...Array<typeof unknownTask>(6).fill(unknownTask));
    answers('taskStatus', ...Array<typeof pending>(20).fill(pending));
    expect(await run()).toMatchObject({ accounts: { scheduled: 1 } });
    expect(harness.platform.times('schedule')).toBe(1);
    expect(await recorded(harness)).toMatchObject({ state: 'scheduled', inDoubtSince: undefined });
  });
});
