import type { LeaseHeld } from '../journal/journal.ts';
import type { StopReason } from '../pipeline/run-events.ts';

/** Why a run is stopping, or has stopped, in a sentence for people. */
export function stopDetail(
  reason: StopReason,
  detail: string,
  tense: 'stopping' | 'stopped',
  heldBy?: LeaseHeld,
): string {
  switch (reason) {
    case 'interrupt':
      return tense === 'stopping'
        ? 'Interrupted: requests in flight finish and are recorded; interrupt again to stop at once.'
        : 'it was interrupted.';
    case 'limit':
      return `the limit of ${detail} accounts is reached.`;
    case 'max-failures':
      return `${detail} failed or were rejected, as many as --max-failures allows.`;
    case 'credentials':
      return `the platform refused the credentials${detail === '' ? '' : ` (${detail})`}. Check the API key or token.`;
    case 'unavailable':
      return `the platform is unavailable (${detail}).`;
    case 'supplier-not-ongoing':
      return "the import supplier's migration is not Ongoing: its operator has paused or completed it.";
    case 'held':
      return heldBy === undefined
        ? `another run holds ${detail}.`
        : `another run holds ${detail}: process ${heldBy.owner.pid} on ${heldBy.owner.host}, since ${new Date(heldBy.since).toISOString()}.`;
    case 'lease-lost':
      return `another run has taken ${detail} over.`;
    case 'dry-run-ignored':
      return `the platform created account ${detail} although dry_run was true. Ask its operator before going on.`;
  }
}
