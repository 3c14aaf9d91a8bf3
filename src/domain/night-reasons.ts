import { stopWords, type StopReason } from './stop-reason.ts';

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
 * - `doubled`: accounts share a platform number; `lost`: accounts left the export before they were created
 * - `ruled`: all that was uncertain has been ruled on since
 * - `uncertain`, `failed`, `rejected`, `not-ours`: accounts of the book in these states
 * - `no-supplier`: accounts of the export whose data names no import supplier
 * - `faults`: rows of the export that belong to no account
 */
export type NightReason =
  | StopReason
  | 'done'
  | 'running'
  | 'killed'
  | 'disk-full'
  | 'not-begun'
  | 'broke-off'
  | 'no-run'
  | 'no-night'
  | 'no-journal'
  | 'rehearsal'
  | 'doubled'
  | 'lost'
  | 'ruled'
  | 'uncertain'
  | 'failed'
  | 'rejected'
  | 'not-ours'
  | 'no-supplier'
  | 'faults';

/** Which command comes next. */
export type NextCommand =
  | 'run'
  | 'reconcile'
  | 'doctor'
  | 'restore'
  | 'watch'
  | 'remote'
  | 'plan'
  | 'rulings'
  | 'rejected'
  | 'failed'
  | 'skipped'
  | 'validate';

interface ReasonAdvice {
  /** What happened, in a few words. */
  readonly words: string;
  /** What comes before the next command: an imperative; '' if nothing does. */
  readonly first: string;
  readonly next: NextCommand;
  /** Why it cannot wait until the working day; absent if it can. */
  readonly urgent?: string;
}

const nextNight = '';

