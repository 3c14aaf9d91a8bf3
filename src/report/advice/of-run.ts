import type { TypedOption } from '../../domain/typed-options.ts';
import { givenFlags, type GivenFlags } from '../command-line.ts';
import type { RunEnding } from '../ending.ts';
import type { Outstanding } from './outstanding.ts';

/** Of the flags of a run, those that the next steps depend on. */
export interface RunGiven extends GivenFlags {
  readonly rejects?: string;
  readonly typed?: readonly TypedOption[];
  /** The export as it was named; default: not known. */
  readonly source?: string | undefined;
}

/** What is left of the accounts that a run took. Its own command goes on with them. */
export function leftByRun(ending: RunEnding, given: RunGiven): Outstanding {
  const { accounts, taken, stopped, suppliers, rejectedRows = 0, examples = {} } = ending;
  const { dryRun, failingSteps, pace, bodyLimit, knowsNotDelivered = false } = ending;
  const [supplier] = suppliers;
  return {
    place: {
      source: given.source ?? '',
      supplier: suppliers.length === 1 ? supplier : undefined,
      flags: givenFlags(given),
      options: given.typed,
    },
    accounts: taken,
    changed: ending.changedAfterImport ?? 0,
    changedBy: ending.changedBy,
    causes: ending.failures,
    isRefusedThere: ending.isRefusedThere,
    unknownCodes: ending.unknownCodes ?? 0,
    alreadyHeld: ending.alreadyHeld ?? 0,
    ruledNotOurs: ending.notOurs ?? 0,
    refusedData: ending.refusedData ?? 0,
    faults: ending.faults ?? 0,
    lost: 0,
    doubled: ending.doubled,
    isPartlyRead: false,
    ...(examples.uncertain === undefined ? {} : { uncertain: { account: examples.uncertain } }),
    stop: stopped,
    run: {
      ...{ dryRun, failingSteps, pace, bodyLimit, knowsNotDelivered },
      notTaken: Math.max(0, accounts.pending - taken.pending),
      copied:
        given.rejects === undefined || rejectedRows === 0
          ? undefined
          : { accounts: rejectedRows, to: given.rejects },
    },
  };
}
