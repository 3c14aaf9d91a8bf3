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

/**
 * The state of one part of a step. A step is sent in one or more parts: a chunk of notes, a ledger's billing
 * documents, a single statement. A part without an entry in the journal is waiting.
 *
 * - `sent`: the intent is recorded and no outcome: in flight, or of unknown effect after a crash or a lost answer
 * - `done`: its effect is on the platform
 * - `refused`: the platform refused it; sending the same again is pointless
 * - `failed`: known to have had no effect (never left, or throttled); can be sent again
 * - `uncertain`: its effect cannot be known; only a person's ruling changes that
 */
export const partStates = ['sent', 'done', 'refused', 'failed', 'uncertain'] as const;

export type PartState = (typeof partStates)[number];
