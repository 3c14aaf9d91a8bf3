import type { Config } from '../config/load-config.ts';
import type { LeaseSettings } from '../pipeline/leases.ts';
import { isDead, thisProcess } from './process-identity.ts';
import type { Shell } from './shell.ts';

/** A lease outlasts a few missed heartbeats of a busy machine. */
const leaseMs = 60_000;

/** How this process holds import suppliers. */
export function leaseSettings(shell: Shell, { timeouts }: Pick<Config, 'timeouts'>): LeaseSettings {
  const { connectMs, headersMs, bodyMs } = timeouts;
  return {
    owner: thisProcess(shell),
    isDead: isDead(shell),
    leaseMs,
    // A token may have to be obtained first. Once an answer begins, its effect is past.
    requestMs: connectMs + headersMs + bodyMs + (connectMs + headersMs),
  };
}
