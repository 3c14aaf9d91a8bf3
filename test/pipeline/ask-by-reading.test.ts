import { afterEach, beforeEach, expect, it } from 'vitest';
import type { PartEntry } from '../../src/journal/journal.ts';
import type { AccountInDoubt, FoundByReading, ReadingWay } from '../../src/pipeline/account/by-reading.ts';
import { codeOfSeen, partsInDoubt } from '../../src/pipeline/account/ask-by-reading.ts';
import { SimulatedTime } from './simulated-time.ts';
import { Harness, lost, notSent, ok, planOf, refused, serverError } from './harness.ts';

let harness: Harness;
beforeEach(() => {
  harness = new Harness();
});
afterEach(() => harness.dispose());

/** A note that the platform cannot tell from another: it is not repeated. */
const scan = { document_paths: [{ document_path: '/a/1.pdf' }] };

const agreements = ['T1', 'T2'].map((tariff_code) => ({ agreement: { tariff_code } }));
const plan = planOf('E1', { agreements });
const withNote = planOf('E1', { agreements, notes: [{ notes: [scan] }] });

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
  const { steps, parts = [] } = (await harness.entry('E1')) ?? {};
  expect(steps).toMatchObject({ agreements: 'done', notes: 'none', 'payment-instruction': 'none' });
  expect(parts.filter(({ step }) => step === 'agreements')).toMatchObject([
    { state: 'done', outcome: 'reading', code: undefined },
    { state: 'done', outcome: 'ok' },
  ]);
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

it('what is seen again as it was is not recorded again', async () => {
  harness.platform.answers('agreements', lost());
  const missing = { decision: 'unknown', seen: 'missing' } as const;
  reads(missing, missing);
  await harness.run([plan]);
  const lostPart = async () => (await harness.entry('E1'))?.parts.find(({ step }) => step === 'agreements');
  const before = await lostPart();
  harness.clock.pass(60_000);
  await harness.run([withNote]);
  expect(harness.platform.times('notes')).toBe(1);
  expect(await lostPart()).toEqual({ ...before, code: 'not_on_platform' });
});

it('what it found absent is sent again, though the platform has accounts that the journal lacks', async () => {
  await harness.run([planOf('E0')]);
  const account_created_at = new Date(harness.clock.now() + 5000).toISOString();
  harness.platform.listed = [{ external_account_number: 'E9', account_created_at }];
  harness.clock.pass(10_000);
  harness.platform.answers('agreements', lost());
  reads({ decision: 'absent' });
  expect((await harness.run([plan])).accounts).toMatchObject({ completed: 1 });
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

it('a step that was found to be sent stays pending where the account ends before it', async () => {
  harness.platform.answers('notes', lost(), ...Array.from({ length: 3 }, () => notSent));
  harness.platform.answers('agreements', lost());
  reads({ decision: 'absent' });
  expect((await harness.run([withNote])).accounts).toMatchObject({ failed: 1 });
  expect((await harness.entry('E1'))?.steps).toMatchObject({ notes: 'failed', agreements: 'pending' });
});

it('a run that is stopped before it sends again leaves the account to the next', async () => {
  harness.platform.answers('notes', lost()).answers('agreements', lost());
  harness.byReading = {
    find: ({ asked }) => {
      harness.stop.stop('interrupt');
      return Promise.resolve(
        asked.map((part) => ({ part, decision: part.step === 'notes' ? 'unknown' : 'absent' })),
      );
    },
  };
  expect((await harness.run([withNote])).accounts).toMatchObject({ imported: 1 });
  expect((await harness.run([withNote])).accounts).toMatchObject({ uncertain: 1 });
  expect(harness.platform.times('agreements')).toBe(3);
});

it('what is found alone does not count as sent again', async () => {
  harness.platform.answers('agreements', ...Array.from({ length: 20 }, () => lost()));
  const mayBeAbsent: boolean[] = [];
  harness.byReading = {
    find: ({ asked, mayBeAbsent: mayBe }) => {
      mayBeAbsent.push(mayBe);
      const other = mayBe ? ('absent' as const) : ('unknown' as const);
      const [part] = asked;
      if (mayBeAbsent.length === 1 && part !== undefined)
        return Promise.resolve([{ part, decision: 'done' }]);
      return Promise.resolve(asked.map((one) => ({ part: one, decision: other })));
    },
  };
  expect((await harness.run([plan])).accounts).toMatchObject({ uncertain: 1 });
  expect(mayBeAbsent).toEqual([true, true, true, false]);
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
  expect((await harness.entry('E1'))?.parts).toContainEqual(
    expect.objectContaining({ step: 'agreements', part: 0, code: 'connection_reset', outcome: 'unknown' }),
  );
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

it('no question is asked once another account has the same number, nor anything sent', async () => {
  harness.time = new SimulatedTime();
  const told = ok({ status: 'COMPLETED', krakenAccountNumber: 'A-1' }, 200);
  const processed = ok({ kraken_account_number: 'A-1' });
  harness.platform.answers('process', processed, processed).answers('agreements', lost(), lost());
  harness.platform.statuses.set('E1', told).set('E2', told);
  harness.platform.listed = ['E1', 'E2'].map((account) => ({
    external_account_number: account,
    kraken_account_number: 'A-1',
  }));
  const asked: number[] = [];
  harness.byReading = {
    find: async (account, way) => {
      asked.push(account.asked.length);
      // The other account comes next meanwhile.
      await way.wait(60_000);
      return account.asked.slice(0, 1).map((part) => ({ part, decision: 'absent' as const }));
    },
  };
  expect((await harness.run([plan, planOf('E2')])).accounts).toMatchObject({ uncertain: 2 });
  expect(asked).toEqual([2]);
  expect(harness.platform.times('agreements')).toBe(2);
});

it('a question is not asked once the time of its step is over', async () => {
  harness.platform.answers('agreements', lost());
  const said: unknown[] = [];
  harness.byReading = {
    find: async ({ asked }, way) => {
      harness.clock.pass(10_000);
      said.push(await way.number(), await way.post('{}', undefined));
      return asked.map((part) => ({ part, decision: 'unknown' as const }));
    },
  };
  await harness.run([plan], { timeouts: { stepMs: 10_000 } });
  expect(said).toEqual([undefined, undefined]);
  expect(harness.platform.times('transferStatus')).toBe(0);
});

it('a question goes the way of all requests, over a connection of its own', async () => {
  harness.platform.answers('agreements', lost(), serverError);
  const status = ok({ status: 'COMPLETED', krakenAccountNumber: 'A-E1' }, 200);
  harness.platform.answers('transferStatus', status, refused('no'));
  const said: unknown[] = [];
  const paths: unknown[] = [];
  const client = harness.platform.client();
  const query: typeof client.query = (body, options) => {
    paths.push(options?.path);
    return client.query(body, options);
  };
  harness.platform.client = () => ({ ...client, query });
  harness.byReading = {
    find: async ({ asked, payload, isAsCreated, minorUnits }, way) => {
      said.push(await way.number(), await way.number(), await way.post('{}', '/v1/graphql/'));
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
  expect(paths).toEqual(['/v1/graphql/']);
  // None of them counts as a request that the platform accepted.
  const questions = harness.events.filter((event) => event.type === 'request' && event.isQuestion);
  expect(questions).toMatchObject([{ outcome: 'ok' }, { outcome: 'refused' }, { cause: 'no_graphql' }]);
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
