import type { LearntBodyLimit } from '../../domain/request-too-large.ts';
import type { Journal } from '../../journal/journal.ts';

/** How far back a limit is looked for: in runs, and in ms. */
const mostRuns = 20;
const longestMs = 30 * 86_400_000;

/** The sizes of bodies that the last run against this platform found refused; undefined if none did, or long ago. */
export async function rememberedSizes(
  journal: Pick<Journal, 'runs'>,
  platform: string,
  run: number,
  now: number,
): Promise<LearntBodyLimit | undefined> {
  for await (const entry of journal.runs(mostRuns)) {
    if (entry.id >= run || entry.platform !== platform) continue;
    if (entry.startedAt < now - longestMs || entry.bodyLimit === 'none') return undefined;
    if (entry.bodyLimit !== undefined) return { ...entry.bodyLimit, run: entry.id };
  }
  return undefined;
}
