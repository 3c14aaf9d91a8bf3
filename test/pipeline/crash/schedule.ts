import fc from 'fast-check';
import { extraStepNames, type ExtraStepName, type StepName } from '../../../src/domain/steps.ts';
import type { Dialect } from '../../../src/platform/dialect.ts';
import { nameOf, type AccountSpec, type Item } from './accounts.ts';
import type { Stretch } from './stretch.ts';
import { empty, html, json, type HttpReply } from './http.ts';
import type { Ways } from './model-platform.ts';
import type { ReadBack } from './readings.ts';

/** What a proxy or a gateway answers in the platform's place. */
export const pages = {
  html: html(200),
  queued: json(202, { queued: true }),
  'no-content': empty(204),
  partial: html(206),
  error: json(200, { status: 'error' }),
  empty: empty(200),
  braces: json(200, {}),
  moved: html(302),
  forbidden: html(403),
  'too-large': html(413),
  'spring-400': json(400, {
    timestamp: '2024-07-01T00:00:00Z',
    status: 400,
    error: 'Bad Request',
    path: '/',
  }),
  'kong-404': json(404, { message: 'no Route matched with those values' }),
  'code-408': json(408, { code: 'TIMEOUT', detail: 'No.' }),
  'conflict-409': json(409, { detail: 'No.', code: 'account_failed_validation', errors: [] }),
  'problem-422': json(422, { title: 'No.', status: 422, detail: 'No.' }),
  'bad-gateway': html(502),
  'gateway-timeout': html(504),
} satisfies Record<string, HttpReply>;

type PageFault = `page ${keyof typeof pages} ${'before' | 'after'}`;

/** What may become of one request. `-before`: it had no effect; `-after`: it had. */
const plainFaults = [
  'not-sent',
  'reset-before',
  'reset-after',
  'unreadable-after',
  'http-500-before',
  'http-500-after',
  'http-503-before',
  'http-503-after',
  /** The answer is lost, and the effect comes later. */
  'late',
  /** The same; the platform says that it is in progress. */
  'in-progress',
  /** It stays in progress for longer than anybody's patience. */
  'stuck',
  'throttled',
  'throttled-for-long',
  'unauthorized',
  /** Refused for a reason that passes. */
  'refused',
  'supplier-paused',
  /** A server that is behind the others: it does not know what was just staged or created. */
  'lagging',
  /** The credentials are accepted, and have no permission for this one request. */
  'denied',
  /** A proxy refuses, and says nothing that is the interface's. */
  'wordless-400',
  'wordless-404',
  /** The answer belongs to another account's request to the same endpoint. */
  'astray-before',
  'astray-after',
  /** The answer comes a second time, as that to the next request on its connection. */
  'double-answer',
  /** A proxy sends the request twice, and passes on the second answer alone. */
  'doubled',
  /** A cache answers with what it stored of the same account; its Age, or its Date alone, says so. */
  'stale-aged',
  'stale-dated',
  /** The answer, or interim ones before it, drip without end. */
  'drip',
  'interim',
] as const;

export type Fault = (typeof plainFaults)[number] | PageFault;

export const faults: readonly Fault[] = [
  ...plainFaults,
  ...(Object.keys(pages) as (keyof typeof pages)[]).flatMap((page): Fault[] => [
    `page ${page} before`,
    `page ${page} after`,
  ]),
];

export type Edit =
  | { readonly do: 'add'; readonly account: number; readonly step: ExtraStepName; readonly inFront: boolean }
  | {
      readonly do: 'change' | 'remove' | 'mend' | 'spoil';
      readonly account: number;
      readonly step: ExtraStepName;
      readonly at: number;
    }
  | { readonly do: 'change-payload' | 'mend-payload' | 'break' | 'unbreak'; readonly account: number };

/** How a run ends early: at its n-th point, a point being before or after a journal write or a request. */
export interface Ending {
  readonly how: 'kill' | 'stall' | 'interrupt' | 'interrupt-twice';
  readonly at: number;
}

/**
 * What becomes of the journal's file. `put back`: a copy of it takes its place; the mark stays. `folder put back`: the mark goes back as
 * well, so that only the platform's answers show it. An older copy that finds no mark is not played.
 */
export interface Loss {
  readonly how:
    'put back' | 'folder put back' | 'deleted' | 'deleted with its mark' | 'left without its mark';
  /** At which point of the run; undefined: before it. */
  readonly at: number | undefined;
  /** Which copy is put back, counted from the last one. */
  readonly copy: number;
  /** What the run saves when it finds the file gone is put in its place. */
  readonly isSavedPutBack: boolean;
}

