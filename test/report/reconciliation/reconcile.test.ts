import { describe, expect, it } from 'vitest';
import { dateMovedCode, noLongerInExport } from '../../../src/domain/shared-codes.ts';
import { parseDecimal } from '../../../src/domain/decimal.ts';
import { MoneySum, writeMoney } from '../../../src/domain/money.ts';
import type { Problem } from '../../../src/domain/problem.ts';
import type { AccountEntry, PartEntry, PartlyRead, RecordedProblem } from '../../../src/journal/journal.ts';
import type { PlatformListing, SourceAccount } from '../../../src/report/reconciliation/joined.ts';
import {
  notCountedLine,
  reconcileSummary,
  reconcileText,
} from '../../../src/report/reconciliation/reconcile-page.ts';
import { reconcile } from '../../../src/report/reconciliation/reconcile.ts';
import { attempt, eachStep, page } from '../fixture.ts';

const supplier = 'TENTACLE_ENERGY';
const created = (n: number): PlatformListing => ({
  krakenAccountNumber: `A-${n}`,
  createdAt: '2026-07-01T20:00:00Z',
});

function money(...amounts: [kind: string, amount: string][]): string | undefined {
  const sum = new MoneySum();
  for (const [kind, amount] of amounts) sum.add(kind, parseDecimal(amount)!);
  return writeMoney(sum.totals);
}

function part(changes: Partial<PartEntry>): PartEntry {
  const { code: _, ...done } = attempt({ state: 'done', outcome: 'ok', status: 201 });
  return { ...done, ...changes };
}

const process = part({ step: 'process', hash: 'plan', money: money(['transfer_balance', '1.50'])! });

/** An account of which everything is on the platform, as `A-n`. */
function entry(n: number, changes: Partial<AccountEntry> = {}): AccountEntry {
  return {
    id: n,
    key: { supplier, account: String(n) },
    state: 'completed',
    code: '',
    krakenAccountNumber: `A-${n}`,
    stagedHash: 'payload',
    planHash: 'plan',
    steps: { ...eachStep(() => 'none' as const), validate: 'done', stage: 'done', process: 'done' },
    parts: [process],
    ...changes,
  };
}

/** An account that the journal does not have as created. */
function notCreated(n: number, changes: Partial<AccountEntry> = {}): AccountEntry {
  const { krakenAccountNumber: _, stagedHash: __, ...rest } = entry(n);
  return { ...rest, state: 'pending', steps: eachStep(() => 'pending' as const), parts: [], ...changes };
}

const exported: SourceAccount = { planHash: 'plan', money: money(['transfer_balance', '1.50'])! };

interface World {
  readonly listed?: readonly (readonly [string, PlatformListing])[];
  readonly journal?: readonly AccountEntry[];
  readonly source?: readonly (readonly [string, SourceAccount])[];
  readonly unreadable?: readonly Problem[];
  readonly problems?: readonly RecordedProblem[];
  readonly partlyRead?: readonly PartlyRead[];
  readonly places?: readonly string[];
  /** What the platform says of an account that its list lacks. */
  readonly asked?: Readonly<Record<string, string>>;
  /** Accounts whose number another one has. */
  readonly sharing?: readonly string[];
}