/** One table of reasons and remedies: every text about a night is made of it. */
export const nightReasons: Readonly<Record<NightReason, ReasonAdvice>> = {
  done: { words: 'everything is done', first: '', next: 'reconcile' },
  interrupt: { words: stopWords.interrupt, first: nextNight, next: 'run' },
  hours: { words: stopWords.hours, first: nextNight, next: 'run' },
  limit: { words: stopWords.limit, first: nextNight, next: 'run' },
  scheduled: { words: stopWords.scheduled, first: nextNight, next: 'run' },
  'run-timeout': { words: stopWords['run-timeout'], first: nextNight, next: 'run' },
  'max-failures': {
    words: stopWords['max-failures'],
    first: 'Find out what the failures share, and correct the cause.',
    next: 'rejected',
  },
  'same-refusal': {
    words: stopWords['same-refusal'],
    first: "Correct the mapping or the platform's set-up: single accounts are not the cause.",
    next: 'rejected',
  },
  'unrecognised-answers': {
    words: stopWords['unrecognised-answers'],
    first: 'Check baseUrl and the proxies before anything is sent again.',
    next: 'doctor',
  },
  credentials: {
    words: stopWords.credentials,
    first: 'Renew the API key or token.',
    next: 'doctor',
  },
  unavailable: {
    words: stopWords.unavailable,
    first: "Ask the platform's operator when it is back, then start the same run again.",
    next: 'doctor',
  },
  'supplier-not-ongoing': {
    words: stopWords['supplier-not-ongoing'],
    first: "Ask the platform's operator to set the supplier to Ongoing, then start the same run again.",
    next: 'run',
  },
  held: { words: stopWords.held, first: 'Wait for the other run to end.', next: 'watch' },
  'lease-lost': { words: stopWords['lease-lost'], first: '', next: 'run' },
  'journal-gone': {
    words: stopWords['journal-gone'],
    first: 'Put the journal back, or restore its backup.',
    next: 'restore',
    urgent: 'nothing may run before the journal is back.',
  },
  journal_behind: {
    words: stopWords.journal_behind,
    first:
      'Put the newer journal in place of this one. If there is none, start the same run again: it asks before it sends.',
    next: 'run',
    urgent: 'nothing may run with another journal meanwhile.',
  },
  doubled_requests: {
    words: stopWords.doubled_requests,
    first:
      'Turn off the repetition of POST requests in every proxy and gateway, then rule on the uncertain accounts.',
    next: 'rulings',
    urgent: 'whatever else uses this way to the platform may be doubled too.',
  },
  other_journal: {
    words: stopWords.other_journal,
    first: 'Stop the run that uses the other journal.',
    next: 'run',
    urgent: 'two journals on one book may create things twice.',
  },
  'created-meanwhile': {
    words: stopWords['created-meanwhile'],
    first: 'Find out who else creates accounts.',
    next: 'rulings',
  },
  'already-there': {
    words: 'the journal is new, and the platform has its accounts already',
    first: 'Find the journal that created them, or restore its backup.',
    next: 'restore',
  },
  'export-shrank': {
    words: 'the export shrank',
    first: 'Export it again. If it is whole, run once with --accept-shrinkage.',
    next: 'plan',
  },
  'dry-run-ignored': {
    words: stopWords['dry-run-ignored'],
    first: "Ask the platform's operator before anything else is sent.",
    next: 'remote',
    urgent: 'a dry run has created an account.',
  },
  running: { words: 'a run is under way', first: '', next: 'watch' },
  killed: {
    words: 'the run was killed, its machine went down, or it could no longer write its journal',
    first: 'The same run, started again, settles the requests that were under way before it sends anything.',
    next: 'run',
  },
  'disk-full': {
    words: 'the disk of the journal is full',
    first:
      'Free space there. The same run, started again, settles the requests that were under way before it sends anything.',
    next: 'run',
  },
  'not-begun': { words: 'the run could not start', first: 'Correct what it names.', next: 'doctor' },
  'broke-off': { words: 'an error ended the run', first: 'Correct what it names.', next: 'doctor' },
  'no-run': { words: 'no run has begun yet', first: '', next: 'run' },
  'no-night': {
    words: 'no run began in the last night',
    first: 'Check that cron or systemd starts the run, and that the machine was on.',
    next: 'run',
  },
  'no-journal': {
    words: 'the journal is gone',
    first: 'Put it back, or restore its backup.',
    next: 'restore',
    urgent: 'nothing may run before the journal is back.',
  },
  rehearsal: {
    words: 'the run was a rehearsal: nothing reached the platform',
    first: "Name the platform's profile with --profile or MIGRATE_PROFILE.",
    next: 'doctor',
  },
  doubled: {
    words: 'accounts share a platform number',
    first: 'Find out which account each number belongs to.',
    next: 'reconcile',
  },
  lost: {
    words: 'accounts left the export before they were created',
    first: 'Check that the export is whole.',
    next: 'plan',
  },
  ruled: {
    words: 'what it left uncertain has been ruled on since',
    first: nextNight,
    next: 'run',
  },
  uncertain: {
    words: 'accounts are uncertain',
    first: 'Rule on them: write done or repeat into the list, then migrate resolve --from.',
    next: 'rulings',
  },
  failed: { words: 'accounts failed', first: 'The next run tries them again as they are.', next: 'failed' },
  rejected: { words: 'accounts were rejected', first: 'Correct the data that is named.', next: 'rejected' },
  'not-ours': {
    words: 'the platform has accounts that this journal did not create',
    first:
      'Find out who created them. To leave them alone, write skip into the column ruling of the list, then migrate resolve --from theirs.csv. If they are yours, run with --adopt.',
    next: 'skipped',
  },
  'no-supplier': {
    words: 'accounts of the export name no import supplier',
    first: 'Correct their rows in the export.',
    next: 'validate',
  },
  faults: {
    words: 'rows of the export belong to no account, or data is refused now',
    first: 'Correct them in the export.',
    next: 'validate',
  },
};

/** Whether the table has this reason: a journal may have one of a later version. */
export function isNightReason(reason: string): reason is NightReason {
  return reason in nightReasons;
}
