import { describe, expect, it } from 'vitest';
import { changedAfterImport } from '../../../src/domain/shared-codes.ts';
import type { AccountEntry, PartEntry, RecordedProblem } from '../../../src/journal/journal.ts';
import {
  differencesOf,
  sharedNumber,
  type Difference,
} from '../../../src/report/reconciliation/differences.ts';
import type {
  JoinedAccount,
  SourceAccount,
  SourceChange,
} from '../../../src/report/reconciliation/joined.ts';
import { attempt, eachStep } from '../fixture.ts';

const part = (step: PartEntry['step'], state: PartEntry['state']): PartEntry => ({
  ...attempt({ state: 'done', outcome: 'ok', status: 201 }),
  ...{ step, state },
});

/** An account that is complete, as A-1. */
const whole: AccountEntry = {
  id: 1,
  key: { supplier: 'S', account: '1' },
  state: 'completed',
  code: '',
  krakenAccountNumber: 'A-1',
  planHash: 'plan',
  steps: { ...eachStep(() => 'none' as const), process: 'done' },
  parts: [],
};
const pending: AccountEntry = {
  ...{ id: 1, key: whole.key, state: 'pending', code: '', parts: [] },
  steps: eachStep(() => 'pending' as const),
};
const there = [{ krakenAccountNumber: 'A-1' }];

interface More {
  readonly changed?: readonly RecordedProblem[];
  readonly hasSource?: boolean;
}

function differences(joined: Partial<JoinedAccount>, { changed = [], hasSource }: More = {}): Difference[] {
  const known = {
    money: { acknowledged: new Map(), unconfirmed: new Map() },
    changed,
    leftBehind: new Set<never>(),
    hasSource: hasSource ?? joined.source !== undefined,
  };
  return [...differencesOf({ account: '1', listed: there, ...joined }, known)];
}

const told = (joined: Partial<JoinedAccount>, more?: More) =>
  differences(joined, more).map(({ code, detail }) => `${code}: ${detail}`);

const cell = (line: number) => ({ file: 'a.csv', line, column: 'x' });
const problem = (line: number): RecordedProblem => ({
  ...{ step: 'stage', code: changedAfterImport, path: 'x', cell: cell(line) },
});

it.each<[string, AccountEntry, string[]]>([
  ['nothing was sent of', pending, ['pending: Nothing was sent for it yet: run the export that has it.']],
  [
    'something was sent of',
    { ...pending, parts: [part('validate', 'done')] },
    ['pending: No run has created it yet: run the export that has it.'],
  ],
  ['left the export, is not told of', { ...pending, isAbsent: true }, []],
  ['was rejected, is not told of', { ...pending, state: 'rejected' }, []],
])('an account that %s, without its export', (_what, entry, expected) => {
  expect(told({ entry, listed: [] })).toEqual(expected);
  expect(told({ entry, listed: [] }, { hasSource: true })).toEqual(expected);
});

it('a request of which nothing came back is unconfirmed, unless it does no harm twice or the platform shows it', () => {
  const parts = [
    part('validate', 'sent'),
    part('stage', 'uncertain'),
    part('process', 'sent'),
    part('notes', 'sent'),
  ];
  const entry: AccountEntry = { ...pending, state: 'uncertain', parts };
  expect(told({ entry, listed: [] })).toEqual([
    'unconfirmed: It is not known whether it arrived: process, notes.',
  ]);
  expect(told({ entry })).toEqual([
    'state_differs: The platform has it as A-1; the journal does not know the result of its request yet.',
    'unconfirmed: It is not known whether it arrived: notes.',
  ]);
});

it('an account that is only staged on one side is told as what it is', () => {
  expect(told({ listed: [{}] })).toEqual([
    'staged_outside: The platform has staged data for it that this journal did not send.',
  ]);
  expect(told({ listed: [{}], entry: whole })).toEqual([
    'state_differs: The journal has it as A-1, but the platform lists it as not created.',
  ]);
});