/** One run, and what comes before it. */
export interface Round {
  readonly downtimeMs: number;
  /** A person rules on what is uncertain, and puts back in line what was refused. */
  readonly isAttended: boolean;
  readonly edits: readonly Edit[];
  readonly isDryRun: boolean;
  readonly steps: readonly StepName[] | undefined;
  readonly requestSize: number;
  /** At its n-th point the clock on the wall is set forward or back, by so many ms. */
  readonly clockJumps: readonly (readonly [point: number, ms: number])[];
  /** What becomes of the n-th request. */
  readonly faults: readonly (readonly [n: number, fault: Fault])[];
  /** From its n-th request on, a gateway sends every request twice, and passes on the second answer alone. */
  readonly doublesFrom: number | undefined;
  /** What befalls many of its requests. */
  readonly stretch: Stretch | undefined;
  readonly ending: Ending | undefined;
  /** The point at which runs wake up that were stopped before. */
  readonly wakeAt: number;
  /** The point at which the journal's file is copied; 0: before the run. */
  readonly copyAt: number | undefined;
  readonly loss: Loss | undefined;
}

export interface Schedule {
  readonly ways: Ways;
  readonly checkPreviouslyAdded: boolean;
  readonly billingRefusalCountsAsOurs: boolean;
  readonly concurrency: number;
  /** An effect may come late by as long as a request may be under way at all, and runs wait for as long. */
  readonly isSlow: boolean;
  /** How accounts can be read back; undefined: they are not. */
  readonly readBack?: ReadBack | undefined;
  readonly accounts: readonly AccountSpec[];
  readonly rounds: readonly Round[];
}

const mostlyNot = fc.nat({ max: 7 }).map((n) => n === 7);
const mostly = fc.nat({ max: 7 }).map((n) => n !== 7);

const items = (max: number): fc.Arbitrary<readonly Item[]> =>
  fc
    .array(fc.record({ isUnwanted: mostlyNot, isPlain: mostlyNot }), { maxLength: max, size: 'max' })
    .map((all) => all.map((item, id) => ({ ...item, id, version: 0 })));

export const account: fc.Arbitrary<AccountSpec> = fc.record({
  version: fc.constant(0),
  isUnwanted: fc.nat({ max: 15 }).map((n) => n === 15),
  isFaulty: fc.constant(false),
  isForeign: fc.nat({ max: 15 }).map((n) => n === 15),
  items: fc.record({
    notes: items(3),
    transactions: items(4),
    agreements: items(2),
    'billing-documents': items(2),
    statements: items(3),
    'payment-instruction': items(1),
  }),
});

const whose = fc.nat({ max: 2 });
const step = fc.constantFrom(...extraStepNames);
export const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({ do: fc.constant('add' as const), account: whose, step, inFront: fc.boolean() }),
  fc.record({
    do: fc.constantFrom('change' as const, 'remove' as const, 'mend' as const, 'spoil' as const),
    account: whose,
    step,
    at: fc.nat({ max: 3 }),
  }),
  fc.record({
    do: fc.constantFrom(
      'change-payload' as const,
      'mend-payload' as const,
      'break' as const,
      'unbreak' as const,
    ),
    account: whose,
  }),
);

const someSteps = fc.constantFrom<readonly StepName[]>(
  ['validate', 'stage'],
  ['validate', 'stage', 'process'],
  ['process', 'notes', 'agreements'],
  ['transactions', 'payment-instruction'],
);

/** In ms: a leap of a few seconds, a change of the clocks, a machine whose clock was never set. */
const jumps = [4_000, -4_000, 3_600_000, -3_600_000, 40 * 86_400_000, -40 * 86_400_000] as const;

const loss: fc.Arbitrary<Loss> = fc.record({
  how: fc.constantFrom(
    'put back' as const,
    'put back' as const,
    'put back' as const,
    'deleted' as const,
    'deleted with its mark' as const,
    'left without its mark' as const,
  ),
  at: fc.option(fc.nat({ max: 60 }), { nil: undefined, freq: 2 }),
  copy: fc.nat({ max: 3 }),
  isSavedPutBack: fc.boolean(),
});

/** What becomes of a few of a run's first requests. */
export const someFaults = fc.array(fc.tuple(fc.nat({ max: 12 }), fc.constantFrom(...faults)), {
  maxLength: 8,
  size: 'max',
});

export const ending: fc.Arbitrary<Ending> = fc.record({
  how: fc.constantFrom(
    'kill' as const,
    'kill' as const,
    'stall' as const,
    'interrupt' as const,
    'interrupt-twice' as const,
  ),
  at: fc.nat({ max: 80 }),
});

/** Shorter than patience with credentials, and longer than all attempts of a request. */
const stretch: fc.Arbitrary<Stretch> = fc.oneof(
  fc.record({
    what: fc.constantFrom('token-lag' as const, 'page-200' as const, 'no-connections' as const),
    from: fc.nat({ max: 20 }),
    ms: fc.constantFrom(200, 2_000, 20_000),
  }),
  fc.record({
    what: fc.constant('deny-one' as const),
    from: fc.nat({ max: 20 }),
    account: fc.nat({ max: 2 }).map(nameOf),
  }),
  fc.record({ what: fc.constant('deny-step' as const), from: fc.nat({ max: 20 }), step }),
);

