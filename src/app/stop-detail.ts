import type { LeaseHeld } from '../journal/journal.ts';
import type { StopReason } from '../pipeline/run-events.ts';
import { counted, formatDuration } from '../report/format.ts';

/** Why a run has stopped, in a sentence for people. */
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
      return `the ${formatDuration(Number(detail))} that timeouts.runMs gives it are over.`;
    case 'same-refusal':
      return (
        `the platform refused each of the first accounts for the same reason (${detail}), so the fault is in the mapping ` +
        'or in what the platform knows, not in single accounts. `migrate show` tells of one of them. Correct it, or go ' +
        'on in spite of it with --max-failures.'
      );
    case 'unrecognised-answers':
      return `these steps are answered with something that is no answer of the interface, and are held (${detail}). ${remedyFor(detail)}`;
    case 'credentials':
      return `the platform refused the credentials${detail === '' ? '' : ` (${detail})`}. Check the API key or token.`;
    case 'unavailable':
      return detail === 'proxy_unreachable'
        ? `the platform cannot be reached (${detail}): ${unavailability(detail)}`
        : `the platform is unavailable (${detail}): ${unavailability(detail)}`;
    case 'supplier-not-ongoing':
      return "the import supplier's migration is not Ongoing: its operator has paused or completed it.";
    case 'held':
      return heldBy === undefined
        ? `another run holds ${detail}.`
        : `another run holds ${detail}: process ${heldBy.owner.pid} on ${heldBy.owner.host}, since ${new Date(heldBy.since).toISOString()}. Wait for it to end; if that machine is gone, its hold ends at ${new Date(heldBy.expiresAt).toISOString()}.`;
    case 'lease-lost':
      return `another run has taken ${detail} over.`;
    case 'journal-gone':
      return detail;
    case 'created-meanwhile':
      return (
        `the platform said of ${counted(Number(detail), 'account')} that it has them already, right after it staged them for this ` +
        'run: a proxy on the way sends requests twice, or another run with a journal of its own is at work. Find out which ' +
        'before you run again, then settle these accounts with `migrate resolve --step process`.'
      );
    case 'dry-run-ignored':
      return `the platform created account ${detail} although dry_run was true. Ask its operator before going on.`;
  }
}

/** `detail`: each step with the looks of its answers. */
function remedyFor(detail: string): string {
  const accepted = [...detail.matchAll(/([a-z-]+): (2\d\d) (?:without a body|with JSON|with a JSON)/g)].map(
    ([, step = '', status = '']) => `${step}: [${status}]`,
  );
  const page =
    'Check baseUrl and the proxies on the way: a page comes from something in the place of the platform.';
  if (accepted.length === 0) return page;
  return `If the platform's operator says that this means success, set acceptedAnswers: { ${accepted.join(', ')} } in the profile and run the same command again; otherwise check baseUrl and the proxies on the way.`;
}

const nobodyThere = /^(dns|connection_refused|connection_failed|host_unreachable|connect_timeout)$/;
const notThePlatform = /^(unreadable_answer|unrecognised_answer|answer_mismatch|(gateway_)?http_[34]\d\d)$/;

/** What a cause of the client's says of the platform, and the remedy. */
export function unavailability(cause: string): string {
  if (cause === 'tls')
    return 'no secure connection to it can be made: it speaks no TLS, or its certificate is not trusted. Check baseUrl; where a private authority signed the certificate, name the file of that authority by NODE_EXTRA_CA_CERTS.';
  if (cause === 'proxy_refused')
    return 'the proxy on the way opens no connection to it. Check HTTPS_PROXY and NO_PROXY, and what the proxy allows.';
  if (cause === 'proxy_unreachable')
    return 'the proxy on the way does not answer. Check that it runs, HTTPS_PROXY and NO_PROXY.';
  if (nobodyThere.test(cause)) return 'nothing answers at its address. Check baseUrl and the network.';
  if (notThePlatform.test(cause))
    return 'what answers is not its interface. Check baseUrl, and any proxy on the way.';
  return 'it is there and gives no answer. Try again later.';
}

/** What is said as soon as a run begins to stop; nothing of what is told as an error at its end. */
export function stoppingNow(reason: StopReason, detail: string, isDryRun: boolean): string | undefined {
  if (isError(reason)) return undefined;
  return reason === 'interrupt'
    ? `Interrupted: requests in flight finish and are recorded${isDryRun ? '' : '; run the same command again to go on'}. ` +
        'Interrupt again to stop at once.'
    : `Stopping: ${stopDetail(reason, detail)}`;
}

/** Whether nobody asked for this. */
export function isError(reason: StopReason): boolean {
  return !['interrupt', 'hours', 'limit', 'max-failures', 'run-timeout'].includes(reason);
}
