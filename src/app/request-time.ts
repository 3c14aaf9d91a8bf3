import type { Config } from '../config/load-config.ts';

/** The longest time of one whole request, in ms: as configured, or the sum of its single timeouts. */
export function requestMs({ timeouts }: Pick<Config, 'timeouts'>): number {
  const { connectMs, headersMs, bodyMs, requestMs: configured } = timeouts;
  return configured ?? connectMs + headersMs + bodyMs;
}
