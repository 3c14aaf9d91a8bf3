import type { Quota } from '../../client/platform-client.ts';

/** A window up to this long is a rate; of a longer one, everything may be used at once. In ms. */
const longestWindowMs = 60_000;
/** A shorter wait for the reset, in ms, may be a whole second that stands for less. */
const shortestHoldMs = 2_000;
/** Policies that are remembered: a platform that names each anew is not followed. */
const mostPolicies = 32;
/** The share of a window within which two answers must agree, if they count the same requests. */
const soon = 0.2;

interface Policy {
  /** Requests per second; Infinity if it is no rate. */
  readonly perSecond: number;
  /** The only endpoint that has announced it; undefined if several share it. */
  endpoint: string | undefined;
  /** Whether each endpoint has a count of its own. */
  isEach: boolean;
  remaining: number | undefined;
  at: number;
  holdUntil: number;
}

/** What an endpoint, or all of them together, may do by what was announced. */
export interface Allowance {
  readonly perSecond: number;
  /** Until then nothing is left, on the monotonic clock, in ms. */
  readonly holdUntil: number;
}

/**
 * The limits that a platform announces with its answers. A limit that several endpoints announce with one count is one of
 * the whole platform.
 */
export class AnnouncedQuotas {
  readonly #policies = new Map<string, Policy>();

  /** `now`: on the monotonic clock, in ms. `mostMs`: the longest hold. */
  hear(endpoint: string, quotas: readonly Quota[], now: number, mostMs: number): void {
    for (const quota of quotas) {
      const policy = this.#policyOf(endpoint, quota, now);
      if (policy === undefined) continue;
      const { remaining, resetMs = 0 } = quota;
      policy.remaining = remaining;
      policy.at = now;
      if (remaining === 0 && resetMs > shortestHoldMs) policy.holdUntil = now + Math.min(resetMs, mostMs);
    }
  }

  /** `endpoint` undefined: of all. */
  of(endpoint: string | undefined): Allowance {
    let [perSecond, holdUntil] = [Infinity, 0];
    for (const policy of this.#policies.values()) {
      if (policy.endpoint !== endpoint) continue;
      perSecond = Math.min(perSecond, policy.perSecond);
      holdUntil = Math.max(holdUntil, policy.holdUntil);
    }
    return { perSecond, holdUntil };
  }

  #policyOf(endpoint: string, quota: Quota, now: number): Policy | undefined {
    const { name, limit = 0, windowMs = 0, remaining } = quota;
    const shared = `${name}/${limit}/${windowMs}`;
    const before = this.#policies.get(shared);
    if (before === undefined || before.endpoint === endpoint)
      return before ?? this.#add(shared, endpoint, quota, now);
    if (!before.isEach && before.remaining !== undefined && remaining !== undefined) {
      const [passed, most] = [now - before.at, Math.max(windowMs, 1)];
      const grown = before.remaining + (limit * passed) / most + limit / 10 + 2;
      if (passed < soon * most && remaining > grown) before.isEach = true;
    }
    if (!before.isEach) {
      before.endpoint = undefined;
      return before;
    }
    before.endpoint ??= endpoint;
    if (before.endpoint === endpoint) return before;
    const own = `${shared}/${endpoint}`;
    return this.#policies.get(own) ?? this.#add(own, endpoint, quota, now);
  }

  #add(key: string, endpoint: string, { limit = 0, windowMs = 0 }: Quota, now: number): Policy | undefined {
    if (this.#policies.size >= mostPolicies) return undefined;
    const isRate = limit > 0 && windowMs > 0 && windowMs <= longestWindowMs;
    const policy: Policy = {
      ...{ perSecond: isRate ? (limit * 1000) / windowMs : Infinity, endpoint },
      ...{ isEach: false, remaining: undefined, at: now, holdUntil: 0 },
    };
    this.#policies.set(key, policy);
    return policy;
  }
}