async function compared(world: World) {
  const told: string[] = [];
  const result = await reconcile(
    {
      supplier,
      platform: 'p',
      sides: {
        listed: world.listed ?? [],
        journal: stream(world.journal ?? []),
        source: world.source ?? [],
      },
      partlyRead: world.partlyRead ?? [],
      ...(world.places === undefined ? {} : { places: world.places }),
      isSuperseded: () => Promise.resolve(false),
      sharesNumber: ({ key }) => Promise.resolve(world.sharing?.includes(key.account) ?? false),
      askedOf: ({ key }) => {
        const krakenAccountNumber = world.asked?.[key.account];
        return Promise.resolve(krakenAccountNumber === undefined ? undefined : { krakenAccountNumber });
      },
      problemsOf: () => stream(world.problems ?? []),
      ...(world.source === undefined ? {} : { unreadable: world.unreadable ?? [] }),
    },
    {
      compared: () => undefined,
      difference: ({ account }, { code, detail }) => void told.push(`${account} ${code}: ${detail}`),
      absent: ({ key }) => void told.push(`${key.account} absent`),
      unreadable: ({ code }) => void told.push(`unreadable: ${code}`),
      notCounted: (read) => void told.push(notCountedLine(read)),
      dateMoved: (account, place) => void told.push(`${account} moved: ${place?.path ?? 'place unknown'}`),
    },
  );
  const view = { supplier, platformLabel: 'embedded', result, ignoredRows: null };
  return { told, summary: reconcileSummary(view), text: reconcileText(page(), view), result };
}

async function* stream<T>(items: readonly T[]): AsyncGenerator<T> {
  await Promise.resolve();
  yield* items;
}

describe('what matches', () => {
  const world = {
    listed: [
      ['1', created(1)],
      ['2', created(2)],
    ],
    journal: [entry(1), entry(2)],
    source: [
      ['1', exported],
      ['2', exported],
    ],
  } satisfies World;

  it('is told with counts and exact money of every side', async () => {
    const { told, summary, text } = await compared(world);
    expect(told).toEqual([]);
    expect(summary).toMatchObject({
      matches: true,
      differences: 0,
      source: { accounts: 2, imported: 2 },
      journal: { accounts: 2, imported: 2 },
      platform: { label: 'embedded', accounts: 2, imported: 2 },
      money: { transfer_balance: { source: '3.00', acknowledged: '3.00', unconfirmed: '0.00' } },
    });
    expect(text).toContain('They match: export, journal and platform agree on every account.');
  });

  it('has one digest for one state of things, and another as soon as anything differs', async () => {
    const { result } = await compared(world);
    expect((await compared(world)).result.digest).toBe(result.digest);
    const others: World[] = [
      {
        ...world,
        listed: [
          ['1', created(1)],
          ['2', { ...created(2), createdAt: '2026-07-02T20:00:00Z' }],
        ],
      },
      { ...world, journal: [entry(1), entry(2, { parts: [{ ...process, hash: 'other' }] })] },
      {
        ...world,
        source: [
          ['1', exported],
          ['2', { planHash: 'plan' }],
        ],
      },
      { listed: world.listed, journal: world.journal },
    ];
    const digests = await Promise.all(others.map(async (other) => (await compared(other)).result.digest));
    expect(new Set([result.digest, ...digests]).size).toBe(5);
  });

  it('may have accounts that are not complete, which are told beside the result', async () => {
    const rejected = notCreated(2, { state: 'rejected', code: 'invalid_phone_number' });
    const { summary, text } = await compared({ listed: [['1', created(1)]], journal: [entry(1), rejected] });
    expect(summary).toMatchObject({ matches: true, source: null, journal: { accounts: 2, imported: 1 } });
    expect(text.replaceAll('\n', ' ')).toContain(
      'Not complete yet, according to the journal: 1 rejected. Name the export',
    );
  });
});

describe('an account that the list of the platform lacks', () => {
  it('is there if its status says so: the list may be behind', async () => {
    const { told, summary } = await compared({
      listed: [['2', {}]],
      journal: [entry(1), entry(2)],
      asked: { 1: 'A-1', 2: 'A-2' },
    });
    expect(told).toEqual([]);
    expect(summary).toMatchObject({ matches: true, platform: { accounts: 2, imported: 2 } });
  });

  it('differs if its status has another number', async () => {
    const { told } = await compared({ journal: [entry(1)], asked: { 1: 'A-9' } });
    expect(told[0]).toContain('1 number_differs');
  });
});

