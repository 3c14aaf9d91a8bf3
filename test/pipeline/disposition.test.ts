import fc from 'fast-check';
import { expect, it } from 'vitest';
import { correctedHash } from '../../src/domain/corrected.ts';
import { leftOnPurpose, notOurs } from '../../src/domain/shared-codes.ts';
import { ofEachStep, stepNames, type StepName } from '../../src/domain/steps.ts';
import type { PartEntry } from '../../src/journal/journal.ts';
import {
  dispositionOf,
  dispositions,
  type Disposition,
  type Facts,
} from '../../src/pipeline/account/disposition.ts';
import { mayBeThere } from '../../src/pipeline/account/standing.ts';

const none = ofEachStep(() => 'none' as const);
const created = { ...none, validate: 'done', stage: 'done', process: 'done' } as const;
const driven: ReadonlySet<StepName> = new Set(stepNames);

type Change = {
  readonly [Part in 'standing' | 'today' | 'settings']?: Partial<Facts[Part]>;
} & Partial<Omit<Facts, 'standing' | 'today' | 'settings'>>;

/** A completed account whose data is as it was, but for these facts. */
function facts({ standing, today, settings, ...rest }: Change = {}): Facts {
  return {
    standing: { state: 'completed', code: '', steps: created, planHash: 'p', parts: [], ...standing },
    today: { planHash: 'p', payloadHash: 'a', isSound: true, ...today },
    settings: { adopt: false, steps: driven, ...settings },
    hasSupplier: true,
    isSuperseded: false,
    isContested: false,
    lacking: () => 'nothing',
    ...rest,
  };
}

function process(hash: string): PartEntry {
  return { step: 'process', part: 0, attempt: 1, state: 'done', hash, sentAt: 0 } as unknown as PartEntry;
}

const part = (state: PartEntry['state']): PartEntry => ({ ...process('a'), state });

const each: Readonly<Record<Disposition, Facts>> = {
  stray: facts({ hasSupplier: false, isSuperseded: true }),
  superseded: facts({ isSuperseded: true, today: { isSound: false, planHash: 'other' } }),
  'not-ours': facts({ standing: { state: 'skipped', code: notOurs }, settings: { adopt: true } }),
  unclear: facts({ standing: { state: 'uncertain' }, today: { isSound: false }, isContested: true }),
  kept: facts({ today: { isSound: false } }),
  refused: facts({ standing: { state: 'rejected' }, today: { isSound: false } }),
  outside: facts({ standing: { state: 'skipped', code: 'already_imported' } }),
  corrected: facts({ standing: { parts: [process(correctedHash('p'))], planHash: 'before' } }),
  new: facts({ standing: { state: 'pending', steps: none, planHash: undefined } }),
  changed: facts({ today: { planHash: 'other' } }),
  unfinished: facts({ standing: { state: 'imported', steps: { ...created, notes: 'pending' } } }),
  contested: facts({ isContested: true }),
  'without-item': facts({
    standing: { state: 'pending', steps: none, planHash: undefined },
    lacking: () => ({ code: 'item_refused', path: 'business', detail: '', severity: 'error' }),
  }),
  'awaiting-item': facts({
    standing: { state: 'pending', steps: none, planHash: undefined },
    lacking: () => 'later',
  }),
  complete: facts(),
  waiting: facts({
    standing: { state: 'rejected', steps: { ...created, stage: 'refused', process: 'pending' } },
  }),
};

it.each(Object.entries(each))('an account can be %s', (name, given) => {
  expect(dispositionOf(given)).toBe(name);
});

it('an account that exists already is driven only under --adopt', () => {
  const standing = { state: 'skipped', code: 'already_imported' } as const;
  expect(dispositionOf(facts({ standing, settings: { adopt: true } }))).toBe('unfinished');
});

it('an account that the export has again is driven', () => {
  const standing = { state: 'skipped', code: leftOnPurpose } as const;
  expect(dispositionOf(facts({ standing }))).toBe('unfinished');
});

it.each<[string, Change, Disposition]>([
  ['may be there, is settled', { standing: { state: 'imported', steps: { ...created, notes: 'pending' } } }, 'unfinished'], // prettier-ignore
  ['is refused, stays so', { standing: each.waiting.standing }, 'waiting'],
])('an account that lacks an item and %s', (_what, given, expected) => {
  expect(dispositionOf(facts({ ...given, lacking: () => 'later' }))).toBe(expected);
});

