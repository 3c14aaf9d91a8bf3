import { afterEach, beforeEach, expect, it } from 'vitest';
import type { PartEntry } from '../../src/journal/journal.ts';
import type { AccountInDoubt, FoundByReading, ReadingWay } from '../../src/pipeline/account/by-reading.ts';
import { codeOfSeen, partsInDoubt } from '../../src/pipeline/account/ask-by-reading.ts';
import { Harness, lost, ok, planOf, refused, serverError } from './harness.ts';

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
  expect(harness.events.filter(({ type }) => type === 'problem')).toEqual([]);
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

it('what is there twice is not sent again, and told at its item', async () => {
  harness.platform.answers('notes', lost());
  reads({ decision: 'doubled' });
  const scan = { document_paths: [{ document_path: '/a/1.pdf' }] };
  await harness.run([planOf('E1', { notes: [{ notes: [scan] }] })]);
  expect(harness.platform.times('notes')).toBe(1);
  const problems = harness.events.flatMap((event) => (event.type === 'problem' ? [event.problem] : []));
  expect(problems).toMatchObject([
    {
      ...{ code: 'doubled_on_platform', path: 'notes.0' },
      detail: 'The platform holds this once more than the export has it. Have one of them removed there.',
    },
  ]);
});

it('what is found does not count as sent again', async () => {
  harness.platform.answers('agreements', ...Array.from({ length: 20 }, () => lost()));
  const mayBeAbsent: boolean[] = [];
  harness.byReading = {
    find: (account) => {
      mayBeAbsent.push(account.mayBeAbsent);
      const absent = account.mayBeAbsent ? 'absent' : 'unknown';
      return Promise.resolve(
        account.asked.map((part) => ({ part, decision: part.part === 0 ? 'done' : absent })),
      );
    },
  };
  expect((await harness.run([plan])).accounts).toMatchObject({ uncertain: 1 });
  expect(mayBeAbsent).toEqual([true, true, false]);
});

it('what stays unknown does not keep the others from being asked about', async () => {
  harness.platform.answers('agreements', lost(), lost(), lost());
  const asked: number[][] = [];
  harness.byReading = {
    find: (account) => {
      asked.push(account.asked.map(({ part }) => part));
      const other = asked.length === 1 ? 'absent' : 'done';
      return Promise.resolve(
        account.asked.map((part) => ({ part, decision: part.part === 0 ? 'unknown' : other })),
      );
    },
  };
  expect((await harness.run([plan])).accounts).toMatchObject({ uncertain: 1 });
  expect(asked).toEqual([
    [0, 1],
    [0, 1],
  ]);
  expect(harness.platform.times('agreements')).toBe(3);
});

it('what stays unknown and was not seen keeps its own code', async () => {
  harness.platform.answers('agreements', lost());
  const asked = reads({ decision: 'unknown' });
  await harness.run([plan]);
  expect(harness.events).toContainEqual(
    expect.objectContaining({ type: 'account', state: 'uncertain', code: 'connection_reset' }),
  );
  expect(asked).toHaveLength(1);
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
      expect([await way.number(), await way.post('{}', undefined)]).toEqual([undefined, undefined]);
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

it('a question goes the way of all requests, over a connection of its own', async () => {
  harness.platform.answers('agreements', lost(), serverError);
  const status = ok({ status: 'COMPLETED', krakenAccountNumber: 'A-E1' }, 200);
  harness.platform.answers('transferStatus', status, refused('no'));
  const said: unknown[] = [];
  harness.byReading = {
    find: async ({ asked, payload, isAsCreated, minorUnits }, way) => {
      said.push(await way.number(), await way.number(), await way.post('{}', undefined));
      said.push(payload()['external_account_number'], isAsCreated, minorUnits);
      way.discardToken(5);
      const slept = harness.clock.slept.length;
      await way.pause(1, 700);
      await way.pause(2, undefined);
      said.push(harness.clock.slept.slice(slept), await way.wait(30));
      return asked.map((part) => ({ part, decision: 'done' as const }));
    },
  };
  expect((await harness.run([plan])).accounts).toMatchObject({ completed: 1 });
  expect(said).toEqual([
    ...['A-E1', undefined, { kind: 'unknown', cause: 'no_graphql' }],
    ...['E1', true, undefined, [700, 100], true],
  ]);
  expect(harness.platform.askedFreshly).toEqual(['E1', 'E1']);
  expect(harness.platform.discarded).toEqual([5]);
});

it('a request may be under way for as long as the last of them', async () => {
  harness.platform.answers('agreements', lost(), lost());
  let quietMs: number | undefined;
  harness.byReading = {
    find: ({ asked }, way) => {
      harness.clock.pass(1000);
      quietMs = way.quietMs();
      return Promise.resolve(asked.map((part) => ({ part, decision: 'done' as const })));
    },
  };
  await harness.run([plan]);
  // The last one was sent a second ago.
  expect(quietMs).toBe(4000);
});

it('what reading has not settled is not asked about again for its own sake', async () => {
  harness.platform.answers('agreements', lost(), lost());
  const asked = reads({ decision: 'unknown' }, { decision: 'done' });
  expect((await harness.run([plan])).accounts).toMatchObject({ uncertain: 1 });
  expect(asked).toHaveLength(1);
});

it('nothing is asked of an account that is not created', async () => {
  harness.platform.answers('process', lost(), lost(), lost());
  harness.platform.answers(
    'transferStatus',
    ...Array.from({ length: 40 }, () => ok({ status: 'IN_PROGRESS' }, 200)),
  );
  const asked = reads({ decision: 'done' });
  expect((await harness.run([plan])).accounts).toMatchObject({ uncertain: 1 });
  expect(asked).toEqual([]);
});

it('what reading sees and cannot tell is left to a person, with that', async () => {
  harness.platform.answers('agreements', lost());
  const asked = reads({ decision: 'unknown', seen: 'unclear' });
  expect((await harness.run([plan])).accounts).toMatchObject({ uncertain: 1 });
  expect(harness.events).toContainEqual(
    expect.objectContaining({ type: 'account', code: 'unclear_on_platform' }),
  );
  expect(asked.map(({ account }) => account.mayBeAbsent)).toEqual([true]);
});

const entry = (more: Partial<PartEntry> = {}): PartEntry => ({
  ...{ step: 'notes', part: 0, attempt: 1, state: 'uncertain', hash: 'h', run: 1, sentAt: 0 },
  ...more,
});

it.each<[Partial<PartEntry>, FoundByReading['seen'], string | undefined]>([
  [{}, 'missing', 'not_on_platform'],
  [{}, 'unclear', 'unclear_on_platform'],
  [{}, undefined, undefined],
  [{ code: 'journal_contradicted' }, 'missing', undefined],
  [{ code: 'lost_answer' }, 'missing', 'not_on_platform'],
])('what stays unknown has the code of what was seen: %j, %s', (more, seen, code) => {
  const found = { part: entry(more), decision: 'unknown', ...(seen === undefined ? {} : { seen }) } as const;
  expect(codeOfSeen(found)).toBe(code);
});

it('only what nobody knows of, adds to the account and is in the export as it was sent is asked about', () => {
  const all = [entry(), entry({ state: 'done' }), entry({ step: 'process' }), entry({ part: 1 })];
  const sentBy = {
    ...{ of: () => undefined, isWhole: () => true },
    placeOf: ({ part }: PartEntry) => (part === 1 ? undefined : { path: '', request: 0 }),
  };
  expect(partsInDoubt(all, sentBy)).toEqual([entry()]);
});
