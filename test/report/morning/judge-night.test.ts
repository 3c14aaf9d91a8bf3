import { describe, expect, it } from 'vitest';
import { zeroCounts, type AccountCounts } from '../../../src/domain/account-state.ts';
import { exitCodes } from '../../../src/domain/exit-codes.ts';
import { nights } from '../../../src/report/advice/nights.ts';
import type { ExportFacts } from '../../../src/domain/run-facts.ts';
import type { FailureGroup } from '../../../src/report/failures/failure-groups.ts';
import type { WarnedAccounts } from '../../../src/report/failures/warned-accounts.ts';
import { isNightReason, remedies, remedyOf } from '../../../src/report/advice/remedies.ts';
import { stopReasons } from '../../../src/domain/stop-reason.ts';
import type { RunEnd, RunEntry, SupplierOverview } from '../../../src/journal/journal.ts';
import { judgeNight } from '../../../src/report/morning/judge-night.ts';
import {
  morningAnswers,
  morningHeadline,
  morningSummary,
  nextCommand,
} from '../../../src/report/morning/morning-text.ts';

const hourMs = 3_600_000;
/** A Wednesday, 22:00 UTC. */
const tonight = Date.UTC(2026, 10, 25, 22);
const platform = 'https://platform.example';

function run(id: number, startedAt: number, end?: Partial<RunEnd>, of: Partial<RunEntry> = {}): RunEntry {
  return {
    ...{ id, platform, platformLabel: platform, dryRun: false, export: './export', startedAt },
    ...of,
    end: end && {
      ...{
        endedAt: startedAt + 4 * hourMs,
        exit: 0,
        reason: '',
        accounts: zeroCounts(),
        requests: 9,
        retries: 0,
      },
      ...end,
    },
  };
}

function supplier(accounts: Partial<AccountCounts>, of: Partial<SupplierOverview> = {}): SupplierOverview {
  return {
    ...{ platform, platformLabel: platform, supplier: 'S', absent: 0, stagedByDryRun: 0 },
    ...{
      changedAfterImport: 0,
      alreadyHeld: 0,
      refusedData: 0,
      inDoubt: 0,
      partlyRead: [],
      steps: {} as SupplierOverview['steps'],
    },
    accounts: { ...zeroCounts(), ...accounts },
    ...of,
  };
}

interface Facts {
  readonly runs: readonly RunEntry[];
  readonly book?: Partial<AccountCounts>;
  readonly of?: Partial<SupplierOverview>;
  readonly elsewhere?: readonly SupplierOverview[];
  readonly others?: readonly SupplierOverview[];
  readonly hasOthers?: boolean;
  readonly doubled?: number;
  readonly unanswered?: number;
  readonly unansweredGone?: number;
  readonly ruledAt?: number | undefined;
  readonly provedAt?: number;
  readonly intervenedAt?: number;
  readonly ruledNotOurs?: number;
  readonly warned?: WarnedAccounts;
  readonly now?: number;
  readonly running?: ReadonlySet<number>;
  readonly free?: number;
  readonly failures?: readonly FailureGroup[];
}

function judged({
  runs,
  book = { completed: 9 },
  of,
  elsewhere = [],
  others = [],
  hasOthers = false,
  doubled = 0,
  unanswered = 0,
  unansweredGone = 0,
  ruledNotOurs = 0,
  warned = { accounts: 0, byCode: [] },
  now = tonight + 9 * hourMs,
  running = new Set(),
  ruledAt = now,
  provedAt,
  intervenedAt,
  free,
  failures = [],
}: Facts) {
  return judgeNight({
    runs,
    running,
    suppliers: [supplier(book, of), ...others],
    hasOthers,
    elsewhere,
    doubled,
    unanswered,
    unansweredGone,
    ruledNotOurs,
    warned,
    failures,
    free,
    now,
    ruledAt,
    provedAt,
    intervenedAt,
  });
}

