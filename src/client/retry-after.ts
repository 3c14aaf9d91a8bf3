const httpDate = /^[A-Z][a-z]+, .+ GMT$/;

/**
 * Parses a Retry-After header, whole seconds or an HTTP date, as milliseconds from `now` (milliseconds since the
 * epoch); never negative. Undefined if there is none, or it cannot be parsed.
 */
export function readRetryAfter(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? '';
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : httpDate.test(text) ? Date.parse(text) - now : NaN;
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}
