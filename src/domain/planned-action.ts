/**
 * What a run would do with an account.
 *
 * - `new`: it was never run, and will be
 * - `changed`: the export or the mapping changed since it was run, and it is run again
 * - `unfinished`: work is left
 * - `done`: nothing is left to send
 * - `blocked`: not complete, and nothing will be sent: it needs a fix, a ruling, or other steps than those chosen
 */
export const plannedActions = ['new', 'changed', 'unfinished', 'done', 'blocked'] as const;

export type PlannedAction = (typeof plannedActions)[number];
