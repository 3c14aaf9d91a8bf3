import type { TransactionsQuery } from '../contract/schemas/transactions.ts';
import type { ImportKind } from '../domain/import-kind.ts';
import type { StepName } from '../domain/steps.ts';
import type { ScheduleSettings } from './steps/pending-tasks.ts';

/** The behaviour of a run: everything that configuration and flags decide for the pipeline. */
export interface Settings {
  /** Operations team of the create-account payload (interface, section 2.4). */
  readonly team: string;
  /** How accounts are imported. */
  readonly importKind: ImportKind;
  /** How a run waits for the platform's tasks (import v2). */
  readonly schedule: ScheduleSettings;
  /** Process with dry_run, and run nothing after it. */
  readonly dryRun: boolean;
  /** Steps that may run; an account with others in its plan stays unfinished. */
  readonly steps: ReadonlySet<StepName>;
  /** Adopt accounts that the platform has and this journal did not create. */
  readonly adopt: boolean;
  /** The most accounts at the same time; fewer run if the platform takes fewer; at least 1. */
  readonly concurrency: number;
  /** The most accounts in process at the same time (interface, section 8); absent: `concurrency`. */
  readonly processConcurrency?: number | undefined;
  /** The most requests per second; absent: as many as the platform takes. */
  readonly rate?: number | undefined;
  /** The number of accounts after which the run stops; absent: all. */
  readonly limit?: number | undefined;
  /** Rejected and failed accounts after which the run stops: a count, or a percentage of all accounts run. */
  readonly maxFailures?: { readonly count: number } | { readonly percent: number } | undefined;
  /** Keep the platform's messages of refusals, without the customer's data. Absent: yes. */
  readonly keepWords?: boolean;
  readonly requestSizes: RequestSizes;
  /** The most bytes in the body of a request; absent: as many as gateways take. */
  readonly bytesPerRequest?: number | undefined;
  readonly transactionsQuery: TransactionsQuery;
  readonly tenancy: Tenancy;
  readonly retry: RetrySettings;
  readonly patience: Patience;
  readonly timeouts: Timeouts;
}

/** What decides how the items of a step are divided into requests. */
export interface Cutting extends Pick<Settings, 'requestSizes' | 'transactionsQuery'> {
  readonly tenancy: Pick<Tenancy, 'statementsRefuseKnownIds'>;
}

/** The most items in one request. */
export interface RequestSizes {
  readonly notes: number;
  readonly transactions: number;
  readonly statements: number;
}

/** Behaviour that the interface leaves open and a tenancy decides. */
export interface Tenancy {
  /** Statement ids that the account has are refused, so a repeat is safe. */
  readonly statementsRefuseKnownIds: boolean;
  /** A repeated historical agreements request has no second effect. */
  readonly agreementsMayRepeat: boolean;
  /** A ledger refused as finalized after a lost answer counts as the effect of our own request. */
  readonly billingRefusalCountsAsOurs: boolean;
  /** A payment instruction answered with 500 had no effect, so a refusal of its repeat is final. */
  readonly paymentRefusalAfter500: boolean;
}

/** Exponential backoff with full jitter: a random wait up to min(cap, base * 2^n) ms. */
export interface RetrySettings {
  /** Attempts before a request's account is given up; at least 1. */
  readonly attempts: number;
  /** The same for 429, which means "later", not "broken". */
  readonly throttledAttempts: number;
  readonly baseMs: number;
  readonly capMs: number;
  /** The longest wait that a Retry-After header may set. */
  readonly retryAfterCapMs: number;
}

export interface Patience {
  /** How long a request whose answer was lost may still be under way. */
  readonly quietPeriodMs: number;
  /** Whether that is counted from the sending of the request; absent: from when its answer was given up. */
  readonly quietFrom?: 'sending';
  /** The time between two requests for the status while the platform answers IN_PROGRESS. */
  readonly statusPollMs: number;
  /** How long to wait for IN_PROGRESS to end before the account is `uncertain`. */
  readonly inProgressMs: number;
  /** How long new credentials must be refused, while nothing else is accepted, before that is believed. */
  readonly credentialsMs: number;
  /** How long to ask again where the platform denies what it has acknowledged. */
  readonly laggingMs: number;
  /** How long to wait for an unavailable platform before the run ends. */
  readonly unavailableMs: number;
}

/** Timeouts of the pipeline; those of a single request are the client's. */
export interface Timeouts {
  /**
   * One step of one account, from its first request to its end, with all retries. Time in which nothing of it may
   * leave (platform unavailable, no free place, rate used up) does not count.
   */
  readonly stepMs: number;
  /** The whole run; absent: no limit. */
  readonly runMs?: number;
}