describe('what is lost, doubled or uncertain', () => {
  const answersOf = (facts: Facts): string => morningAnswers(judged(facts), 'UTC').join(' ');

  it('names requests without an answer, and says nothing is lost only beside them', () => {
    const killed = { runs: [run(1, tonight)], book: { completed: 3, pending: 6 }, unanswered: 4 };
    expect(answersOf(killed)).toContain(
      '4 requests were sent and have no answer: whether they took effect is not known yet. The next run settles them before it sends anything else for the same account. Apart from that, nothing is lost',
    );
    expect(morningSummary(judged(killed))).toMatchObject({ unanswered: 4 });
    expect(answersOf({ ...killed, unanswered: 1 })).toContain(
      '1 request was sent and has no answer: whether it',
    );
    // They are under way.
    const running = answersOf({ ...killed, running: new Set([1]) });
    expect(running).toContain('Nothing is lost, doubled or uncertain so far, as far as the journal knows.');
    expect(running).not.toContain('no answer');
  });

  it('tells requests apart whose accounts left the export: no run settles them', () => {
    const gone = { runs: [run(1, tonight)], book: { completed: 3, pending: 6 }, unansweredGone: 1 };
    const one = answersOf({ ...gone, unanswered: 1 });
    expect(one).toContain(
      "1 request was sent and has no answer, for accounts that left the export since: whether it took effect is not known, and no run settles this while the export lacks the accounts. Put them back into the export, or ask the platform's operator. Apart from that, nothing is lost",
    );
    expect(one).not.toContain('The next run');
    expect(answersOf({ ...gone, unanswered: 3 })).toContain(
      '2 requests were sent and have no answer: whether',
    );
  });

  it('names rows of the export that belong to no account', () => {
    const files = [
      { table: 'accounts', file: 'accounts.csv', rows: 9, orphans: 0 },
      { table: 'notes', file: 'notes.csv', rows: 12, orphans: 2 },
    ];
    const found = { runs: [read(1, 0, 'content', { files })] };
    expect(answersOf(found)).toContain(
      '2 rows of the export belong to none of its accounts and were not sent: `migrate validate ./export` names them. Apart from that, nothing is lost',
    );
    expect(morningSummary(judged(found))).toMatchObject({ strayRows: 2 });
  });

  it('does not say so of accounts without an import supplier', () => {
    const unnamed = { runs: [run(1, tonight, { exit: exitCodes.accountsRejected, withoutSupplier: 3 })] };
    expect(answersOf(unnamed)).toContain('Apart from accounts without an import supplier, nothing is lost');
  });
});

it('is done, and not ruled on, where the run left accounts of another supplier alone', () => {
  const accounts = { ...zeroCounts(), completed: 9, rejected: 4 };
  const left = { runs: [run(1, tonight, { exit: exitCodes.accountsRejected, accounts })], ruledAt: 0 };
  const night = judged(left);
  expect(night).toMatchObject({ good: true, reason: 'done' });
  expect(nextCommand(night)).toMatch(/^migrate reconcile/);
  expect(judged({ ...left, ruledAt: tonight + 5 * hourMs })).toMatchObject({ reason: 'ruled' });
  // Nothing is left to run.
  expect(nextCommand(judged({ ...left, ruledAt: tonight + 5 * hourMs }))).toMatch(/^migrate reconcile/);
  const planned = { runs: [run(1, tonight, { exit: 6, reason: 'hours' })] };
  expect(nextCommand(judged(planned))).toMatch(/^migrate reconcile/);
  expect(nextCommand(judged({ ...planned, book: { completed: 9, pending: 1 } }))).toMatch(/^migrate run/);
});

it('says nothing of the rest by a pace that is that of several suppliers', () => {
  const driven = { ...zeroCounts(), completed: 270 };
  const facts = {
    runs: [run(1, tonight, { exit: 6, reason: 'hours', driven })],
    book: { completed: 120, pending: 9 },
  };
  const told = (hasOthers: boolean) => morningAnswers(judged({ ...facts, hasOthers }), 'UTC').join(' ');
  expect(told(true)).toContain('completed 270 accounts of all its suppliers in 4h.');
  expect(told(true)).not.toContain('At this pace');
  expect(told(false)).toContain('At this pace');
});

it('continues the supplier that has work left, and names the others', () => {
  const runs = [
    run(3, tonight, {}, { supplier: 'S', export: './s' }),
    run(2, tonight - hourMs, {}, { supplier: 'B', export: './b' }),
    run(1, tonight - 2 * hourMs, {}, { supplier: 'C', export: './c' }),
  ];
  const others = ['B', 'C'].map((name) => supplier({ failed: 1 }, { supplier: name }));
  const night = judged({ runs, others });
  expect(nextCommand(night)).toBe('migrate list --state failed');
  const again = { ...night, reason: 'interrupt' } as const;
  expect(nextCommand(again)).toBe('migrate run ./b --supplier B');
  expect(morningAnswers(again, 'UTC').join(' ')).toContain(
    'It continues one supplier. What comes next for the others with work left: `migrate status --supplier C`.',
  );
  // It takes one supplier.
  const done = judged({
    runs,
    others: ['B', 'C'].map((name) => supplier({ completed: 1 }, { supplier: name })),
  });
  expect(nextCommand(done)).toBe('migrate reconcile ./s --supplier S');
  expect(morningAnswers(done, 'UTC').join(' ')).toContain('Repeat it with --supplier B, C.');
});

