import { afterEach, beforeEach, expect, it } from 'vitest';
import type { AccountInDoubt, FoundByReading, ReadingWay } from '../../src/pipeline/account/by-reading.ts';
import { Harness, lost, ok, planOf } from './harness.ts';

let harness: Harness;
beforeEach(() => {
  harness = new Harness();
});
afterEach(() => harness.dispose());

const plan = planOf('E1', {
  agreements: [{ agreement: { tariff_code: 'T1' } }, { agreement: { tariff_code: 'T2' } }],
});

/** The next findings about a request whose effect is unknown, and what was asked. */
function reads(...found: Omit<FoundByReading, 'part'>[]): { account: AccountInDoubt; way: ReadingWay }[] {
  const asked: { account: AccountInDoubt; way: ReadingWay }[] = [];
  harness.byReading = {
    find: (account, way) => {
      asked.push({ account, way });
      const said = found.shift() ?? { decision: 'unknown' as const };
      const next =
        said.decision === 'absent' && !account.mayBeAbsent ? { decision: 'unknown' as const } : said;
      return Promise.resolve(account.asked.map((part) => ({ part, ...next })));
    },
  };
  return asked;
}

it('a lost request that the platform shows is done, and nothing is sent again', async () => {
  harness.platform.answers('agreements', lost());
  const asked = reads({ decision: 'done' });
  const { accounts } = await harness.run([plan]);
  expect(accounts).toMatchObject({ completed: 1, uncertain: 0 });
  expect(harness.platform.times('agreements')).toBe(2);
  expect(asked.map(({ account: { number, asked: parts } }) => [number, parts.length])).toEqual([['A-E1', 1]]);
});

it('a lost request that is absent is sent again, and asked about again if that is lost too', async () => {
  harness.platform.answers('agreements', lost(), lost(), lost());
  const asked = reads({ decision: 'absent' }, { decision: 'done' });
  expect((await harness.run([plan])).accounts).toMatchObject({ completed: 1 });
  expect(asked.map(({ account }) => account.asked.length)).toEqual([2, 1]);
  expect(harness.platform.times('agreements')).toBe(4);
});

it('what is lost again and again is not sent for ever', async () => {
  harness.platform.answers('agreements', ...Array.from({ length: 20 }, () => lost()));
  const asked = reads(...Array.from({ length: 20 }, () => ({ decision: 'absent' as const })));
  expect((await harness.run([plan])).accounts).toMatchObject({ uncertain: 1 });
  expect(asked.map(({ account }) => account.mayBeAbsent)).toEqual([true, true, false]);
});

it('what stays unknown is left to a person, with what was seen', async () => {
  harness.platform.answers('agreements', lost());
  reads({ decision: 'unknown', seen: 'missing' });
  expect((await harness.run([plan])).accounts).toMatchObject({ uncertain: 1 });
  expect(harness.events).toContainEqual(
    expect.objectContaining({ type: 'account', state: 'uncertain', code: 'not_on_platform' }),
  );
  expect(harness.platform.times('agreements')).toBe(2);
});

it('what is there twice is done, and told at its place', async () => {
  harness.platform.answers('agreements', lost());
  reads({ decision: 'doubled' });
  expect((await harness.run([plan])).accounts).toMatchObject({ completed: 1 });
  const problems = harness.events.flatMap((event) => (event.type === 'problem' ? [event.problem] : []));
  expect(problems.map(({ code, severity, step }) => [code, severity, step])).toEqual([
    ['doubled_on_platform', 'warning', 'agreements'],
  ]);
});

it('nothing is asked where nothing is unknown', async () => {
  const asked = reads();
  expect((await harness.run([plan])).accounts).toMatchObject({ completed: 1 });
  expect(asked).toEqual([]);
});

it('a run that is stopped while it waits for a reading leaves the request to a person', async () => {
  harness.platform.answers('agreements', lost());
  harness.byReading = {
    find: async ({ asked }, way) => {
      harness.stop.stop('interrupt');
      expect(await way.wait(60_000)).toBe(false);
      return asked.map((part) => ({ part, decision: 'unknown' as const }));
    },
  };
  expect((await harness.run([plan])).accounts).toMatchObject({ uncertain: 1 });
});

it('knows which request an item was sent with, in whichever payload of the account it is', async () => {
  const note = { body: 'a', created_at: '2024-01-01T00:00:00Z' };
  const scan = { document_paths: [{ document_path: '/a/1.pdf' }] };
  harness.platform.answers('notes', ok([{ ...note, status: 'NOTE_CREATION_SUCCESS' }]), lost());
  const asked = reads({ decision: 'done' });
  await harness.run([planOf('E1', { notes: [{ notes: [note] }, { notes: [scan] }] })]);
  const [{ account } = {}] = asked;
  const sentWith = [0, 1].map((request) =>
    account?.sentBy.of({ step: 'notes', path: 'notes.0.body', request }),
  );
  expect(sentWith.map((part) => [part?.part, part?.state])).toEqual([
    [0, 'done'],
    [1, 'uncertain'],
  ]);
});
