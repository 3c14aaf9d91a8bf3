import { exitCodes, type ExitCode } from './exit-codes.ts';

/**
 * The reason why a run stops with work left, as the log, summaries, metrics and notifications name it.
 *
 * - `interrupt`, `hours`, `limit`, `max-failures`, `run-timeout`: requested by the user
 * - `scheduled`: the platform has tasks that it has not processed yet, or accounts found no room for a task of their own
 * - `step-not-done`, `step-uncertain`: items of a step that the profile adds are refused or failed, or their effect cannot be known
 * - `same-refusal`: the platform refuses every account for the same reason
 * - `unrecognised-answers`: the answers to a step are not answers of the interface
 * - `credentials`: the platform refuses them
 * - `unavailable`: the platform cannot be reached, or fails on every account
 * - `supplier-not-ongoing`: the import supplier is Paused or Complete (interface, section 3)
 * - `held`: another run holds this supplier
 * - `lease-lost`: another run has taken over the supplier
 * - `journal-gone`: the journal was moved, replaced or deleted during the run
 * - `journal_behind`, `doubled_requests`, `other_journal`: the platform's answers contradict the journal, which looks older than
 *   the platform, as if requests were sent twice on the way, or as if another journal worked on the same book
 * - `created-meanwhile`: of earlier versions: now one of these three
 * - `already-there`: the journal is new, and the platform has each of the first accounts
 * - `export-shrank`: nobody attends the run, and the export has fewer rows or accounts than in the last run, or a code table has fewer
 *   rows
 * - `export-changed`: nobody attends the run, and the data of accounts that were sent, or the values of a code table, changed too much
 * - `dry-run-ignored`: the platform created an account although dry_run was true
 */
export const stopReasons = [
  'interrupt',
  'hours',
  'limit',
  'max-failures',
  'run-timeout',
  'scheduled',
  'step-not-done',
  'step-uncertain',
  'same-refusal',
  'unrecognised-answers',
  'credentials',
  'unavailable',
  'supplier-not-ongoing',
  'held',
  'lease-lost',
  'journal-gone',
  'journal_behind',
  'doubled_requests',
  'other_journal',
  'created-meanwhile',
  'already-there',
  'export-shrank',
  'export-changed',
  'dry-run-ignored',
] as const;

export type StopReason = (typeof stopReasons)[number];

/** What a reason to stop is, as all who speak of a stop or act on one ask. */
interface Stop {
  /**
   * - `planned`: the run was told beforehand to stop there
   * - `requested`: somebody stopped it
   * - `bound`: more accounts failed than it was told to accept
   * - `fault`: nobody asked for it
   */
  readonly kind: 'planned' | 'requested' | 'bound' | 'fault';
  /** In a few words, for people. */
  readonly words: string;
  readonly exit: ExitCode;
  /** For what one run finds, all runs of the book stop: it is as true of theirs. */
  readonly isOfTheBook?: true;
  /** What is found out later may say better how the platform's answers contradict the journal. */
  readonly isSuspicion?: true;
  /** The exit code has no other meaning. */
  readonly isSaidByExit?: true;
  /** A run may end for it before it has read anything. */
  readonly isBeforeReading?: true;
}

const { accountsRejected, stoppedEarly, credentialsRefused, unavailable, supplierHeld, uncertain, usage } =
  exitCodes;

const suspicion = { kind: 'fault', exit: uncertain, isOfTheBook: true, isSuspicion: true } as const;

const stops: Readonly<Record<StopReason, Stop>> = {
  interrupt: { kind: 'requested', words: 'interrupted', exit: stoppedEarly },
  hours: { kind: 'planned', words: 'its allowed hours ended', exit: stoppedEarly },
  limit: { kind: 'planned', words: 'the limit was reached', exit: stoppedEarly },
  'max-failures': { kind: 'bound', words: 'too many failures', exit: stoppedEarly, isOfTheBook: true },
  'run-timeout': { kind: 'planned', words: 'its time limit was reached', exit: stoppedEarly },
  scheduled: {
    kind: 'planned',
    words: 'the platform has yet to process scheduled accounts',
    exit: stoppedEarly,
  },
  'step-not-done': { kind: 'fault', words: 'an added step is not done', exit: accountsRejected },
  'step-uncertain': { kind: 'fault', words: 'an added step is uncertain', exit: uncertain },
  'same-refusal': { kind: 'fault', words: 'every account refused for one reason', exit: stoppedEarly },
  'unrecognised-answers': {
    kind: 'fault',
    words: 'answers that the interface does not define',
    exit: stoppedEarly,
  },
  credentials: { kind: 'fault', words: 'credentials refused', exit: credentialsRefused, isSaidByExit: true },
  unavailable: { kind: 'fault', words: 'platform unavailable', exit: unavailable },
  'supplier-not-ongoing': { kind: 'fault', words: 'supplier not Ongoing', exit: unavailable },
  held: {
    kind: 'fault',
    words: 'another run held the supplier',
    exit: supplierHeld,
    isSaidByExit: true,
    isBeforeReading: true,
  },
  'lease-lost': { kind: 'fault', words: 'another run took over', exit: supplierHeld },
  'journal-gone': { kind: 'fault', words: 'its journal was moved or deleted', exit: usage },
  journal_behind: { ...suspicion, words: 'the journal is older than the platform' },
  doubled_requests: { ...suspicion, words: 'requests are sent twice on the way' },
  other_journal: { ...suspicion, words: 'another journal works on the same book' },
  'created-meanwhile': { kind: 'fault', words: 'accounts were created by others', exit: supplierHeld },
  'already-there': { kind: 'fault', words: 'a new journal, old accounts', exit: supplierHeld },
  'export-shrank': { kind: 'fault', words: 'fewer rows than before', exit: usage, isBeforeReading: true },
  'export-changed': {
    kind: 'fault',
    words: 'too much changed since it was sent',
    exit: usage,
    isBeforeReading: true,
  },
  'dry-run-ignored': { kind: 'fault', words: 'the platform ignored dry_run', exit: uncertain },
};

/** The platform's answers contradict the journal. */
export type Suspicion = Extract<StopReason, 'journal_behind' | 'doubled_requests' | 'other_journal'>;

export function aboutStop(reason: StopReason): Stop {
  return stops[reason];
}

/** The reason that a journal or another run names; undefined if it is none of this version. */
export function asStopReason(name: string | undefined): StopReason | undefined {
  return stopReasons.find((reason) => reason === name);
}

/** Why a run has no result: it could not start, or an error ended it. */
export const breakReasons = ['not-begun', 'broke-off'] as const;

export type BreakReason = (typeof breakReasons)[number];

/** Whether a run ended as it should: everything is done, or it stopped where it was told to. `reason`: of this version, or any. */
export function endedWell(exit: number, reason: string | undefined): boolean {
  if (exit === exitCodes.done) return true;
  if (exit !== exitCodes.stoppedEarly) return false;
  const stop = asStopReason(reason);
  return stop === undefined || ['planned', 'requested'].includes(stops[stop].kind);
}
