/** The number of hashes in a sample of the accounts of an export. */
export const sampleSize = 64;

/**
 * The share of this sample's range that another export also has: 1 where it has all of these accounts, 0 where it has none. An export
 * of another book shares no accounts.
 */
export function sharedShare(one: readonly number[], other: readonly number[]): number {
  const both = [one, other].map((sample) => (sample.length < sampleSize ? Infinity : (sample.at(-1) ?? 0)));
  const range = Math.min(...both);
  const [mine, theirs] = [one, other].map((sample) => sample.filter((hash) => hash <= range));
  const known = new Set(theirs);
  const least = Math.min(mine?.length ?? 0, theirs?.length ?? 0);
  return least === 0 ? 0 : (mine ?? []).filter((hash) => known.has(hash)).length / least;
}
