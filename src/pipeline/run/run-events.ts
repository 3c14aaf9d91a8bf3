import type { ChangeCause } from '../../domain/change-cause.ts';
import type { FoundPace } from '../../domain/found-pace.ts';
import type { AccountState } from '../../domain/account-state.ts';
import type { Problem } from '../../domain/problem.ts';
import type { BodyLimit } from '../../domain/request-too-large.ts';
import type { RequestOutcome } from '../../domain/request-outcome.ts';
import type { RequestStep } from '../../domain/steps.ts';

export type { RequestOutcome } from '../../domain/request-outcome.ts';
export type { StopReason } from '../../domain/stop-reason.ts';

/** An account that this run has finished, durable in the journal. */
export interface AccountEnded {
  readonly type: 'account';
  readonly account: string;
  readonly supplier: string;
  readonly state: AccountState;
  /** The reason if it did not end well: a machine code; '' otherwise. */
  readonly code: string;
  readonly krakenAccountNumber?: string;
  /** In a dry run: whether the platform would have imported it. */
  readonly wouldImport: boolean;
  /** False if there was nothing to do for it. */
  readonly driven: boolean;
  /** Whether its state stays although a local check refused its current data, or a fix replaced that and is not complete. */
  readonly isRefused?: true;
  /** Whether a fix replaced its current data. */
  readonly isSuperseded?: true;
  /** Why its data differs from what was sent; absent if that is not certain, or it does not differ. */
  readonly changedBy?: ChangeCause | undefined;
}

/**
 * An account that had ended, in this run or an earlier one, and about which something was found out since: it has
 * another number than reported, or its number may be another account's. Durable in the journal.
 */
export interface AccountRestated extends Pick<
  AccountEnded,
  'account' | 'supplier' | 'state' | 'code' | 'krakenAccountNumber'
> {
  readonly type: 'restated';
  /** The state that it had ended in. */
  readonly from: AccountState;
}

/** A request that was answered, or failed. */
export interface RequestEnded {
  readonly type: 'request';
  readonly account: string;
  readonly step: RequestStep;
  /** Whether it asked for an account's state, without any effect. */
  readonly isQuestion?: true | undefined;
  readonly outcome: RequestOutcome;
  /** HTTP status, if an answer came. */
  readonly status?: number | undefined;
  /** Why there is no meaningful answer. */
  readonly cause?: string | undefined;
  /** Milliseconds since the epoch, and the milliseconds until the answer. */
  readonly sentAt: number;
  readonly tookMs: number;
}

/**
 * What limits the concurrent requests.
 *
 * - `starting`: the limit still rises
 * - `ceiling`: the configured limit
 * - `rate`: the configured rate
 * - `throttled`: the platform answers 429 to more
 * - `timeouts`: the platform does not answer in time
 * - `latency`: the platform answers more slowly than with less load
 */
export type FlowReason = 'starting' | 'ceiling' | 'rate' | 'throttled' | 'timeouts' | 'latency';

/** Requests that share a limit. */
export interface LaneState {
  /** The current limit of concurrent requests. */
  readonly limit: number;
  readonly reason: FlowReason;
}

/** The events of a run. */
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
  /** The rows of an account are not those of an earlier run; they may say the same. */
  | { readonly type: 'changed'; readonly account: string; readonly supplier: string }
  /** So many accounts were completed from the same rows, and nothing is done about them. */
  | { readonly type: 'unchanged'; readonly accounts: number }
  /** So many accounts of a book that several runs may share were gone through, by whichever run. */
  | { readonly type: 'book'; readonly passed: number }
  /** A scheduled account has a status that no contract names: it is waited for (import v2). */
  | { readonly type: 'unknown-status'; readonly account: string; readonly status: string }
  /** What became of the items of a step that the profile adds, in this run or an earlier one. */
  | {
      readonly type: 'items';
      readonly step: string;
      readonly done: number;
      readonly refused: number;
      readonly failed: number;
      readonly uncertain: number;
      /** They wait for accounts that are not completed. */
      readonly waiting: number;
    }
  | { readonly type: 'problem'; readonly problem: Problem }
  | {
      readonly type: 'retry';
      readonly account: string;
      readonly step: RequestStep;
      readonly cause: string;
      readonly waitMs: number;
    }
  | {
      /** How fast the run is, and what limits it. */
      readonly type: 'flow';
      /** All requests except those of `process`. */
      readonly requests: LaneState;
      /** Requests that create an account, whose number the platform may cap (interface, section 8). */
      readonly process: LaneState;
      /** The rates that the platform was found to take, per second: of all requests, and of single endpoints. */
      readonly pace?: FoundPace;
      /** Whether nothing is sent because the platform is unavailable. */
      readonly isDead: boolean;
      /**
       * Set if all accounts that are left wait, because requests with lost answers may still be under way: when the first
       * one continues, in ms since the epoch.
       */
      readonly waitsUntil?: number;
      /** Set while nothing is sent because the platform refuses everything (429): for how long, in ms, and until when, in ms since the epoch. */
      readonly pause?: { readonly ms: number; readonly until: number };
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
  | { readonly type: 'held'; readonly step: RequestStep; readonly looks: string }
  /** What is known of the size of bodies has changed; undefined: none is known to be refused. */
  | { readonly type: 'body-limit'; readonly limit: BodyLimit | undefined }
  /** The platform answers again, so long after it began to be silent. */
  | { readonly type: 'recovered'; readonly afterMs: number };