it.each<[string, Change, Disposition]>([
  [
    'has a task, with errors in its data',
    { standing: { state: 'scheduled' }, today: { isSound: false } },
    'unclear',
  ],
  ['was somebody else’s, and is completed', { standing: { code: notOurs } }, 'complete'],
  ['is completed, but for a step', { standing: { steps: { ...created, notes: 'pending' } } }, 'unfinished'],
  ['has all its steps, and not their state', { standing: { state: 'imported' } }, 'unfinished'],
  ['exists already, and is refused, under --adopt', { standing: { ...each.waiting.standing, state: 'skipped', code: 'already_imported' }, settings: { adopt: true } }, 'unfinished'], // prettier-ignore
  ['failed at a step before it existed', { standing: { state: 'failed', steps: { ...none, validate: 'done', stage: 'failed' } } }, 'unfinished'], // prettier-ignore
  ['is asked about once more', { standing: { state: 'uncertain', steps: { ...created, process: 'uncertain' }, parts: [part('sent')] } }, 'unfinished'], // prettier-ignore
  ['is asked about by a run that may take its step', { standing: { state: 'uncertain', steps: { ...created, process: 'uncertain' }, parts: [part('sent')] }, settings: { steps: new Set(['notes']) } }, 'waiting'], // prettier-ignore
  ['waits for a ruling', { standing: { state: 'uncertain', steps: { ...created, stage: 'uncertain', process: 'pending' } } }, 'waiting'], // prettier-ignore
])('an account that %s', (_what, given, expected) => {
  expect(dispositionOf(facts(given))).toBe(expected);
});

it('rows that completed an account are no new data, whatever order they are in', () => {
  const standing = { steps: { ...created, notes: 'pending' } } as const;
  const today = { planHash: 'other', rows: 'same' } as const;
  expect(dispositionOf(facts({ standing, today }))).toBe('complete');
  expect(dispositionOf(facts({ standing: { state: 'imported' }, today }))).toBe('changed');
});

it('a step that is left out is waited for, and is driven when it is not', () => {
  const standing = { state: 'imported', steps: { ...created, notes: 'pending' } } as const;
  const without: ReadonlySet<StepName> = new Set(['agreements']);
  expect(dispositionOf(facts({ standing, settings: { steps: without } }))).toBe('waiting');
  expect(dispositionOf(facts({ standing, settings: { steps: new Set(['notes']) } }))).toBe('unfinished');
});

const anyFacts = fc
  .record({
    state: fc.constantFrom(
      'pending',
      'staged',
      'imported',
      'completed',
      'rejected',
      'failed',
      'uncertain',
      'skipped',
    ),
    code: fc.constantFrom('', notOurs, 'already_imported'),
    steps: fc.record(
      ofEachStep(() => fc.constantFrom('none', 'pending', 'done', 'refused', 'failed', 'uncertain')),
    ),
    planHash: fc.constantFrom(undefined, 'p', 'q'),
    hash: fc.constantFrom('a', correctedHash('p')),
    isSound: fc.boolean(),
    rows: fc.constantFrom(undefined, 'same', 'changed', 'unknown'),
    hasSupplier: fc.boolean(),
    isSuperseded: fc.boolean(),
    isContested: fc.boolean(),
    adopt: fc.boolean(),
  })
  .map(({ state, code, steps, planHash, hash, isSound, rows, adopt, ...rest }) =>
    facts({
      standing: { state, code, steps, planHash, parts: [process(hash)] },
      today: { isSound, rows },
      settings: { adopt },
      ...rest,
    }),
  );

it('nothing is sent of data with errors, of replaced data, nor against a ruling', () => {
  fc.assert(
    fc.property(anyFacts, (given) => {
      if (dispositions[dispositionOf(given)].does !== 'drive') return;
      const { standing, today, settings, hasSupplier, isSuperseded } = given;
      expect({ isSound: today.isSound, hasSupplier, isSuperseded }).toEqual({
        isSound: true,
        hasSupplier: true,
        isSuperseded: false,
      });
      const isAdopted = settings.adopt && standing.code !== notOurs;
      expect(standing.state !== 'skipped' || isAdopted).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

it.each([
  ['nothing was sent', {}, false],
  ['its request was refused', { parts: [part('refused')] }, false],
  ['its request may have arrived', { parts: [part('sent')] }, true],
  ['it is created', { steps: created }, true],
  ['nobody knows', { steps: { ...none, process: 'uncertain' } }, true],
  ['the platform has a task for it', { state: 'scheduled' }, true],
  ['the journal was restored', { inDoubtSince: 1 }, true],
] as const)('the platform may have an account (%s)', (_, given, isThere) => {
  const steps = { ...none, process: 'pending' } as const;
  expect(mayBeThere({ state: 'pending', steps, parts: [], inDoubtSince: undefined, ...given })).toBe(isThere);
});
