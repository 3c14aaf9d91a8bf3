const httpDate = /^[A-Z][a-z]+, .+ GMT$/;

/**
 * Reads a Retry-After header, whole seconds or an HTTP date, as milliseconds from `now` (milliseconds since the
 * epoch); never negative. Undefined where there is none, or none that can be read.
 */
export function readRetryAfter(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? '';
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : httpDate.test(text) ? Date.parse(text) - now : NaN;
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}
