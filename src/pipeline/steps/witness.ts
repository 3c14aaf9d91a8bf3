import type { PartPolicy } from '../part.ts';

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

/** The requests of a step in that order, otherwise as they are. */
export function witnessesFirst<Request>(
  requests: readonly Request[],
  policyOf: (request: Request) => PartPolicy,
): readonly Request[] {
  if (requests.length < 2) return requests;
  const ranked = requests.map((request) => ({ request, rank: witnessRank(policyOf(request)) }));
  return ranked.sort((a, b) => a.rank - b.rank).map(({ request }) => request);
}
