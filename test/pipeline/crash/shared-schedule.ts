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

/** Runs of one book, and what comes before them. */
export interface Night {
  readonly failover: Failover | undefined;
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
    isAttended: fc.boolean(),
    edits: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, fc.array(edit, { maxLength: 3, size: 'max' })),
    // One that is killed begins anew.
    runners: fc.array(runner, { minLength: 1, maxLength: 2 * runners, size: 'max' }),
  });
  return fc.record({
    ...setting,
    concurrency: fc.constantFrom(1, 2, 3, 6),
    isOneMachine: fc.boolean(),
    accounts: fc.array(account, { minLength: 1, maxLength: 6, size: 'max' }),
    nights: fc.array(night, { minLength: 1, maxLength: 2, size: 'max' }),
  });
}
