import { createHash } from 'node:crypto';

/** Draws a sample that depends only on the seed, and has of every stratum in proportion to its size. */
export class StratifiedSample {
  readonly #seed: string;
  readonly #wanted: number;
  readonly #strata: ReadonlyMap<string, number>;
  readonly #kept = new Map<string, { readonly rank: string; readonly item: string }[]>();

  /** `strata`: how many items each has. */
  constructor(seed: string, wanted: number, strata: ReadonlyMap<string, number>) {
    this.#seed = seed;
    this.#strata = quotas(wanted, strata);
    this.#wanted = wanted;
  }

  offer(stratum: string, item: string): void {
    const quota = this.#strata.get(stratum) ?? 0;
    if (quota === 0) return;
    const rank = createHash('sha256').update(`${this.#seed}\n${item}`).digest('hex');
    const kept = this.#kept.get(stratum) ?? [];
    this.#kept.set(stratum, kept);
    if (kept.length === quota && rank >= (kept.at(-1)?.rank ?? '')) return;
    let at = kept.length;
    while (at > 0 && rank < (kept[at - 1]?.rank ?? '')) at -= 1;
    kept.splice(at, 0, { rank, item });
    if (kept.length > quota) kept.pop();
  }

  get items(): ReadonlySet<string> {
    const all = [...this.#kept.values()].flat().map(({ item }) => item);
    return new Set(all.slice(0, this.#wanted));
  }
}

/** Each stratum's share of the sample: at least one of each while there is room, the rest in proportion. */
function quotas(wanted: number, strata: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const total = [...strata.values()].reduce((sum, count) => sum + count, 0);
  const most = Math.min(wanted, total);
  const shares = [...strata].map(([name, count]) => ({
    name,
    count,
    exact: total === 0 ? 0 : (most * count) / total,
  }));
  const given = new Map(shares.map(({ name, exact }) => [name, Math.floor(exact)]));
  let left = most - [...given.values()].reduce((sum, count) => sum + count, 0);
  // The smallest first, so that what few accounts have is in the sample too.
  const order = [...shares].sort(
    (a, b) =>
      Number((given.get(a.name) ?? 0) > 0) - Number((given.get(b.name) ?? 0) > 0) ||
      (b.exact % 1) - (a.exact % 1),
  );
  while (left > 0)
    for (const { name, count } of order) {
      const has = given.get(name) ?? 0;
      if (left === 0 || has >= count) continue;
      given.set(name, has + 1);
      left -= 1;
    }
  return given;
}

/**
 * The largest share of a population that may differ, with this confidence, when `differ` of `read` in a random sample do (the
 * upper bound of Clopper and Pearson). 1 if nothing was read.
 */
export function mostThatDiffer(differ: number, read: number, confidence = 0.95): number {
  if (read === 0 || differ >= read) return 1;
  let [low, high] = [differ / read, 1];
  for (let times = 0; times < 60; times += 1) {
    const middle = (low + high) / 2;
    if (atMost(differ, read, middle) > 1 - confidence) low = middle;
    else high = middle;
  }
  return high;
}

/** The probability of at most `k` successes in `n` trials. */
function atMost(k: number, n: number, p: number): number {
  let [sum, term] = [0, n * Math.log1p(-p)];
  for (let i = 0; i <= k; i += 1) {
    sum += Math.exp(term);
    term += Math.log((n - i) / (i + 1)) + Math.log(p) - Math.log1p(-p);
  }
  return sum;
}
