import type { MeterPoint } from '../../client/platform-client.ts';
import { isJsonObject, numberText, parseJson } from '../../domain/json.ts';

/** How many meter points an account has in each status, as the journal keeps it: `{"PRE_REGISTRATION":2}`. */
export function statusCounts(points: readonly MeterPoint[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { status } of points) counts.set(status, (counts.get(status) ?? 0) + 1);
  return counts;
}

/** The same as text, in a fixed order. */
export function statusText(counts: ReadonlyMap<string, number>): string {
  return JSON.stringify(Object.fromEntries([...counts].sort(([one], [other]) => (one < other ? -1 : 1))));
}

/** Whether every meter point has left the statuses that an earlier text has: something has begun to register them since. */
export function haveMoved(before: string, now: readonly MeterPoint[]): boolean {
  const known = parseJson(before);
  if (!isJsonObject(known)) return false;
  const all = Object.values(known).reduce<number>((sum, count) => sum + Number(numberText(count)), 0);
  const held = new Set(Object.keys(known));
  return all > 0 && now.length === all && now.every(({ status }) => !held.has(status));
}
