/**
 * The state of a step of an account, over all its parts.
 *
 * - `none`: the account's plan has nothing for this step
 * - `pending`: not done yet
 * - `done`: everything of it is on the platform
 * - `refused`: the platform or the local check refused some of it
 * - `failed`: gave up after retries
 * - `uncertain`: the effect of some of it cannot be known
 */
export const stepStates = ['none', 'pending', 'done', 'refused', 'failed', 'uncertain'] as const;

export type StepState = (typeof stepStates)[number];
