import type { PartPolicy } from '../request/part.ts';
import type { StepResult } from './step-result.ts';

/**
 * What a request's answer shows of the past. Of an account, and of a step, requests are sent in this order: if one bears witness
 * against the journal, the rest is not sent.
 *
 * - 0: the platform recognises what it has, and says so
 * - 1: it refuses what it has
 * - 2: nothing
 */
export function witnessRank({ bearsWitness = false, isRecognised = false }: PartPolicy): 0 | 1 | 2 {
  return bearsWitness ? (isRecognised ? 0 : 1) : 2;
}

/**
 * Sends what is pending of a step, and gives the result of all that was sent. `isWitnessesOnly`: only what bears witness; the rest
 * is sent when it is called again.
 */
export type Delivery = (isWitnessesOnly: boolean) => Promise<StepResult>;

/** Requests of a step that are still to be sent, in that order, otherwise as they are. */
export class WitnessesFirst<Request> {
  readonly #ranked: { readonly request: Request; readonly rank: number }[];

  constructor(requests: readonly Request[], policyOf: (request: Request) => PartPolicy) {
    this.#ranked = requests
      .map((request) => ({ request, rank: witnessRank(policyOf(request)) }))
      .sort((a, b) => a.rank - b.rank);
  }

  /** Takes the next one; undefined if there is none, or none that bears witness. */
  next(isWitnessesOnly: boolean): Request | undefined {
    const [first] = this.#ranked;
    if (first === undefined || (isWitnessesOnly && first.rank === 2)) return undefined;
    this.#ranked.shift();
    return first.request;
  }
}
