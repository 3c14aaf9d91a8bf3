import { asStopReason, type StopReason } from '../../domain/stop-reason.ts';
import type { LeaseHeld } from '../../journal/journal.ts';
import { counted, formatDuration, utcTime } from '../format.ts';
import { stopAdvice } from './nights.ts';
import { ofThisMachine, unavailability } from './unavailability.ts';

type TellStop = (detail: string, heldBy?: LeaseHeld) => string;

/** What each reason means, with its remedy. */
/** `detail`: how many are scheduled, and behind a comma how many found no room for a task: such as "5, 3 without room". */
function scheduledDetail(detail: string): string {
  const [scheduled = 0, waiting = 0] = detail.split(', ').map((part) => Number.parseInt(part, 10));
  const [are, them] = scheduled === 1 ? ['is', 'it'] : ['are', 'them'];
  const said = [
    scheduled > 0
      ? `${counted(scheduled, 'account')} ${are} scheduled on the platform, which has not processed ${them} yet.`
      : '',
    waiting > 0
      ? `${counted(waiting, 'account')} could not be submitted, because the book had as many scheduled accounts as schedule.mostPending allows.`
      : '',
    scheduled > 0
      ? 'Run the same command again later: it asks for them and submits nothing twice.'
      : 'Run the same command again.',
  ];
  return said.filter((sentence) => sentence !== '').join(' ');
}

const details: Readonly<Record<StopReason, TellStop>> = {
  interrupt: (cause) =>
    cause === ''
      ? 'it was interrupted.'
      : `it was interrupted, and the platform ${isAway(cause)} (${cause}).`,
  hours: (detail) => `its allowed hours ended (${detail}).`,
  limit: (detail) => `the limit of ${counted(Number(detail), 'account')} is reached.`,
  'max-failures': (detail) =>
    `${detail} that were driven failed or were rejected, and --max-failures is reached.`,
  'run-timeout': (detail) =>
    `the time limit of ${formatDuration(Number(detail))} (timeouts.runMs) has passed.`,
  scheduled: scheduledDetail,
  'step-not-done': (detail) =>
    `an added step is not done (${detail}). ${stopAdvice('step-not-done', detail)}`,
  'step-uncertain': (detail) =>
    `the effect of an added step is not known (${detail}). ${stopAdvice('step-uncertain', detail)}`,
  'same-refusal': (detail) =>
    `the platform refused each of the first accounts for the same reason (${detail}), so the cause is the mapping ` +
    `or the platform's set-up, not single accounts. \`migrate show\` shows one of them. ${stopAdvice('same-refusal')}`,
  'unrecognised-answers': (detail) =>
    `the interface does not define the answers to these steps, so the steps are held (${detail}). ${stopAdvice('unrecognised-answers', detail)}`,
  credentials: (detail) =>
    `the platform refused the credentials${detail === '' ? '' : ` (${detail})`}. ${stopAdvice('credentials')}`,
  unavailable: (detail) => `the platform ${isAway(detail)} (${detail}): ${unavailability(detail)}`,
  'supplier-not-ongoing': () =>
    `the import supplier's migration is not Ongoing: the operator has paused or completed it. ${stopAdvice('supplier-not-ongoing')}`,
  held: (detail, heldBy) =>
    heldBy === undefined ? `another run holds ${detail}.` : heldDetail(detail, heldBy),
  'lease-lost': (detail) =>
    detail === ''
      ? 'it did not renew its lease in time, and other runs of the book have taken over its accounts. Run the same command again to join them.'
      : `another run has taken over ${detail}.`,
  'already-there': (detail) =>
    `this journal is new, and the platform already has each of the first ${detail} accounts, so another journal created them. ${stopAdvice('already-there')}`,
  'journal-gone': (detail) => detail,
  'export-shrank': (detail) => detail,
  'export-changed': (detail) => detail,
  journal_behind: (detail) =>
    `the platform has what the journal calls never sent: it looks as if the journal were older than the platform (${detail}). ${stopAdvice('journal_behind')}`,
  doubled_requests: (detail) =>
    `the platform has what this run sent for the first time: it looks as if something on the way sent requests twice (${detail}). ${stopAdvice('doubled_requests')}`,
  other_journal: (detail) =>
    `the platform creates accounts of this book that this journal does not: it looks as if a run with another journal worked on the same book (${detail}). ${stopAdvice('other_journal')}`,
  'created-meanwhile': (detail) =>
    `the platform reported ${counted(Number(detail), 'account')} as already existing, right after it staged them for this ` +
    `run: a proxy sends requests twice, or another run uses another journal. ${stopAdvice('created-meanwhile')}`,
  'dry-run-ignored': (detail) =>
    `the platform created account ${detail} although dry_run was true. ${stopAdvice('dry-run-ignored')}`,
};

function isAway(cause: string): string {
  const isOut = cause === 'proxy_unreachable' || ofThisMachine.has(cause);
  return isOut ? 'cannot be reached' : 'is unavailable';
}

/** Why a run has stopped, as a sentence for people. `detail`: what the journal keeps of it. */
export function stopDetail(reason: StopReason, detail: string, heldBy?: LeaseHeld): string {
  return details[reason](detail, heldBy);
}

function heldDetail(supplier: string, { owner, since, expiresAt, sharedWith = 0 }: LeaseHeld): string {
  const others = sharedWith === 0 ? '' : `, and ${counted(sharedWith, 'other run')} of the same book`;
  return `another run holds ${supplier}: process ${owner.pid} on ${owner.host}, since ${utcTime(since)}${others}. Wait for it to end; if that machine is gone, its hold ends at ${utcTime(expiresAt)}.`;
}

/**
 * What a run said of its end, as a sentence; '' if it said nothing more than its reason. `detail`: what the journal keeps of it:
 * of a stop what the sentence is made of, of an error the sentence.
 */
export function recordedDetail(reason: string, detail: string): string {
  const stopped = asStopReason(reason);
  if (detail === '') return '';
  return stopped === undefined ? detail : stopDetail(stopped, detail);
}