it('continues no rehearsal, no dry run and no run on another platform', () => {
  const last = run(4, tonight, {}, { supplier: 'S', export: './s' });
  const others = [supplier({ failed: 1 }, { supplier: 'B' })];
  const embedded = { platform: 'embedded:1', platformLabel: 'embedded' };
  const before = [
    run(3, tonight - hourMs, {}, { supplier: 'B', export: './rehearsed', ...embedded }),
    run(2, tonight - 2 * hourMs, {}, { supplier: 'B', export: './dry', dryRun: true }),
  ];
  const real = run(1, tonight - 3 * hourMs, {}, { supplier: 'B', export: './b' });
  const commandOf = (night: ReturnType<typeof judged>) => nextCommand({ ...night, reason: 'interrupt' });
  expect(commandOf(judged({ runs: [last, ...before, real], others }))).toBe('migrate run ./b --supplier B');
  const none = judged({ runs: [last, ...before], others });
  expect(commandOf(none)).toBe('migrate run ./s --supplier S');
  expect(none.leftToo).toEqual(['B']);
  // Its own platform has the night of its own.
  const elsewhere = { platform: 'https://other.example', platformLabel: 'https://other.example' };
  const two = judged({
    runs: [last, { ...real, ...elsewhere }],
    others: [supplier({ failed: 1 }, { supplier: 'B', ...elsewhere })],
  });
  expect(commandOf(two)).toBe('migrate run ./s --supplier S');
  expect(two.leftToo).toEqual(['B']);
});

it('asks for a new proof after a ruling, a retry or a restore', () => {
  const done = { runs: [run(1, tonight, {})], provedAt: tonight + 5 * hourMs };
  expect(nextCommand(judged({ ...done, intervenedAt: tonight + 4.5 * hourMs }))).toMatch(/^migrate numbers/);
  expect(nextCommand(judged({ ...done, intervenedAt: tonight + 6 * hourMs }))).toMatch(/^migrate reconcile/);
});

it('has the numbers next where a comparison since the last run found no difference', () => {
  const done = { runs: [run(1, tonight, {})] };
  expect(nextCommand(judged({ ...done, provedAt: tonight + 5 * hourMs }))).toMatch(/^migrate numbers/);
  expect(nextCommand(judged({ ...done, provedAt: tonight - hourMs }))).toMatch(/^migrate reconcile/);
});

it('is for whoever can remove the causes of the failures that stopped the run', () => {
  const stopped = run(1, tonight, { exit: 6, reason: 'max-failures', detail: '3 accounts' });
  const failures = [{ state: 'failed', code: 'http_503', accounts: 3 }] as const;
  const verdict = judged({ runs: [stopped], book: { failed: 3, pending: 9 }, failures });
  expect(morningAnswers(verdict, 'UTC')).toContain("Who must act: the platform's operator.");
  expect(morningSummary(verdict)).toMatchObject({ who: 'platform' });
  // Another supplier of the same run.
  const other = judged({ runs: [stopped], book: { completed: 3, pending: 9 } });
  expect(nextCommand(other, { supplier: 'B' })).toBe('migrate run ./export --supplier B');
  expect(morningAnswers(other, 'UTC').join(' ')).not.toContain('Who must act');
});

/** A run that read an export with a code table of this print. */
function given(id: number, at: number, print: string): RunEntry {
  const export_ = { files: [], sample: [], place: '/export', accounts: 9, mapping: [], contract: [] };
  return {
    ...run(id, at, { exit: 3 }),
    facts: {
      ...{ rehearsal: false, unattended: true },
      given: { ...export_, codeTables: [{ file: 'tariffs.csv', print }], settings: {} },
    },
  };
}

/** A complete run of an export with this content. */
function read(id: number, days: number, content: string, of: Partial<ExportFacts> = {}): RunEntry {
  const found = given(id, tonight - days * 24 * hourMs, 'whole');
  const { facts } = found;
  if (facts?.given === undefined) throw new Error('a run without facts');
  return { ...run(id, found.startedAt, {}), facts: { ...facts, given: { ...facts.given, content, ...of } } };
}

