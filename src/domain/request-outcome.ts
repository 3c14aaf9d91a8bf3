/**
 * The outcome of a request. `unknown`: it left, and its effect is not known. `not-sent`: it never left. All others:
 * an answer came.
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
