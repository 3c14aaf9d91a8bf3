/**
 * What came of a request: `unknown` left, and whether it had its effect is not known; `not-sent` never left; of all
 * others an answer came.
 */
export const requestOutcomes = [
  'ok',
  'refused',
  'not-found',
  'throttled',
  'unauthorized',
  'not-sent',
  'unknown',
] as const;

export type RequestOutcome = (typeof requestOutcomes)[number];
