import type { Clock, Random } from '../domain/clock.ts';
import type { RetrySettings } from './settings.ts';

/** How long to wait before the n-th repetition (from 1): exponential backoff with full jitter, in ms. */
export function backoff(repetition: number, retry: RetrySettings, random: Random): number {
  return Math.round(random() * Math.min(retry.capMs, retry.baseMs * 2 ** (repetition - 1)));
}

/** Waits; false when the run began to drain first. */
export async function pause(clock: Clock, ms: number, draining: AbortSignal): Promise<boolean> {
  try {
    await clock.sleep(ms, draining);
    return true;
  } catch (error) {
    if (draining.aborted) return false;
    throw error;
  }
}
