/**
 * A number from 0 (included) to 1 (excluded) that depends on the text alone, so that the same request meets the same
 * fault in every run, whatever else is under way. FNV-1a, then murmur's finalizer.
 */
export function seededNumber(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

/**
 * A delay in milliseconds with a long tail: half of the draws at most `ms`, ninety-nine in a hundred at most `tailMs`,
 * none beyond four times that. Both draws are from 0 to 1.
 */
export function seededDelay(one: number, other: number, ms: number, tailMs: number): number {
  const normal = Math.sqrt(-2 * Math.log(1 - one)) * Math.cos(2 * Math.PI * other);
  const spread = ms === 0 ? 0 : Math.log(Math.max(tailMs / ms, 1)) / 2.326;
  return Math.min(ms * Math.exp(spread * normal), 4 * tailMs);
}