describe('a difference', () => {
  it.each<[string, World, string]>([
    ['an account that is gone', { journal: [entry(1)] }, '1 missing_on_platform: The journal has it as A-1'],
    [
      'another number',
      { journal: [entry(1)], listed: [['1', created(9)]] },
      '1 number_differs: The journal has it as A-1, the platform as A-9.',
    ],
    ['an account that is pending there', { journal: [entry(1)], listed: [['1', {}]] }, '1 state_differs: '],
    [
      'staged data that is gone',
      { journal: [notCreated(1, { stagedHash: 'h', state: 'staged' })] },
      '1 state_differs: The journal has it as staged',
    ],
    [
      'an account of somebody else',
      { listed: [['1', created(1)]] },
      '1 created_outside: The platform has it as A-1: the journal has never seen it.',
    ],
    [
      'one that was skipped',
      {
        listed: [['1', created(1)]],
        journal: [notCreated(1, { state: 'skipped', code: 'already_imported' })],
      },
      '1 created_outside: The platform has it as A-1: the journal has it as skipped (already_imported).',
    ],
    ['staged data of somebody else', { listed: [['1', {}]] }, '1 staged_outside: '],
    [
      'an account whose answer was lost',
      { listed: [['1', created(1)]], journal: [notCreated(1, { parts: [{ ...process, state: 'sent' }] })] },
      '1 state_differs: The platform has it as A-1; the journal does not know the result',
    ],
    [
      'a repeated account',
      {
        journal: [entry(1)],
        listed: [
          ['1', created(1)],
          ['1', created(1)],
        ],
      },
      '1 listed_twice: The platform lists it 2 times.',
    ],
    [
      'a request of unknown effect',
      {
        journal: [
          entry(1, { state: 'uncertain', parts: [process, part({ step: 'notes', state: 'uncertain' })] }),
        ],
        listed: [['1', created(1)]],
      },
      '1 unconfirmed: It is not known whether it arrived: notes.',
    ],
    [
      'an account of the export that was never sent',
      { source: [['1', exported]] },
      '1 not_created: The export has it: the journal has never seen it.',
    ],
    [
      'one that was rejected',
      { source: [['1', exported]], journal: [notCreated(1, { state: 'rejected', code: 'x' })] },
      '1 not_created: The export has it: the journal has it as rejected (x).',
    ],
    [
      'one that is not whole',
      {
        source: [['1', exported]],
        journal: [entry(1, { state: 'failed', code: 'http_500' })],
        listed: [['1', created(1)]],
      },
      '1 incomplete: Not all of its data has arrived: the journal has it as failed (http_500).',
    ],
    [
      'one that changed',
      { source: [['1', { ...exported, planHash: 'new' }]], journal: [entry(1)], listed: [['1', created(1)]] },
      '1 changed_since_sent: ',
    ],
    [
      'one that changed and cannot be sent on top',
      {
        source: [['1', { ...exported, planHash: 'new' }]],
        journal: [entry(1, { state: 'rejected', code: 'changed_after_import' })],
        listed: [['1', created(1)]],
      },
      '1 changed_since_sent: ',
    ],
    [
      'one that left the export',
      { source: [], journal: [entry(1)], listed: [['1', created(1)]] },
      '1 not_in_export: ',
    ],
    [
      'money of another amount',
      {
        source: [
          ['1', { planHash: 'plan', money: money(['CHARGE', '0.01'], ['transfer_balance', '1.50'])! }],
        ],
        journal: [entry(1)],
        listed: [['1', created(1)]],
      },
      '1 money_differs: CHARGE: the export has 0.01, but 0.00 was acknowledged.',
    ],
  ])('is %s', async (_, world, expected) => {
    const { told, summary, text } = await compared(world);
    expect(told).toHaveLength(1);
    expect(told[0]).toContain(expected);
    expect(summary).toMatchObject({ matches: false, differences: 1 });
    expect(text).toContain('They do not match: 1 difference');
  });

  it('is also a row of the export that belongs to no account', async () => {
    const problem: Problem = {
      account: null,
      code: 'orphan',
      path: '',
      detail: 'No account.',
      severity: 'error',
    };
    const { told, summary } = await compared({ source: [], unreadable: [problem] });
    expect(told).toEqual(['unreadable: orphan']);
    expect(summary).toMatchObject({ matches: false, byCode: { unreadable: 1 } });
  });

  it('is found whatever stands between', async () => {
    const numbers = [1, 2, 3, 4, 5, 6, 7];
    const { told } = await compared({
      listed: numbers.filter((n) => n !== 4).map((n) => [String(n), created(n)]),
      journal: numbers.filter((n) => n !== 7).map((n) => entry(n)),
      source: numbers.filter((n) => n !== 1).map((n) => [String(n), exported]),
    });
    expect(told.map((line) => line.split(':')[0])).toEqual([
      '1 not_in_export',
      '4 missing_on_platform',
      '7 created_outside',
    ]);
  });
});

