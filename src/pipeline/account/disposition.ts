import { isCorrected } from '../../domain/corrected.ts';
import { leftOnPurpose, notOurs } from '../../domain/shared-codes.ts';
import { creationSteps, extraStepNames, type StepName } from '../../domain/steps.ts';
import type { AccountEntry } from '../../journal/journal.ts';
import type { Lacking } from '../added/needed-items.ts';
import type { Settings } from '../settings.ts';
import { accountResult } from './account-result.ts';
import { isAskedAnew, mayBeThere, wasCreatedFrom } from './standing.ts';

/** An account's state in the journal. */
export type Standing = Pick<AccountEntry, 'state' | 'code' | 'steps' | 'planHash' | 'parts' | 'inDoubtSince'>;

/** The account in the current export. */
export interface Today {
  readonly planHash: string;
  readonly payloadHash: string;
  /** Whether no local check found an error. */
  readonly isSound: boolean;
  /** What is known of its rows; absent if they were not compared. */
  readonly rows?: 'same' | 'changed' | 'unknown' | undefined;
}

/** All that decides what is done with an account. */
export interface Facts {
  readonly standing: Standing;
  readonly today: Today;
  /** Its data names an import supplier, or a fix does. */
  readonly hasSupplier: boolean;
  /** A fix from another export has replaced this data. */
  readonly isSuperseded: boolean;
  /** Another account has its platform number, and nobody has examined that. */
  readonly isContested: boolean;
  /** What it lacks of the items of the steps before the accounts; asked only where that decides. */
  readonly lacking: () => Lacking;
  readonly settings: Pick<Settings, 'adopt' | 'steps'>;
}

type CurrentFacts = Omit<Facts, 'hasSupplier' | 'isSuperseded'>;

/**
 * What a run does, and why. `does`:
 *
 * - `refuse`: the error is recorded, and nothing is sent
 * - `keep`: the same, and the account stays completed
 * - `leave`: nothing is to be done, or nothing may be
 * - `drive`: its steps are run
 */
export const dispositions = {
  stray: { does: 'refuse', because: 'its data names no import supplier' },
  superseded: { does: 'leave', because: 'a fix from another export has replaced this data' },
  'not-ours': { does: 'leave', because: "a person ruled that it is somebody else's" },
  unclear: {
    does: 'leave',
    because: 'it is uncertain, and its data has errors: what is unknown stays unknown',
  },
  kept: { does: 'keep', because: 'it is completed, and its data has errors now' },
  refused: { does: 'refuse', because: 'its data has errors' },
  outside: { does: 'leave', because: 'the platform had it already; --adopt would drive it' },
  corrected: { does: 'leave', because: 'a person has put this data on the platform by hand' },
  new: { does: 'drive', because: 'no run has driven it' },
  changed: { does: 'drive', because: 'its data has changed' },
  unfinished: { does: 'drive', because: 'a step is still to be done' },
  contested: { does: 'drive', because: 'another account has its platform number: the platform is asked' },
  'without-item': { does: 'refuse', because: 'an item that it names was refused' },
  'awaiting-item': { does: 'leave', because: 'an item that it names is not done yet, and may be' },
  complete: { does: 'leave', because: 'the platform has this data' },
  waiting: {
    does: 'leave',
    because: 'what is left waits for other data, a ruling, or a step that was left out',
  },
} as const satisfies Readonly<
  Record<string, { readonly does: 'refuse' | 'keep' | 'leave' | 'drive'; readonly because: string }>
>;

export type Disposition = keyof typeof dispositions;
type Current = Exclude<Disposition, 'stray' | 'superseded'>;

/**
 * The only decision about an account that is looked at: a run, its plan and its forecast all ask this. An account whose rows
 * are those that completed it is passed over before (`unchanged` of its plan).
 */
export function dispositionOf({ hasSupplier, isSuperseded, ...facts }: Facts): Disposition {
  if (!hasSupplier) return 'stray';
  return isSuperseded ? 'superseded' : dispositionOfCurrent(facts);
}

/** The same of an account whose data names its supplier, and is not replaced. */
export function dispositionOfCurrent(facts: CurrentFacts): Current {
  const alone = dispositionAlone(facts);
  // What the platform may have is settled, whatever else is missing there.
  if (dispositions[alone].does !== 'drive' || mayBeThere(facts.standing)) return alone;
  const lacking = facts.lacking();
  if (lacking === 'nothing') return alone;
  return lacking === 'later' ? 'awaiting-item' : 'without-item';
}

/** Without a look at what the account needs besides its own data. */
function dispositionAlone({ standing, today, settings, isContested }: CurrentFacts): Current {
  const { state, code, planHash } = standing;
  // A ruling stands, whatever the files say and whatever else is adopted.
  if (state === 'skipped' && code === notOurs) return 'not-ours';
  // An unknown state on the platform stays unknown, whatever errors the files have now.
  // Neither does a task of the platform end for them.
  if (!today.isSound)
    return state === 'uncertain' || state === 'scheduled'
      ? 'unclear'
      : state === 'completed'
        ? 'kept'
        : 'refused';
  // The export has it again.
  const isBack = code === leftOnPurpose;
  if (state === 'skipped' && !isBack && !settings.adopt) return 'outside';
  if (isCorrected(standing, today.planHash)) return 'corrected';
  if (planHash === undefined) return 'new';
  if (isChanged(standing, today)) return 'changed';
  // The payload of the same rows may have another fingerprint.
  const isAsBefore = planHash !== today.planHash;
  if (!isAsBefore && (state === 'skipped' || isUnfinished(standing, today.payloadHash, settings.steps)))
    return 'unfinished';
  if (isContested) return 'contested';
  return state === 'completed' ? 'complete' : 'waiting';
}

/** Whether its data is new: the rows that completed it may make other lists in another order, which are no new data. */
export function isChanged(
  { planHash, state }: Pick<Standing, 'planHash' | 'state'>,
  today: Pick<Today, 'planHash' | 'isSound' | 'rows'>,
): boolean {
  const isSame = today.rows === 'same' && today.isSound && state === 'completed';
  return !isSame && planHash !== today.planHash;
}

/** Whether a step that this run may take is pending, or only the final state has to be written. */
function isUnfinished(standing: Standing, payloadHash: string, driven: ReadonlySet<StepName>): boolean {
  const { steps, state, parts } = standing;
  const waits = (step: StepName): boolean =>
    driven.has(step) && (steps[step] === 'pending' || steps[step] === 'failed');
  if (steps.process === 'done') {
    // A crash may have prevented the write of the final state, and a ruling may have changed it.
    const isAsCreated = wasCreatedFrom(standing, payloadHash);
    const [due] = accountResult({ steps, parts, codes: new Map(), isAsCreated });
    return due !== state || extraStepNames.some(waits);
  }
  if (driven.has('process') && isAskedAnew(standing)) return true;
  // A refusal stands until the data changes, and an uncertain step until a person has ruled.
  const isBlocked = creationSteps.some((step) => steps[step] === 'refused' || steps[step] === 'uncertain');
  return !isBlocked && creationSteps.some(waits);
}
