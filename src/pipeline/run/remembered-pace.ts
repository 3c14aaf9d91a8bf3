import type { FoundPace } from '../../domain/found-pace.ts';
import type { Journal } from '../../journal/journal.ts';

/** How far back a rate is looked for: in runs, and in ms. */
const mostRuns = 20;
const longestMs = 30 * 86_400_000;
/** Requests after which a limit would have shown. */
const enoughRequests = 1_000;

/** The rates that the last run against this platform found; undefined if it found none, or was long ago. */
export async function rememberedPace(
  journal: Pick<Journal, 'runs'>,
  platform: string,
  run: number,
  now: number,
): Promise<FoundPace | undefined> {
  for await (const entry of journal.runs(mostRuns)) {
    if (entry.id >= run || entry.platform !== platform) continue;
    if (entry.startedAt < now - longestMs) return undefined;
    // A run that sent little has found nothing out.
    if (entry.found !== undefined || (entry.end?.requests ?? 0) > enoughRequests) return entry.found;
  }
  return undefined;
}
