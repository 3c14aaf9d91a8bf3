import { exitCodes } from './exit-codes.ts';

/**
 * The reason why a run stops with work left, as the log, summaries, metrics and notifications name it.
 *
 * - `interrupt`, `hours`, `limit`, `max-failures`, `run-timeout`: requested by the user
 * - `scheduled`: the platform has tasks that it has not processed yet
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
 * - `export-shrank`: nobody attends the run, and the export has fewer rows or accounts than in the last run
 * - `dry-run-ignored`: the platform created an account although dry_run was true
 */
export const stopReasons = [
  'interrupt',
  'hours',
  'limit',
  'max-failures',
  'run-timeout',
  'scheduled',
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
  'dry-run-ignored',
] as const;

export type StopReason = (typeof stopReasons)[number];

/** The same in a few words, for people. */
export const stopWords: Readonly<Record<StopReason, string>> = {
  interrupt: 'interrupted',
  hours: 'its allowed hours ended',
  limit: 'the limit was reached',
  'max-failures': 'too many failures',
  'run-timeout': 'its time limit was reached',
  scheduled: 'the platform has yet to process scheduled accounts',
  'same-refusal': 'every account refused for one reason',
  'unrecognised-answers': 'answers that the interface does not define',
  credentials: 'credentials refused',
  unavailable: 'platform unavailable',
  'supplier-not-ongoing': 'supplier not Ongoing',
  held: 'another run held the supplier',
  'lease-lost': 'another run took over',
  'journal-gone': 'its journal was moved or deleted',
  journal_behind: 'the journal is older than the platform',
  doubled_requests: 'requests are sent twice on the way',
  other_journal: 'another journal works on the same book',
  'created-meanwhile': 'accounts were created by others',
  'already-there': 'a new journal, old accounts',
  'export-shrank': 'the export shrank',
  'dry-run-ignored': 'the platform ignored dry_run',
};

/** For what one run finds, all runs of the book stop: it is as true of theirs. */
const ofTheBook: ReadonlySet<string> = new Set<StopReason>([
  'max-failures',
  'journal_behind',
  'doubled_requests',
  'other_journal',
]);

export function isOfTheBook(reason: string): reason is StopReason {
  return ofTheBook.has(reason);
}

/** Why a run has no result: it could not start, or an error ended it. */
export const breakReasons = ['not-begun', 'broke-off'] as const;

export type BreakReason = (typeof breakReasons)[number];

/** Stops that nobody requested, with work left: the run would only have failed more accounts. */
const failures: ReadonlySet<string> = new Set<StopReason>([
  'same-refusal',
  'unrecognised-answers',
  'max-failures',
]);

/** Whether a run ended as it should: everything is done, or it stopped where it was told to. */
export function endedWell(exit: number, reason: StopReason | BreakReason | undefined): boolean {
  if (exit === exitCodes.done) return true;
  return exit === exitCodes.stoppedEarly && !failures.has(reason ?? '');
}