const round: fc.Arbitrary<Round> = fc.record({
  downtimeMs: fc.constantFrom(0, 1, 2_000, 6_000, 200_000),
  isAttended: fc.boolean(),
  edits: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, fc.array(edit, { maxLength: 3, size: 'max' })),
  isDryRun: fc.nat({ max: 11 }).map((n) => n === 11),
  steps: fc.oneof({ weight: 7, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: someSteps }),
  requestSize: fc.constantFrom(10, 2, 1),
  clockJumps: fc.oneof(
    { weight: 5, arbitrary: fc.constant([]) },
    fc.array(fc.tuple(fc.nat({ max: 60 }), fc.constantFrom(...jumps)), { maxLength: 2, size: 'max' }),
  ),
  faults: someFaults,
  doublesFrom: fc.constant(undefined),
  stretch: fc.option(stretch, { nil: undefined, freq: 4 }),
  ending: fc.option(ending, { nil: undefined, freq: 5 }),
  wakeAt: fc.nat({ max: 60 }),
  copyAt: fc.option(fc.nat({ max: 60 }), { nil: undefined, freq: 5 }),
  loss: fc.option(loss, { nil: undefined, freq: 2 }),
});

/** The platform, and how runs treat it. */
export const setting = {
  ways: fc.record({
    keepsEarlierTransactions: fc.boolean(),
    refusesKnownStatements: mostly,
    recognisesAgreements: fc.boolean(),
    refusesKnownInstruction: fc.boolean(),
    dialect: fc.constantFrom<Dialect>('dotted', 'dotted', 'fields'),
  }),
  checkPreviouslyAdded: mostly,
  billingRefusalCountsAsOurs: fc.boolean(),
  isSlow: fc.nat({ max: 3 }).map((n) => n === 3),
};

const anySchedule: fc.Arbitrary<Schedule> = fc.record({
  ...setting,
  concurrency: fc.constantFrom(1, 1, 2, 3),
  readBack: fc.option(
    fc.record({
      how: fc.constantFrom(
        'own-writes' as const,
        'lagging' as const,
        'forbidden' as const,
        'another' as const,
      ),
      absence: fc.constantFrom('settles' as const, 'tells' as const),
    }),
    { nil: undefined, freq: 2 },
  ),
  accounts: fc.array(account, { minLength: 1, maxLength: 3, size: 'max' }),
  rounds: fc.array(round, { minLength: 1, maxLength: 4, size: 'max' }),
});

/** The schedule's runs, then one with the folder put back from a copy of an earlier moment. No clock is set, and no run wakes up. */
function putFolderBack(schedule: Schedule, copy: number, last: Round): Schedule {
  const rounds = schedule.rounds.map((one, n) => ({
    ...undisturbed(one),
    copyAt: n === 0 ? (one.copyAt ?? 20) : one.copyAt,
  }));
  return { ...schedule, rounds: [...rounds, withFolderBack(last, copy)] };
}

/** A run goes on from a copy of the folder, as on another machine, and then another one where the copy was made. */
function splitFolder(schedule: Schedule, last: Round): Schedule {
  const [first, ...others] = schedule.rounds.map((one) => ({ ...undisturbed(one), copyAt: undefined }));
  const own = first === undefined ? [] : [{ ...first, copyAt: schedule.rounds[0]?.copyAt ?? 20 }, ...others];
  // The own folder is copied before the other machine's takes its place.
  return {
    ...schedule,
    rounds: [...own, { ...withFolderBack(last, 1), copyAt: 0 }, withFolderBack(last, 0)],
  };
}

function undisturbed(one: Round): Round {
  const { ending } = one;
  return {
    ...{ ...one, edits: [], clockJumps: [], loss: undefined },
    ending: ending?.how === 'stall' ? { ...ending, how: 'kill' } : ending,
  };
}

/** What a fault meets is explained by the fault: then there is none. */
function withFolderBack(one: Round, copy: number): Round {
  return {
    ...undisturbed(one),
    loss: { how: 'folder put back', at: undefined, copy, isSavedPutBack: false },
    ...{ faults: [], stretch: undefined, copyAt: undefined },
    ...{ steps: undefined, isDryRun: false, downtimeMs: 200_000 },
  };
}

/** In a run a gateway sends every request twice. */
function doubleIn(schedule: Schedule, at: number): Schedule {
  return {
    ...schedule,
    rounds: schedule.rounds.map((one, n) => ({
      ...{ ...one, edits: [], copyAt: undefined, loss: undefined },
      ...(n === at % schedule.rounds.length ? { doublesFrom: at, faults: [], stretch: undefined } : {}),
    })),
  };
}

/** Of each eight schedules: in one a gateway doubles, in one the folder is put back, in one two machines have it, and in one the journal's file is lost. */
export const schedules: fc.Arbitrary<Schedule> = fc
  .tuple(anySchedule, fc.nat({ max: 7 }), fc.nat({ max: 3 }), round)
  .map(([schedule, kind, copy, last]) => {
    if (kind === 4) return doubleIn(schedule, copy);
    if (kind === 5) return putFolderBack(schedule, copy, last);
    if (kind === 6) return splitFolder(schedule, last);
    const hasLosses = kind === 7;
    return {
      ...schedule,
      // What the export said when the journal was another one, nobody knows any more: then it says the same always.
      rounds: schedule.rounds.map((one) =>
        hasLosses ? { ...one, edits: [] } : { ...one, copyAt: undefined, loss: undefined },
      ),
    };
  });