describe('a night', () => {
  it('whose code table was another one names the table, and sends nobody to the cells', () => {
    const verdict = judged({
      runs: [given(2, tonight, 'cut'), given(1, tonight - 24 * hourMs, 'whole')],
      book: { completed: 4, rejected: 5 },
      failures: [{ state: 'rejected', code: 'unknown_code', accounts: 5 }],
    });
    expect(verdict).toMatchObject({ good: false, reason: 'unknown-codes', exit: 3 });
    const answers = morningAnswers(verdict, 'UTC').join('\n');
    expect(answers).toContain('changed: the code table tariffs.csv.');
    expect(answers).toContain('Check first that the table is whole');
    expect(answers).not.toContain('Correct the cells');
    expect(morningSummary(verdict)).toMatchObject({
      who: 'us',
      different: expect.stringContaining('tariffs.csv') as string,
    });
  });

  it('whose run has no end, while the disk of the journal is full, names the disk', () => {
    expect(judged({ runs: [run(1, tonight)], free: 500_000 })).toMatchObject({
      reason: 'disk-full',
      exit: 2,
    });
  });

  it.each([
    ['that did everything', run(1, tonight, {}), 'done'],
    ['whose hours ended', run(1, tonight, { exit: 6, reason: 'hours' }), 'hours'],
    ['that was told to stop', run(1, tonight, { exit: 6, reason: 'limit' }), 'limit'],
    ['whose uncertain accounts were ruled on since', run(1, tonight, { exit: 8 }), 'ruled'],
  ] as const)('%s is good', (_what, last, reason) => {
    expect(judged({ runs: [last] })).toMatchObject({ good: true, reason, exit: 0 });
  });

  it.each(stopReasons.filter((reason) => !['interrupt', 'hours', 'limit', 'run-timeout'].includes(reason)))(
    'that stopped for %s is not good, and the reason is told',
    (reason) => {
      const verdict = judged({
        runs: [run(2, tonight, { exit: 5, reason }), run(1, tonight - hourMs, { exit: 5, reason })],
      });
      expect(verdict).toMatchObject({ good: false, reason });
      expect(verdict.exit).not.toBe(0);
      expect(morningHeadline(verdict)).toContain(remedyOf(reason).words);
    },
  );

  it.each([
    ['was killed', { runs: [run(1, tonight)] }, 'killed', 6],
    ['is under way', { runs: [run(1, tonight)], running: new Set([1]) }, 'running', 6],
    ['could not start', { runs: [run(1, tonight, { exit: 2, reason: 'not-begun' })] }, 'not-begun', 2],
    ['left accounts uncertain', { runs: [run(1, tonight, {})], book: { uncertain: 1 } }, 'uncertain', 8],
    [
      'left accounts failed',
      { runs: [run(1, tonight, { exit: 6, reason: 'hours' })], book: { failed: 1 } },
      'failed',
      3,
    ],
    [
      'left accounts rejected',
      { runs: [run(1, tonight, { exit: 3 })], book: { rejected: 1 } },
      'rejected',
      3,
    ],
    [
      'found accounts of others',
      { runs: [run(1, tonight, { exit: 3 })], book: { skipped: 1 } },
      'not-ours',
      3,
    ],
    ['found rows of no account', { runs: [run(1, tonight, { exit: 3 })] }, 'faults', 3],
    ['lost accounts', { runs: [run(1, tonight, {})], of: { absent: 3 } }, 'lost', 3],
    ['doubled accounts', { runs: [run(1, tonight, {})], doubled: 2 }, 'doubled', 8],
    ['never began', { runs: [] }, 'no-run', 6],
  ] as const)('that %s is not good', (_what, facts, reason, exit) => {
    expect(judged(facts)).toMatchObject({ good: false, reason, exit });
  });

  it('that found accounts of others is good once all of them are ruled on', () => {
    const runs = [run(1, tonight, { exit: 3, accounts: { ...zeroCounts(), skipped: 2 } })];
    expect(judged({ runs, book: { skipped: 2 }, ruledNotOurs: 1 })).toMatchObject({ reason: 'not-ours' });
    expect(judged({ runs, book: { skipped: 2 }, ruledNotOurs: 2 })).toMatchObject({
      reason: 'ruled',
      exit: 0,
    });
  });

  it('that was the first on another platform is not good, and counts the accounts of its own alone', () => {
    const other = 'https://sandbox.example';
    const on = (id: number, days: number, place: string) =>
      run(
        id,
        tonight - days * 24 * hourMs,
        { exit: 6, reason: 'limit', detail: '9' },
        { platform: place, platformLabel: place },
      );
    const elsewhere = [supplier({ completed: 4, pending: 5 })];
    const told = judged({ runs: [on(3, 0, other), on(2, 1, platform), on(1, 2, platform)], elsewhere });
    expect(told).toMatchObject({ good: false, reason: 'other-platform', exit: 2, book: { completed: 9 } });
    const answers = morningAnswers(told, 'UTC').join('\n');
    expect(answers).toContain('Of 9 accounts, 9 are complete');
    expect(answers).toContain(
      'The journal also has 9 accounts of S on https://platform.example, 5 of them to do; run 2 was there.',
    );
    // The next night there, and a night that goes back, are as usual.
    const there = judged({ runs: [on(4, 0, other), on(3, 1, other), on(2, 2, platform)], elsewhere });
    expect(there).toMatchObject({ good: true, reason: 'limit' });
    expect(morningAnswers(there, 'UTC').join('\n')).toContain('5 of them to do.');
    const back = [on(4, 0, platform), on(3, 1, other), on(2, 2, platform), on(1, 3, platform)];
    expect(judged({ runs: back })).toMatchObject({ good: true });
    // Two exports that go to platforms of their own are no change.
    const theirs = (id: number, days: number) => ({ ...on(id, days, other), export: './other' });
    const both = [on(4, 0, platform), theirs(3, 0.01), on(2, 1, platform), theirs(1, 1.01)];
    expect(judged({ runs: both })).toMatchObject({ good: true });
    expect(judged({ runs: both.slice(1) })).toMatchObject({ good: true });
    // A second start in the same night changes nothing.
    const twice = [on(4, 0, other), on(3, 0.1, other), on(2, 1, platform)];
    expect(judged({ runs: twice })).toMatchObject({ reason: 'other-platform' });
  });

  it('after one on another platform counts what is uncertain, lost or rejected there too', () => {
    const other = 'https://staging.example';
    const there = { platform: other, platformLabel: other };
    const runs = [5, 4, 3, 2, 1].map((id) =>
      run(id, tonight - (5 - id) * 24 * hourMs, {}, id > 3 ? {} : there),
    );
    const uncertain = judged({
      runs,
      elsewhere: [supplier({ completed: 90, uncertain: 3, rejected: 7 }, there)],
    });
    expect(uncertain).toMatchObject({ good: false, reason: 'uncertain', exit: 8, uncertain: 3 });
    expect(uncertain.book.uncertain).toBe(0);
    const answers = morningAnswers(uncertain, 'UTC').join('\n');
    expect(answers).not.toContain('Nothing is lost');
    expect(answers).toContain(
      'The journal also has 100 accounts of S on https://staging.example, 3 uncertain, 7 rejected.',
    );
    const lost = judged({ runs, elsewhere: [supplier({ completed: 9 }, { ...there, absent: 2 })] });
    expect(lost).toMatchObject({ good: false, reason: 'lost', lost: 2 });
    const rejected = judged({ runs, elsewhere: [supplier({ completed: 9, rejected: 7 }, there)] });
    expect(rejected).toMatchObject({ good: true });
    expect(morningAnswers(rejected, 'UTC').join('\n')).toContain('staging.example, 7 rejected.');
    expect(judged({ runs, elsewhere: [supplier({ completed: 9 }, there)] }).elsewhere).toEqual([]);
  });

  describe('on a platform that is as it should be', () => {
    const [staging, wrong] = ['https://staging.example', 'https://wrong.example'];
    const on = (id: number, days: number, place: string, end: Partial<RunEnd> = {}) =>
      run(id, tonight - days * 24 * hourMs, end, { platform: place, platformLabel: place, supplier: 'S' });

    it('is good with staging and production in every night', () => {
      const runs = [
        on(5, 0, staging),
        on(4, 0.1, platform),
        on(3, 1, staging),
        on(2, 1.1, platform),
        on(1, 2, staging),
      ];
      expect(judged({ runs })).toMatchObject({ good: true });
      expect(judged({ runs: runs.slice(1) })).toMatchObject({ good: true });
      const first = { runs: runs.slice(3), now: tonight - 20 * hourMs };
      expect(judged(first)).toMatchObject({ reason: 'other-platform' });
      expect(judged({ runs: [on(6, -0.9, platform), ...runs], now: tonight + 30 * hourMs })).toMatchObject({
        good: true,
      });
    });

    it('knows an export by its name without the date, where no supplier is known', () => {
      const dated = (id: number, days: number, place: string, path: string) => ({
        ...run(id, tonight - days * 24 * hourMs, {}, { platform: place, platformLabel: place }),
        export: path,
      });
      const before = [
        dated(2, 1, platform, '/exports/2026-11-27'),
        dated(1, 2, platform, '/exports/2026-11-26'),
      ];
      const moved = [dated(3, 0, wrong, '/exports/2026-11-28'), ...before];
      expect(judged({ runs: moved })).toMatchObject({ good: false, reason: 'other-platform' });
      const another = [dated(3, 0, wrong, '/exports/south-2026-11-28'), ...before];
      expect(judged({ runs: another })).toMatchObject({ good: true });
    });

    it('is good with three runs a night, back after one night elsewhere', () => {
      const night = (first: number, days: number, place: string) =>
        [2, 1, 0].map((at) => on(first + at, days - at * 0.1, place));
      const wrongOnce = [...night(4, 1, wrong), ...night(1, 2, platform)];
      expect(judged({ runs: [on(7, 0, platform), ...wrongOnce] })).toMatchObject({ good: true });
      expect(judged({ runs: wrongOnce, now: tonight - 15 * hourMs })).toMatchObject({
        reason: 'other-platform',
      });
    });

    it.each(['unavailable', 'credentials'])('is good after a start elsewhere that ended %s', (reason) => {
      const mistyped = on(1, 0.01, wrong, { exit: 5, reason });
      expect(judged({ runs: [on(2, 0, platform), mistyped] })).toMatchObject({ good: true });
      // A night that completed accounts before was one.
      const driven = { ...zeroCounts(), completed: 4 };
      const broken = on(1, 1, wrong, { exit: 5, reason, driven });
      expect(judged({ runs: [on(2, 0, platform), broken] })).toMatchObject({ reason: 'other-platform' });
    });

    it('is not good in the first night elsewhere of a book that is run around the clock', () => {
      const hourly = (from: number, to: number, place: string) =>
        Array.from({ length: to - from + 1 }, (_, at) => on(to - at, (99 - to + at) / 24, place));
      const runs = [...hourly(98, 99, wrong), ...hourly(1, 97, platform)];
      expect(judged({ runs, now: tonight + hourMs })).toMatchObject({ reason: 'other-platform' });
    });
  });

  it('whose accounts are uncertain or lost says so before an older export or a clock', () => {
    const runs = [run(3, tonight - 48 * hourMs, {}), run(2, tonight, {})];
    expect(judged({ runs, book: { uncertain: 1 } })).toMatchObject({ reason: 'uncertain' });
    expect(judged({ runs, of: { absent: 1 } })).toMatchObject({ reason: 'lost' });
    expect(judged({ runs, doubled: 2 })).toMatchObject({ reason: 'doubled' });
    expect(judged({ runs, book: { rejected: 1 } })).toMatchObject({ reason: 'clock-back' });
    const older = [read(3, 0, 'one'), read(2, 1, 'two'), read(1, 2, 'one')];
    expect(judged({ runs: older, book: { uncertain: 1 } })).toMatchObject({ reason: 'uncertain' });
  });

  it('with an older export is told by the accounts of the exports, wherever they are', () => {
    const north = { place: '/north', sample: [1, 2, 3] };
    const south = { place: '/south', sample: [7, 8, 9] };
    // Two static exports of one supplier, each night.
    const both = [
      read(4, 0, 'south', south),
      read(3, 0.1, 'north', north),
      read(2, 1, 'south', south),
      read(1, 1.1, 'north', north),
    ].map((one) => ({ ...one, supplier: 'S' }));
    expect(judged({ runs: both })).toMatchObject({ good: true });
    expect(judged({ runs: both.slice(1) })).toMatchObject({ good: true });
    // Dated directories.
    const dated = [
      read(3, 0, 'one', { ...north, place: '/24' }),
      read(2, 1, 'two', { ...north, place: '/23' }),
      read(1, 2, 'one', { ...north, place: '/22' }),
    ];
    expect(judged({ runs: dated })).toMatchObject({ reason: 'older-export' });
    // A few accounts by day.
    const few = [
      read(3, 0, 'one', { ...north, accounts: 900 }),
      read(2, 0.5, 'few', { ...north, accounts: 3 }),
      read(1, 1, 'one', { ...north, accounts: 900 }),
    ];
    expect(judged({ runs: few })).toMatchObject({ good: true });
  });

  it('with the export of the night before last is not good, once', () => {
    const told = judged({ runs: [read(3, 0, 'one'), read(2, 1, 'two'), read(1, 2, 'one')] });
    expect(told).toMatchObject({ good: false, reason: 'older-export', exit: 2 });
    expect(morningAnswers(told, 'UTC').join(' ')).toContain(
      'The export is byte for byte the one of run 1 (2026-11-23 22:00:00 UTC), not the one of run 2.',
    );
    for (const runs of [
      [read(4, 0, 'one'), read(3, 1, 'one'), read(2, 2, 'two'), read(1, 3, 'one')],
      [read(3, 0, 'three'), read(2, 1, 'two'), read(1, 2, 'one')],
      [read(2, 0, 'one'), read(1, 1, 'one')],
      // The newest was put back in its place.
      [read(4, 0, 'two'), read(3, 1, 'one'), read(2, 2, 'two'), read(1, 3, 'one')],
    ])
      expect(judged({ runs })).toMatchObject({ good: true });
  });

  it('whose clock was set back is not good, also where all is done', () => {
    const back = judged({ runs: [run(3, tonight - 48 * hourMs, {}), run(2, tonight, {})] });
    expect(back).toMatchObject({ good: false, reason: 'clock-back', exit: 2 });
    expect(morningAnswers(back, 'UTC').join(' ')).toContain(
      'By their clocks, run 2 began at 2026-11-25 22:00:00, and run 3 after it began earlier.',
    );
    expect(judged({ runs: [run(1, tonight + 48 * hourMs, {})] })).toMatchObject({ reason: 'clock-back' });
    // One wrong clock is told once, and hides no night.
    const wrong = run(2, tonight + 400 * 24 * hourMs, {});
    const days = (id: number, ago: number) => run(id, tonight - ago * 24 * hourMs, {});
    expect(judged({ runs: [days(3, 0), wrong, days(1, 2)] })).toMatchObject({ reason: 'clock-back' });
    expect(judged({ runs: [days(4, 0), days(3, 1), wrong, days(1, 3)] })).toMatchObject({ good: true });
    const missed = { runs: [days(3, 3), wrong, days(1, 5)], book: { pending: 4 } };
    expect(judged(missed)).toMatchObject({ reason: 'no-night' });
    // Two machines are never quite together.
    const near = [run(3, tonight - 60_000, {}), run(2, tonight, {})];
    expect(judged({ runs: near })).toMatchObject({ good: true });
  });

  it('that went to the embedded platform is not good where earlier ones went to another', () => {
    const facts = { rehearsal: true, unattended: true };
    const rehearsal = run(2, tonight, {}, { platform: 'own', platformLabel: 'embedded', facts });
    expect(judged({ runs: [rehearsal, run(1, tonight - 24 * hourMs, {})] })).toMatchObject({
      reason: 'rehearsal',
    });
    expect(judged({ runs: [rehearsal] })).toMatchObject({ good: true, isRehearsal: true });
  });

  it('that was missed is told, whoever rehearsed since', () => {
    const facts = { rehearsal: true, unattended: false };
    const own = { platform: 'own', platformLabel: 'embedded', facts };
    const rehearsal = run(3, tonight - 6 * hourMs, {}, own);
    const runs = [rehearsal, run(2, tonight - 72 * hourMs, {}), run(1, tonight - 96 * hourMs, {})];
    expect(judged({ runs, book: { pending: 4 } })).toMatchObject({ good: false, reason: 'no-night' });
  });

  it('in which the platform refused all requests for their number is not good, whatever ended it', () => {
    const driven = (completed: number) => ({ ...zeroCounts(), completed, pending: 150 });
    const before = run(1, tonight - 24 * hourMs, { driven: driven(250) });
    const refused = { answered: { accepted: 0, refused: 101, unclear: 0 } };
    for (const reason of ['hours', 'interrupt']) {
      const last = run(2, tonight, { exit: 6, reason, driven: driven(0) }, refused);
      const verdict = judged({ runs: [last, before], book: { completed: 250, pending: 150 } });
      expect(verdict).toMatchObject({ good: false, reason: 'unavailable', exit: 5 });
      const text = morningAnswers(verdict, 'UTC').join(' ');
      expect(text).toContain('it refused requests for their number (429)');
      // Nothing is foretold by a run before.
      expect(text).toContain('The last run completed no account; the one before that completed 250 accounts');
      expect(text).not.toContain('At this pace');
    }
    const unclear = { answered: { accepted: 0, refused: 101, unclear: 100 } };
    const gateway = run(2, tonight, { exit: 6, reason: 'hours', driven: driven(0) }, unclear);
    const verdict = judged({ runs: [gateway, before], book: { completed: 250, pending: 150 } });
    expect(verdict).toMatchObject({ reason: 'unavailable', detail: 'http_503' });
    const busy = run(2, tonight, { exit: 6, reason: 'hours', driven: driven(9) }, refused);
    expect(judged({ runs: [busy, before], book: { completed: 259, pending: 141 } })).toMatchObject({
      good: true,
    });
  });

  it('names whoever starts the next run too, where accounts wait for it', () => {
    const runs = [run(1, tonight, { exit: 6, reason: 'hours' })];
    const failures = [{ state: 'rejected', code: 'invalid_postcode', accounts: 2 }] as FailureGroup[];
    const whoOf = (book: Partial<AccountCounts>) =>
      morningAnswers(judged({ runs, book, failures }), 'UTC').find((line) => line.startsWith('Who must act'));
    expect(whoOf({ rejected: 2, completed: 3 })).toBe("Who must act: the data's owner.");
    expect(whoOf({ rejected: 2, pending: 3 })).toBe("Who must act: the data's owner, whoever runs migrate.");
  });

  it('whose run was interrupted during an outage is not good', () => {
    const stopped = (detail: string) => run(1, tonight, { exit: 6, reason: 'interrupt', detail });
    expect(judged({ runs: [stopped('')], book: { pending: 4 } })).toMatchObject({ good: true });
    const away = judged({ runs: [stopped('connection_refused')], book: { pending: 4 } });
    expect(away).toMatchObject({ good: false, reason: 'unavailable', exit: 5 });
    const text = morningAnswers(away, 'UTC').join(' ');
    expect(text).toContain('Run 1 stopped early, because somebody stopped it.');
    expect(text).toContain('nothing answers at its address');
  });

  it('is that of the run which worked, not of a start that found it at work', () => {
    const runs = [run(3, tonight + hourMs, { exit: 7, reason: 'held' }), run(2, tonight, {})];
    expect(judged({ runs })).toMatchObject({ good: true, run: { id: 2 } });
  });
});

