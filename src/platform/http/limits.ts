/** How much, and how long, a sender may keep the platform busy; times in milliseconds. */
export interface HttpLimits {
  /** Longest body, in bytes. */
  readonly bodyBytes: number;
  /** Bodies under way, all together, in bytes. */
  readonly heldBytes: number;
  /** For a request's head. */
  readonly headMs: number;
  /** For all of a request. */
  readonly requestMs: number;
  /** Between bytes, in either direction, and between requests. */
  readonly silenceMs: number;
  /** The interval at which the two times above are checked. */
  readonly checkMs: number;
}

export const defaultHttpLimits: HttpLimits = {
  bodyBytes: 8 * 1024 * 1024,
  heldBytes: 128 * 1024 * 1024,
  headMs: 10_000,
  requestMs: 60_000,
  silenceMs: 120_000,
  checkMs: 1000,
};
