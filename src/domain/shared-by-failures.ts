import type { AccountState } from './account-state.ts';

/** What accounts that ended alike have in common, as the run found that met them. */
export interface SharedByFailures {
  readonly state: AccountState;
  readonly code: string;
  /** The accounts of the group that were compared. */
  readonly accounts: number;
  /** Of the others, those that were compared. */
  readonly compared: number;
  /** What all of the group have, and none of the others. */
  readonly differences: readonly string[];
}