describe('a night that did not begin', () => {
  const nightly = [2, 3, 4].map((days, at) => run(9 - at, tonight - days * 24 * hourMs, {}));

  it('is told of a book with work left, a day after the last', () => {
    const runs = [run(1, tonight - 24 * hourMs, { exit: 6, reason: 'hours' })];
    expect(judged({ runs, book: { pending: 1 } })).toMatchObject({ good: false, reason: 'no-night' });
  });

  it('is told of a book that is done, where one began every night', () => {
    expect(judged({ runs: nightly, now: tonight })).toMatchObject({ reason: 'no-night' });
  });

  it('is not told where none began a week ago either', () => {
    // Mondays to Fridays: now it is Sunday.
    const sunday = Date.UTC(2026, 10, 29, 7);
    const days = [27, 26, 25, 24, 23, 20, 19].map((day, at) => run(9 - at, Date.UTC(2026, 10, day, 22), {}));
    expect(judged({ runs: days, now: sunday, book: { pending: 4 } })).toMatchObject({ good: true });
    expect(judged({ runs: days, now: sunday + 48 * hourMs, book: { pending: 4 } })).toMatchObject({
      reason: 'no-night',
    });
  });

  it('is not told of a book that is done after its only night', () => {
    expect(judged({ runs: [run(1, tonight - 99 * hourMs, {})] })).toMatchObject({ good: true });
  });
});

