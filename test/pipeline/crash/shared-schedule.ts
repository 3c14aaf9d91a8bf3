import fc from 'fast-check';
import {
  account,
  edit,
  ending,
  setting,
  someFaults,
  type Edit,
  type Ending,
  type Fault,
} from './schedule.ts';
import type { AccountSpec } from './accounts.ts';
import type { Ways } from './model-platform.ts';

/** One run of several that share a book. */
export interface Runner {
  /** After how many points of all runs of its night it begins; the first one begins at once. */
  readonly startsAt: number;
  /** What becomes of the n-th request. */
  readonly faults: readonly (readonly [n: number, fault: Fault])[];
  /** From its n-th request on, a gateway sends every request twice, and passes on the second answer alone. */
  readonly doublesFrom: number | undefined;
  readonly ending: Ending | undefined;
  /** After how many points of the others it wakes up if it is stopped; at the latest when no other run goes on. */
  readonly sleepsFor: number;
}

/** The journal's server is replaced by one that lacks its last commits. */
export interface Failover {
  /** The number of the night's request before which the new server stopped receiving commits. */
  readonly lacksFrom: number;
  /** How many requests later it takes over; after the night if there are not so many. */
  readonly after: number;
  /** All runs die with the old server. */
  readonly kills: boolean;
}

/** After the night, the journal's server and the marks of all machines go back to an earlier moment: only the platform's answers show it. */
export interface Snapshot {
  /** The number of the night's request before which it is made. */
  readonly madeAt: number;
}

/** Runs of one book, and what comes before them. */
export interface Night {
  readonly failover: Failover | undefined;
  readonly snapshot: Snapshot | undefined;
  readonly downtimeMs: number;
  readonly isAttended: boolean;
  readonly edits: readonly Edit[];
  readonly runners: readonly Runner[];
}

export interface SharedSchedule {
  readonly ways: Ways;
  readonly checkPreviouslyAdded: boolean;
  readonly billingRefusalCountsAsOurs: boolean;
  readonly isSlow: boolean;
  /** Over all runs of a night. */
  readonly concurrency: number;
  /** All runs are on one machine, where a run that was killed is known to be dead. */
  readonly isOneMachine: boolean;
  readonly accounts: readonly AccountSpec[];
  readonly nights: readonly Night[];
}

const stall = fc.record({ how: fc.constant('stall' as const), at: fc.nat({ max: 80 }) });

const runner: fc.Arbitrary<Runner> = fc.record({
  startsAt: fc.oneof(fc.constant(0), fc.nat({ max: 150 })),
  faults: fc.oneof({ weight: 1, arbitrary: fc.constant([]) }, someFaults),
  doublesFrom: fc.constant(undefined),
  ending: fc.option(fc.oneof(ending, ending, stall), { nil: undefined, freq: 2 }),
  sleepsFor: fc.oneof(fc.nat({ max: 40 }), fc.constant(Infinity)),
});

/** Schedules of at most this many runs at once. */
export function sharedSchedules(runners: number): fc.Arbitrary<SharedSchedule> {
  const night = fc.record({
    downtimeMs: fc.constantFrom(0, 2_000, 200_000),
    failover: fc.option(
      fc.record({
        lacksFrom: fc.nat({ max: 30 }),
        after: fc.oneof(fc.nat({ max: 5 }), fc.nat({ max: 30 }), fc.constant(Infinity)),
        kills: fc.boolean(),
      }),
      { nil: undefined, freq: 3 },
    ),
    snapshot: fc.constant(undefined),
    isAttended: fc.boolean(),
    edits: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, fc.array(edit, { maxLength: 3, size: 'max' })),
    // One that is killed begins anew.
    runners: fc.array(runner, { minLength: 1, maxLength: 2 * runners, size: 'max' }),
  });
  const any: fc.Arbitrary<SharedSchedule> = fc.record({
    ...setting,
    concurrency: fc.constantFrom(1, 2, 3, 6),
    isOneMachine: fc.boolean(),
    accounts: fc.array(account, { minLength: 1, maxLength: 6, size: 'max' }),
    nights: fc.array(night, { minLength: 1, maxLength: 2, size: 'max' }),
  });
  return fc.tuple(any, fc.nat({ max: 6 }), fc.nat({ max: 20 })).map(([schedule, kind, at]) => {
    if (kind === 5) return doubleInFirst(schedule, at);
    return kind === 6 ? putBackAfterFirst(schedule, at) : withKnownPayloads(schedule);
  });
}

/** Of what an account was created that only lost commits know of, nobody can tell: then the export says the same always. */
function withKnownPayloads(schedule: SharedSchedule): SharedSchedule {
  const first = schedule.nights.findIndex(({ failover }) => failover !== undefined);
  const isOfPayload = (one: Edit): boolean => one.do === 'change-payload' || one.do === 'mend-payload';
  const nights = schedule.nights.map((night, n) =>
    first < 0 || n <= first ? night : { ...night, edits: night.edits.filter((one) => !isOfPayload(one)) },
  );
  return { ...schedule, nights };
}

/** In the first night a gateway sends every request twice. */
function doubleInFirst(schedule: SharedSchedule, from: number): SharedSchedule {
  const nights = schedule.nights.map((night, n) => {
    const doubled = (one: Runner): Runner => ({ ...one, faults: [], doublesFrom: from });
    const runners = n === 0 ? night.runners.map(doubled) : night.runners;
    return { ...night, failover: undefined, edits: [], runners };
  });
  return { ...schedule, nights };
}

/** A second night after the server and all marks went back to a moment of the first one. What a fault meets is explained by the fault. */
function putBackAfterFirst(schedule: SharedSchedule, madeAt: number): SharedSchedule {
  const [first, second] = [schedule.nights[0], schedule.nights.at(-1)];
  if (first === undefined || second === undefined) return schedule;
  const plain = { failover: undefined, edits: [], snapshot: undefined };
  const calm = (one: Runner): Runner => {
    const { ending } = one;
    return { ...one, faults: [], ending: ending?.how === 'interrupt' ? ending : undefined };
  };
  return {
    ...schedule,
    nights: [
      { ...first, ...plain, snapshot: { madeAt } },
      { ...second, ...plain, downtimeMs: 200_000, isAttended: false, runners: second.runners.map(calm) },
    ],
  };
}
