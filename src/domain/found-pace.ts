/** Rates that a platform was found to take, requests per second. */
export interface FoundPace {
  /** Of all requests; absent if there is none. */
  readonly perSecond?: number | undefined;
  /** Of endpoints that are limited by themselves, by step (`status`: questions). */
  readonly endpoints?: Readonly<Record<string, number>> | undefined;
}

/** Requests of a run that were answered so far. */
export interface AnsweredRequests {
  readonly accepted: number;
  /** Refused because there were too many, or by a gateway that was too busy. */
  readonly refused: number;
  /** Of these, the ones that were answered with 503, and may have been delivered. */
  readonly unclear: number;
}

/** Whether an answer is a refusal for the pace: 429, or a 503 of something on the way. */
export function isTooMany({
  outcome,
  status,
}: {
  readonly outcome: string;
  readonly status?: number | undefined;
}): boolean {
  return outcome === 'throttled' || status === 503;
}

/** The pace of a run, at its end. */
export interface RunPace {
  /** The rate that was accepted, requests per second; null if no limit was found. */
  readonly acceptedPerSecond: number | null;
  /** Requests that were refused because there were too many. */
  readonly refused: number;
  /** Of these, the ones that a gateway answered with 503: whether it delivered them is not known. */
  readonly unclear: number;
}
