import type { StopReason } from '../../domain/stop-reason.ts';

/**
 * Why a night was as it was: the reason why its run stopped, or
 *
 * - `done`: everything is done
 * - `running`, `killed`: a run has no end, and its process lives, or does not
 * - `disk-full`: the same as `killed`, and the journal cannot grow
 * - `not-begun`: a run could not start; `broke-off`: an error ended it
 * - `no-run`: no run has begun yet; `no-night`: none began in the last night, though runs begin every night
 * - `no-journal`: the journal is gone
 * - `rehearsal`: the night went to the embedded platform, earlier ones to a real one
 * - `other-platform`: the night was the first on a platform, and the nights before were on another one
 * - `older-export`: the night read an export that was read before the one of the night before
 * - `clock-back`: the run began before an earlier one, by the clocks of their machines
 * - `doubled`: accounts share a platform number; `lost`: accounts left the export before they were created
 * - `ruled`: all that was uncertain has been ruled on since
 * - `uncertain`, `failed`, `rejected`, `not-ours`: accounts of the book in these states
 * - `changed`: rejected accounts that the platform has in another form than the export has now, and no others
 * - `already-held`: rejected accounts of which the platform has something already, and no others
 * - `unknown-codes`: rejected accounts with a code that a code table does not have, and no others
 * - `refused-data`: accounts that arrived earlier, whose data in the export is refused now
 * - `no-supplier`: accounts of the export whose data names no import supplier
 * - `faults`: rows of the export that belong to no account
 */
export type NightReason = StopReason | NightCause | BookReason;

/** Reasons that lie in how runs went, beside those of a stop. */
export type NightCause =
  | 'running'
  | 'killed'
  | 'disk-full'
  | 'not-begun'
  | 'broke-off'
  | 'no-run'
  | 'no-night'
  | 'no-journal'
  | 'rehearsal'
  | 'other-platform'
  | 'older-export'
  | 'clock-back'
  | 'ruled';

/** Reasons that lie in what is left of the book. */
export type BookReason =
  | 'done'
  | 'doubled'
  | 'lost'
  | 'uncertain'
  | 'failed'
  | 'rejected'
  | 'changed'
  | 'unknown-codes'
  | 'already-held'
  | 'refused-data'
  | 'not-ours'
  | 'no-supplier'
  | 'faults';
