import type { Clock, Random } from '../../domain/clock.ts';
import type { RetrySettings } from '../settings.ts';

/**
 * The wait before the n-th retry (from 1), in ms: the platform's Retry-After, up to a limit; otherwise exponential
 * backoff with full jitter.
 */
export function waitAfter(
  retryAfterMs: number | undefined,
  repetition: number,
  retry: RetrySettings,
  random: Random,
): number {
  if (retryAfterMs !== undefined && retryAfterMs > 0) return Math.min(retryAfterMs, retry.retryAfterCapMs);
  return Math.round(random() * Math.min(retry.capMs, retry.baseMs * 2 ** (repetition - 1)));
}

/** Waits; false if the signal was aborted first. */
export async function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await clock.sleep(ms, signal);
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
}
