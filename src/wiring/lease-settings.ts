import type { Config } from '../config/load-config.ts';
import type { LeaseSettings } from '../pipeline/leases.ts';
import { isDead, thisProcess } from './system/process-identity.ts';
import type { Surroundings } from './surroundings.ts';

/** A lease outlasts a few missed heartbeats of a busy machine. */
const leaseMs = 60_000;

/** How this process holds import suppliers. */
export function leaseSettings(
  surroundings: Surroundings,
  { timeouts }: Pick<Config, 'timeouts'>,
): LeaseSettings {
  const { connectMs, headersMs, bodyMs } = timeouts;
  return {
    owner: thisProcess(surroundings),
    isDead: isDead(surroundings),
    leaseMs,
    // A token may have to be obtained first. Once an answer begins, its effect is past.
    requestMs: connectMs + headersMs + bodyMs + (connectMs + headersMs),
  };
}