it('an account that was sent and left the export is told', () => {
  expect(told({ entry: whole }, { hasSource: true })).toEqual([
    'not_in_export: It was sent, but is no longer in the export.',
  ]);
});

it('an account that is not whole is told with its state alone where it has no code', () => {
  expect(told({ entry: { ...whole, state: 'imported' }, source: { planHash: 'plan' } })).toEqual([
    'incomplete: Not all of its data has arrived: the journal has it as imported.',
  ]);
});

it('a number that two accounts have is told', () => {
  expect(sharedNumber(whole)).toEqual({
    code: 'number_of_another_account',
    detail: 'The journal has it as A-1, and another account of this platform under the same number.',
  });
});

describe('an account that changed after it was sent', () => {
  const refused: AccountEntry = { ...whole, state: 'rejected', code: changedAfterImport };

  it.each<[readonly number[], string]>([
    [[], ''],
    [[1, 1], 'a.csv:1:x; '],
    [[1, 2, 3, 4, 5], 'a.csv:1:x, a.csv:2:x, a.csv:3:x, a.csv:4:x, a.csv:5:x; '],
    [[1, 2, 3, 4, 5, 6, 7], 'a.csv:1:x, a.csv:2:x, a.csv:3:x, a.csv:4:x, a.csv:5:x, 2 more; '],
  ])('and cannot be sent again names the lines %j', (lines, places) => {
    const changed = [...lines.map(problem), { step: 'stage', code: changedAfterImport, path: 'y' } as const];
    expect(differences({ entry: refused, source: { planHash: 'plan' } }, { changed })).toEqual([
      {
        code: 'changed_since_sent',
        detail: `It changed after it was sent, and cannot be sent again: ${places}correct it on the platform.`,
        fields: changed,
      },
    ]);
  });

  const change = (is: SourceChange['is'], line?: number): SourceChange => ({
    ...{ is, step: 'notes', path: 'notes.0' },
    ...(line === undefined ? {} : { cell: cell(line) }),
  });
  const [changed, added, gone] = [change('changed', 1), change('added', 2), change('gone')];
  const source: SourceAccount = { planHash: 'new', changes: [changed, added, gone, gone] };
  const places = ': a.csv:1:x, a.csv:2:x (not sent), a record of notes that is gone';

  it('names what its export has now', () => {
    expect(differences({ entry: whole, source })).toEqual([
      {
        code: 'changed_since_sent',
        detail: `Changed since it was sent${places}. Run the export: the run sends what can be sent, and names the rest.`,
        ...{ fields: [changed, gone, gone], added: [added] },
      },
    ]);
    expect(told({ entry: whole, source: { planHash: 'new' } })).toEqual([
      'changed_since_sent: The export, the mapping or a code table has changed since it was sent. Run the export: the run names what changed.',
    ]);
  });

  it('names it too where it changed once more since a run found that', () => {
    const again = 'and again since a run found that: run the export, which finds whether it agrees now.';
    expect(differences({ entry: refused, source })).toEqual([
      {
        code: 'changed_since_sent',
        detail: `It changed after it was sent${places}, ${again}`,
        ...{ fields: [changed, gone, gone], added: [added] },
      },
    ]);
    expect(told({ entry: refused, source: { planHash: 'new' } })).toEqual([
      `changed_since_sent: It changed after it was sent, ${again}`,
    ]);
  });

  it('is none where a run completed it from these rows', () => {
    expect(differences({ entry: whole, source: { planHash: 'new', isSame: true } })).toEqual([]);
  });
});

it('money is told by kind, and not at all where the export has none that is known', () => {
  const of = (money: string) => ({ entry: whole, source: { planHash: 'plan', money } });
  expect(differences(of('{"PAYMENT":"1","CHARGE":"2.5"}')).map(({ money }) => money)).toEqual([
    { kind: 'CHARGE', source: '2.50', acknowledged: '0.00' },
    { kind: 'PAYMENT', source: '1.00', acknowledged: '0.00' },
  ]);
  expect(differences(of('?'))).toEqual([]);
});