describe('money', () => {
  it('is unconfirmed where the effect of its request is not known, and in no total where it was refused', async () => {
    const charges = (state: PartEntry['state'], n: number) =>
      part({ step: 'transactions', part: n, state, money: money(['CHARGE', String(n)])! });
    const parts = [
      process,
      charges('done', 1),
      charges('sent', 2),
      charges('uncertain', 4),
      charges('refused', 8),
    ];
    const { summary } = await compared({ journal: [entry(1, { parts })], listed: [['1', created(1)]] });
    expect(summary).toMatchObject({
      money: {
        transfer_balance: { source: null, acknowledged: '1.50', unconfirmed: '0.00' },
        CHARGE: { source: null, acknowledged: '1.00', unconfirmed: '6.00' },
      },
    });
  });

  it('that is not known is told, and never counted as nothing', async () => {
    const unknown = writeMoney(undefined)!;
    const { told, summary, text } = await compared({
      journal: [entry(1, { parts: [{ ...process, money: unknown }] })],
      listed: [['1', created(1)]],
      source: [['1', exported]],
    });
    expect(told).toEqual([]);
    expect(summary).toMatchObject({
      money: { transfer_balance: { source: '1.50', acknowledged: '0.00' } },
      moneyUnknown: { source: 0, acknowledged: 1, unconfirmed: 0 },
    });
    expect(text).toContain('The amounts of 1 account are not known');
  });
});

describe('dates that the platform moved', () => {
  const moved = entry(1, { parts: [process, part({ code: dateMovedCode })] });
  const world = { journal: [moved], listed: [['1', created(1)]] } satisfies World;

  it('are told with their places, and are no difference', async () => {
    const problems = [0, 3].map((n) => ({
      code: dateMovedCode,
      path: `transactions.${n}.transaction_date`,
      cell: { file: 'transactions.csv', line: n + 2, column: 'transaction_date' },
    }));
    const { told, summary } = await compared({
      ...world,
      journal: [{ ...moved, hasProblems: true }],
      problems,
    });
    expect(told).toEqual([
      '1 moved: transactions.0.transaction_date',
      '1 moved: transactions.3.transaction_date',
    ]);
    expect(summary).toMatchObject({ matches: true, datesMoved: 2 });
  });

  it('are told also when a later run has forgotten where they stood', async () => {
    const { told, summary } = await compared(world);
    expect(told).toEqual(['1 moved: place unknown']);
    expect(summary).toMatchObject({ datesMoved: 1 });
  });
});

