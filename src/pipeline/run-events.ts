import type { AccountState } from '../domain/account-state.ts';
import type { Problem } from '../domain/problem.ts';
import type { StepName } from '../domain/steps.ts';

/** An account that this run has finished with, durable in the journal. */
export interface AccountEnded {
  readonly type: 'account';
  readonly account: string;
  readonly supplier: string;
  readonly state: AccountState;
  /** Why, where it is not well: a machine code; '' otherwise. */
  readonly code: string;
  readonly krakenAccountNumber?: string;
  /** In a dry run: the platform would have imported it. */
  readonly wouldImport: boolean;
  /** False when there was nothing to do for it. */
  readonly driven: boolean;
}

/** What a run tells while it goes on. */
export type RunEvent =
  | AccountEnded
  | { readonly type: 'problem'; readonly problem: Problem }
  | {
      readonly type: 'retry';
      readonly account: string;
      readonly step: StepName;
      readonly cause: string;
      readonly waitMs: number;
    };

/**
 * Why a run ends before its work is done.
 *
 * - `interrupt`, `hours`, `limit`, `max-failures`: asked for; work is left
 * - `credentials`: the platform refuses them
 * - `unavailable`: the platform cannot be reached, or fails on every account
 * - `supplier-not-ongoing`: the import supplier is Paused or Complete (interface, section 3)
 * - `held`: another run holds this supplier
 * - `lease-lost`: another run has taken the supplier over
 * - `dry-run-ignored`: the platform created an account although dry_run was true
 */
export type StopReason =
  | 'interrupt'
  | 'hours'
  | 'limit'
  | 'max-failures'
  | 'credentials'
  | 'unavailable'
  | 'supplier-not-ongoing'
  | 'held'
  | 'lease-lost'
  | 'dry-run-ignored';
