import type { TransactionsQuery } from '../contract/schemas/transactions.ts';
import type { StepName } from '../domain/steps.ts';

/** How a run behaves: everything that configuration and flags decide for the pipeline. */
export interface Settings {
  /** Operations team of the create-account payload (interface, section 2.4). */
  readonly team: string;
  /** Process with dry_run, and nothing after it. */
  readonly dryRun: boolean;
  /** Steps that may be driven; an account with others in its plan stays unfinished. */
  readonly steps: ReadonlySet<StepName>;
  /** Go on with accounts that the platform has though this journal did not create them. */
  readonly adopt: boolean;
  /** Accounts side by side at most, of which as many are driven as the platform takes; at least 1. */
  readonly concurrency: number;
  /** Accounts in process at once at most (interface, section 8); absent: as many as `concurrency`. */
  readonly processConcurrency?: number;
  /** Requests per second at most; absent: as many as the platform takes. */
  readonly rate?: number;
  /** Accounts to drive before the run stops; absent: all. */
  readonly limit?: number;
  /** Rejected and failed accounts after which the run stops: a count, or a share of all driven in percent. */
  readonly maxFailures?: { readonly count: number } | { readonly percent: number };
  /** Keep what the platform says in refusals, without the customer's data. Absent: yes. */
  readonly keepWords?: boolean;
  readonly requestSizes: RequestSizes;
  readonly transactionsQuery: TransactionsQuery;
  readonly tenancy: Tenancy;
  readonly retry: RetrySettings;
  readonly patience: Patience;
  readonly timeouts: Timeouts;
}

/** Items in one request at most. */
export interface RequestSizes {
  readonly notes: number;
  readonly transactions: number;
  readonly statements: number;
}

/** What the interface leaves open and a tenancy decides. */
export interface Tenancy {
  /** Statement ids that the account has are refused, so a repeat is safe. */
  readonly statementsRefuseKnownIds: boolean;
  /** A repeated historical agreements request has no second effect. */
  readonly agreementsMayRepeat: boolean;
  /** A ledger refused after a lost answer counts as the effect of our own request. */
  readonly billingRefusalCountsAsOurs: boolean;
  /** A payment instruction answered with 500 had no effect, so that a refusal of its repeat is a refusal. */
  readonly paymentRefusalAfter500: boolean;
}

/** Exponential backoff with full jitter: a random wait up to min(cap, base * 2^n) ms. */
export interface RetrySettings {
  /** Times that a request is tried before its account is given up; at least 1. */
  readonly attempts: number;
  /** The same for 429, which says "later", not "broken". */
  readonly throttledAttempts: number;
  readonly baseMs: number;
  readonly capMs: number;
  /** The longest wait that a Retry-After header may ask for. */
  readonly retryAfterCapMs: number;
}

export interface Patience {
  /** How long a request whose answer was lost may still be under way before what must not meet it is sent. */
  readonly quietPeriodMs: number;
  /** That is counted from the sending of the request; absent: from when its answer was given up. */
  readonly quietFrom?: 'sending';
  /** Between two questions while the platform answers IN_PROGRESS. */
  readonly statusPollMs: number;
  /** How long IN_PROGRESS is waited out before the account is `uncertain`. */
  readonly inProgressMs: number;
  /** How long a platform that is dead is waited for before the run ends. */
  readonly unavailableMs: number;
}

/** Of what the pipeline does; those of a single request are the client's. */
export interface Timeouts {
  /**
   * One step of one account, from its first request to its end, with all repetitions. Time in which nothing of it may
   * leave (the platform is dead, no place is free, the rate is used up) does not count.
   */
  readonly stepMs: number;
  /** The whole run; absent: as long as it takes. */
  readonly runMs?: number;
}