it('warnings about completed accounts are told with their codes, also in a good night', () => {
  const warned: WarnedAccounts = {
    accounts: 12,
    byCode: [
      ['transaction_date_moved', 11],
      ['binary_float', 2],
    ],
  };
  const verdict = judged({ runs: [run(1, tonight, {})], warned });
  expect(verdict.good).toBe(true);
  expect(morningAnswers(verdict, 'UTC')).toContain(
    'Of the complete accounts, 12 have warnings (transaction_date_moved 11, binary_float 2): `migrate list --code transaction_date_moved` lists those of the first code.',
  );
});

it('the pace stands beside that of the nights before, with the nights that are left', () => {
  const did = (completed: number) => ({ exit: 6, reason: 'hours', driven: { ...zeroCounts(), completed } });
  const runs = [
    run(3, tonight, did(100)),
    run(2, tonight - 24 * hourMs, did(300)),
    run(1, tonight - 48 * hourMs, did(200)),
  ];
  const verdict = judged({ runs, book: { completed: 600, pending: 250 } });
  expect(verdict.pace).toMatchObject({ completed: 100, before: 250, nightsLeft: 3 });
  expect(morningAnswers(verdict, 'UTC').join(' ')).toContain(
    'At this pace, the 250 accounts to do take 3 more nights of 4h.',
  );
});

