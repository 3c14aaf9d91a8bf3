import type { LeaseHeld } from '../journal/journal.ts';
import type { StopReason } from '../pipeline/run/run-events.ts';
import { counted, formatDuration, utcTime } from '../report/format.ts';
import type { RunRequest } from './run-request.ts';
import { ofThisMachine, unavailability } from './unavailability.ts';

/** Why a run has stopped, as a sentence for people. */
export function stopDetail(reason: StopReason, detail: string, heldBy?: LeaseHeld): string {
  switch (reason) {
    case 'interrupt':
      return 'it was interrupted.';
    case 'hours':
      return `its allowed hours ended (${detail}).`;
    case 'limit':
      return `the limit of ${counted(Number(detail), 'account')} is reached.`;
    case 'max-failures':
      return `${detail} failed or were rejected, as many as --max-failures allows.`;
    case 'run-timeout':
      return `the time limit of ${formatDuration(Number(detail))} (timeouts.runMs) has passed.`;
    case 'scheduled':
      return `${counted(Number(detail), 'account')} ${detail === '1' ? 'is' : 'are'} scheduled on the platform, which has not processed ${detail === '1' ? 'it' : 'them'} yet. Run the same command again later: it asks for them and submits nothing twice.`;
    case 'same-refusal':
      return (
        `the platform refused each of the first accounts for the same reason (${detail}), so the cause is the mapping ` +
        "or the platform's set-up, not single accounts. `migrate show` shows one of them. Correct the mapping and run the same " +
        "command again. If the platform's set-up is corrected instead, run `migrate retry` first. --max-failures continues anyway."
      );
    case 'unrecognised-answers':
      return `the interface does not define the answers to these steps, so the steps are held (${detail}). ${remedyFor(detail)}`;
    case 'credentials':
      return `the platform refused the credentials${detail === '' ? '' : ` (${detail})`}. Check the API key or token.`;
    case 'unavailable':
      return detail === 'proxy_unreachable' || ofThisMachine.has(detail)
        ? `the platform cannot be reached (${detail}): ${unavailability(detail)}`
        : `the platform is unavailable (${detail}): ${unavailability(detail)}`;
    case 'supplier-not-ongoing':
      return "the import supplier's migration is not Ongoing: the operator has paused or completed it.";
    case 'held':
      return heldBy === undefined ? `another run holds ${detail}.` : heldDetail(detail, heldBy);
    case 'lease-lost':
      return detail === ''
        ? 'it did not renew its lease in time, and other runs of the book have taken over its accounts. Run the same command again to join them.'
        : `another run has taken over ${detail}.`;
    case 'already-there':
      return (
        `this journal is new, and the platform already has each of the first ${detail} accounts, so another journal created them. ` +
        'If that journal is missing, put it back, or restore a backup with `migrate journal restore FILE`. Do not use --adopt instead: what cannot be recognised, such as agreements, would be there twice. ' +
        'If they were created without migrate, continue with --adopt.'
      );
    case 'journal-gone':
    case 'export-shrank':
      return detail;
    case 'journal_behind':
      return (
        `the platform has what the journal calls never sent: it looks as if the journal were older than the platform (${detail}). ` +
        'Its directory, disk or machine may have been restored. If there is a newer journal, put it in place of this one. If there is none, run ' +
        'the same command again: every account is in doubt now, as after `migrate journal restore`, and the tool asks the platform before it sends anything.'
      );
    case 'doubled_requests':
      return (
        `the platform has what this run sent for the first time: it looks as if something on the way sent requests twice (${detail}). ` +
        'Turn off the repetition of POST requests in every proxy and gateway (nginx: proxy_next_upstream non_idempotent; Envoy: retry_on; HAProxy: retry-on all-retryable-errors). ' +
        'What the accounts of this run have that cannot be recognised, such as agreements, may be there twice: look at some of them. Then rule on the uncertain accounts with `migrate resolve` and run the same command again.'
      );
    case 'other_journal':
      return (
        `the platform creates accounts of this book that this journal does not: it looks as if a run with another journal worked on the same book (${detail}). ` +
        'Stop one of the two. To continue with this one, run the same command again: every account is in doubt now, as after `migrate journal restore`, and the tool asks the platform before it sends anything.'
      );
    case 'created-meanwhile':
      return (
        `the platform reported ${counted(Number(detail), 'account')} as already existing, right after it staged them for this ` +
        'run: a proxy sends requests twice, or another run uses another journal. Find out which ' +
        'before you run again, then settle these accounts with `migrate resolve --step process`.'
      );
    case 'dry-run-ignored':
      return `the platform created account ${detail} although dry_run was true. Ask its operator before you continue.`;
  }
}

function heldDetail(supplier: string, { owner, since, expiresAt, sharedWith = 0 }: LeaseHeld): string {
  const others = sharedWith === 0 ? '' : `, and ${counted(sharedWith, 'other run')} of the same book`;
  return `another run holds ${supplier}: process ${owner.pid} on ${owner.host}, since ${utcTime(since)}${others}. Wait for it to end; if that machine is gone, its hold ends at ${utcTime(expiresAt)}.`;
}

/** What a run asks for that keeps it from sharing a book. */
type NotShared = Pick<RunRequest, 'accounts' | 'documents' | 'dryRun' | 'approved'>;

/** Why a run does not share the book of those that hold its supplier. */
export function whyNotJoined({ accounts, documents, dryRun, approved }: NotShared): string {
  const alone = [
    ...(dryRun === true ? ['--dry-run'] : []),
    ...(accounts === undefined ? [] : ['--accounts']),
    ...(documents === undefined ? [] : ['--documents']),
    ...(approved === undefined ? [] : ['--plan']),
  ];
  return alone.length > 0
    ? `This run cannot join it, because a run with ${alone.join(' and ')} does not share a book.`
    : 'This run cannot join it, because the export, the mapping, --with, --steps, --adopt, --skip-unreadable, the settings of what is sent, ' +
        'or the version of migrate are not the same, or the mapping calls a module.';
}

/** `detail`: each step with the form of its answers. */
function remedyFor(detail: string): string {
  const accepted = [...detail.matchAll(/([a-z-]+): (2\d\d) (?:without a body|with JSON|with a JSON)/g)].map(
    ([, step = '', status = '']) => `${step}: [${status}]`,
  );
  const page = 'Check baseUrl and the proxies: a page does not come from the platform.';
  if (accepted.length === 0) return page;
  return `If the platform's operator says that this means success, set acceptedAnswers: { ${accepted.join(', ')} } in the profile and run the same command again; otherwise check baseUrl and the proxies.`;
}

/** The message as soon as a run begins to stop; nothing for what is reported as an error at its end. */
export function stoppingNow(reason: StopReason, detail: string, isDryRun: boolean): string | undefined {
  if (isError(reason)) return undefined;
  return reason === 'interrupt'
    ? `Interrupted: requests in flight finish and are recorded${isDryRun ? '' : '; run the same command again to continue'}. ` +
        'Interrupt again to stop at once.'
    : `Stopping: ${stopDetail(reason, detail)}`;
}

/** Whether nobody requested this. */
export function isError(reason: StopReason): boolean {
  return !['interrupt', 'hours', 'limit', 'max-failures', 'run-timeout', 'scheduled'].includes(reason);
}
