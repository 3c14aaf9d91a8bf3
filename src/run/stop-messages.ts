import { aboutStop, type StopReason } from '../domain/stop-reason.ts';
import { stopDetail } from '../report/advice/stop-detail.ts';
import type { RunRequest } from './run-request.ts';

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
  return aboutStop(reason).kind === 'fault';
}
