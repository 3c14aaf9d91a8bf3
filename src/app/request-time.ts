import type { Config } from '../config/load-config.ts';

/** How long one request may take as a whole, in ms: as configured, or as long as its single waits may last together. */
export function requestMs({ timeouts }: Pick<Config, 'timeouts'>): number {
  const { connectMs, headersMs, bodyMs, requestMs: configured } = timeouts;
  return configured ?? connectMs + headersMs + bodyMs;
}
