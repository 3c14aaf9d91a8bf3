import type { AccountState } from '../domain/account-state.ts';
import type { Problem } from '../domain/problem.ts';
import type { Answer } from '../client/platform-client.ts';
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

/** A request that was answered, or was not. */
export interface RequestEnded {
  readonly type: 'request';
  readonly account: string;
  readonly step: StepName;
  readonly outcome: Answer<unknown>['kind'];
  /** HTTP status, where an answer came. */
  readonly status?: number;
  /** Why there is no answer that says anything. */
  readonly cause?: string;
  /** Milliseconds since the epoch, and until the answer. */
  readonly sentAt: number;
  readonly tookMs: number;
}

/** What a run tells while it goes on. */
export type RunEvent =
  | {
      readonly type: 'begun';
      /** The journal's number of the run. */
      readonly run: number;
      /** The platform's address, or `embedded`. */
      readonly platform: string;
      readonly supplier?: string;
      readonly dryRun: boolean;
      /** Milliseconds since the epoch. */
      readonly at: number;
    }
  | AccountEnded
  | RequestEnded
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