describe('records that left the export after they were sent', () => {
  const problems = (['notes', 'notes', 'transactions'] as const).map((step) => ({
    step,
    code: noLongerInExport,
    path: step,
    isWarning: true as const,
  }));
  const world = {
    journal: [entry(1, { hasProblems: true })],
    listed: [['1', created(1)]],
    problems,
  } satisfies World;

  it('are a difference: the platform still has them', async () => {
    const { told, summary } = await compared({ ...world, source: [['1', exported]] });
    expect(told).toEqual([
      '1 no_longer_in_export: The platform still has records that are no longer in the export: notes, transactions.',
    ]);
    expect(summary).toMatchObject({ matches: false, byCode: { no_longer_in_export: 1 } });
  });

  it('are none if the export is not compared', async () => {
    expect((await compared(world)).told).toEqual([]);
  });

  it('are not told beside what no run has seen yet', async () => {
    const { told } = await compared({ ...world, source: [['1', { ...exported, planHash: 'other' }]] });
    expect(told).toEqual([expect.stringMatching('changed_since_sent')]);
  });
});

it('never calls a number fine that another account has too', async () => {
  const { told } = await compared({ listed: [['1', created(1)]], journal: [entry(1)], sharing: ['1'] });
  expect(told).toEqual([
    expect.stringMatching(/^1 number_of_another_account: The journal has it as .+, and another account/),
  ]);
});

it('never calls a book complete of which no run has read the rest, unless that export is compared', async () => {
  const world = {
    journal: [entry(1)],
    listed: [['1', created(1)]],
    partlyRead: [{ place: '/book', accounts: 4000 }],
  } satisfies World;
  const { told, summary } = await compared(world);
  expect(told).toEqual([
    '/book  not_counted  Not counted: the accounts that no run has read yet, of /book, which has 4,000 accounts. ' +
      'A run that reads this export to its end counts them.',
  ]);
  expect(summary).toMatchObject({ matches: false, byCode: { not_counted: 1 } });
  const source = [['1', { planHash: 'plan-1' }]] as const;
  expect((await compared({ ...world, source, places: ['/book'] })).told.join()).not.toContain('not_counted');
});

describe('an account that a dry run staged', () => {
  const staged = notCreated(1, { stagedHash: 'payload' });

  it('is pending, and is told as staged on the platform', async () => {
    const { told, summary, text } = await compared({ listed: [['1', {}]], journal: [staged] });
    expect(told).toEqual([
      '1 pending: A dry run staged it on the platform, and no run has created it: run the export that has it.',
    ]);
    expect(summary).toMatchObject({ matches: false, stagedByDryRun: 1 });
    expect(text).toContain('A dry run staged 1 pending account on the platform. No run has created it.');
  });

  it('is told so beside its export too', async () => {
    const source = [['1', { planHash: 'plan-1' }]] as const;
    const { told } = await compared({ listed: [['1', {}]], journal: [staged], source });
    expect(told).toEqual([
      '1 not_created: The export has it: a dry run staged it on the platform, and no run has created it.',
    ]);
  });

  it('says with whom the money is that the platform has not acknowledged', async () => {
    const more = { planHash: 'plan', money: money(['transfer_balance', '1234567.50'], ['CHARGE', '2.00'])! };
    const { summary, text } = await compared({
      listed: [['1', created(1)]],
      journal: [
        entry(1),
        notCreated(2, { state: 'rejected', code: 'ledger_code_does_not_exist' }),
        notCreated(3),
      ],
      source: [
        ['1', exported],
        ['2', more],
        ['3', exported],
      ],
    });
    expect(summary).toMatchObject({
      missing: [
        {
          ...{ state: 'rejected', who: 'platform', accounts: 1 },
          money: { transfer_balance: '1234567.50', CHARGE: '2.00' },
        },
        { state: 'pending', who: 'us', accounts: 1, money: { transfer_balance: '1.50' } },
      ],
    });
    expect(text).toMatch(/transfer balances +1,234,570\.50 +1\.50 +1,234,569\.00 +0\.00/);
    expect(text.replaceAll(/\s+/g, ' ')).toContain(
      "Missing with 1 account (rejected), for the platform's operator: 1,234,567.50 of transfer balances; 2.00 of charges.",
    );
  });
});
