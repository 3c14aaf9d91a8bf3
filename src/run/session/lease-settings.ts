import type { Config } from '../../config/load-config.ts';
import type { LeaseSettings } from '../../pipeline/run/leases.ts';
import type { Environment } from '../../host/environment.ts';
import { isDead, thisProcess } from '../../host/process-identity.ts';

/** A lease outlasts a few missed heartbeats of a busy machine. */
const leaseMs = 60_000;

/** The lease settings of this process. */
export function leaseSettings(
  environment: Environment,
  { timeouts }: Pick<Config, 'timeouts'>,
): LeaseSettings {
  return {
    owner: thisProcess(environment),
    isDead: isDead(environment),
    leaseMs,
    requestMs: requestMs({ timeouts }),
  };
}

/** The longest time of one whole request, in ms: as configured, or the sum of its single timeouts. */
export function requestMs({ timeouts }: Pick<Config, 'timeouts'>): number {
  const { connectMs, headersMs, bodyMs, requestMs: configured } = timeouts;
  return configured ?? connectMs + headersMs + bodyMs;
}