it('a night that was cut short sets no pace: the nights before do, or the time that is left is told', () => {
  const did = (completed: number, reason = 'hours') => ({
    ...{ exit: reason === 'hours' ? 6 : 5, reason, driven: { ...zeroCounts(), completed } },
  });
  const cut = run(3, tonight, { ...did(10, 'unavailable'), endedAt: tonight + hourMs });
  const before = [run(2, tonight - 24 * hourMs, did(300)), run(1, tonight - 48 * hourMs, did(200))];
  const book = { completed: 510, pending: 260 };
  expect(morningAnswers(judged({ runs: [cut, ...before], book }), 'UTC').join(' ')).toContain(
    'At the pace of the runs before, the 260 accounts to do take 2 more nights of 4h.',
  );
  expect(morningAnswers(judged({ runs: [cut], book }), 'UTC').join(' ')).toContain(
    'At this pace, the 260 accounts to do take 1d 2h more.',
  );
});

it('every reason has one next command, and no advice to run again where something else comes first', () => {
  const reasons = [...Object.keys(nights), ...remedies.map(({ reason }) => reason)].filter(isNightReason);
  expect(reasons.length).toBeGreaterThan(40);
  for (const reason of reasons) {
    const night = judged({ runs: [run(1, tonight, {})], book: { completed: 9, rejected: 1 } });
    const next = nextCommand({ ...night, reason });
    expect(next).toMatch(/^migrate \w+/);
    if (['credentials', 'export-shrank', 'same-refusal', 'no-journal'].includes(reason))
      expect(next).not.toMatch(/^migrate run/);
  }
  expect(exitCodes.done).toBe(0);
});
