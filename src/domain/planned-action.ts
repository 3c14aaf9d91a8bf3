/**
 * What a run would do with an account.
 *
 * - `new`: it was never driven, and will be
 * - `changed`: the export or the mapping changed since it was driven, and it is driven again
 * - `unfinished`: work is left
 * - `done`: nothing is left to send
 * - `blocked`: it is not complete, and nothing will be sent: it needs a fix or a ruling, or other steps than those chosen
 */
export const plannedActions = ['new', 'changed', 'unfinished', 'done', 'blocked'] as const;

export type PlannedAction = (typeof plannedActions)[number];
