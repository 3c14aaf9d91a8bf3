import type { AccountState } from '../domain/account-state.ts';
import type { Problem } from '../domain/problem.ts';
import type { RequestOutcome } from '../domain/request-outcome.ts';
import type { StepName } from '../domain/steps.ts';

export type { RequestOutcome } from '../domain/request-outcome.ts';
export type { StopReason } from '../domain/stop-reason.ts';

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
  /** It is completed, and stays so; what the export has of it now was refused by a local check. */
  readonly isRefused?: true;
}

/**
 * An account that had ended, in this run or an earlier one, and of which something was found out since: it has another
 * number than was told, or its number may be another account's. Durable in the journal.
 */
export interface AccountRestated extends Pick<
  AccountEnded,
  'account' | 'supplier' | 'state' | 'code' | 'krakenAccountNumber'
> {
  readonly type: 'restated';
  /** The state that it had ended in. */
  readonly from: AccountState;
}

/** A request that was answered, or was not. */
export interface RequestEnded {
  readonly type: 'request';
  readonly account: string;
  readonly step: StepName;
  /** It asked how an account stands, and did nothing. */
  readonly isQuestion?: true;
  readonly outcome: RequestOutcome;
  /** HTTP status, where an answer came. */
  readonly status?: number;
  /** Why there is no answer that says anything. */
  readonly cause?: string;
  /** Milliseconds since the epoch, and until the answer. */
  readonly sentAt: number;
  readonly tookMs: number;
}

/**
 * Why no more requests are side by side.
 *
 * - `starting`: their number still rises
 * - `ceiling`: as many as configured
 * - `rate`: as often as configured
 * - `throttled`: the platform answers 429 to more
 * - `timeouts`: the platform does not answer in time
 * - `latency`: the platform answers later than it does when it is less pressed
 */
export type FlowReason = 'starting' | 'ceiling' | 'rate' | 'throttled' | 'timeouts' | 'latency';

/** Requests that share a limit. */
export interface LaneState {
  /** Side by side at most, now. */
  readonly limit: number;
  readonly reason: FlowReason;
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
  | AccountRestated
  | RequestEnded
  | { readonly type: 'problem'; readonly problem: Problem }
  | {
      readonly type: 'retry';
      readonly account: string;
      readonly step: StepName;
      readonly cause: string;
      readonly waitMs: number;
    }
  | {
      /** How fast the run goes now, and why. */
      readonly type: 'flow';
      /** All requests but those of `process`. */
      readonly requests: LaneState;
      /** Requests that create an account, whose number the platform may cap (interface, section 8). */
      readonly process: LaneState;
      /** Nothing is sent, as the platform is dead. */
      readonly isDead: boolean;
    }
  /**
   * The platform is dead: all accounts wait until it answers, for so long at most. One that has never answered is only
   * asked as often as one request is tried: no time is given then.
   */
  | { readonly type: 'outage'; readonly cause: string; readonly givesUpInMs?: number }
  /**
   * A step of all accounts is held: nothing in the interface explains five equal answers in a row. `looks`: their status and
   * the form of their bodies.
   */
  | { readonly type: 'held'; readonly step: StepName; readonly looks: string }
  /** The platform answers again, so long after it began to be silent. */
  | { readonly type: 'recovered'; readonly afterMs: number };
