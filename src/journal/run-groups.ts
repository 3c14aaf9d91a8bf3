import type { IsDead, LeaseOwner } from './run-entry.ts';

/** What all runs of a group together may use. */
export interface Budget {
  /** Accounts at the same time. */
  readonly concurrency: number;
  /** Accounts in process at the same time. */
  readonly processConcurrency: number;
  /** Requests per second; null: no limit. */
  readonly rate: number | null;
}

/** A run that wants to share its book with others. */
export interface JoinOrder {
  readonly platform: string;
  /** Identifies the contents of the export and its mapping, wherever they are. */
  readonly book: string;
  /** The location of the export, and of its fixes, if no other run of the group has begun before. */
  readonly place: string;
  readonly fixes: readonly string[];
  readonly run: number;
  readonly owner: LeaseOwner;
  readonly leaseMs: number;
  readonly budget: Budget;
}

export interface Joined {
  readonly group: number;
  readonly runner: number;
  /** The locations under which all runs of the group record accounts. */
  readonly place: string;
  readonly fixes: readonly string[];
}

/** What a runner did since its last turn, and what it knows. */
export interface TurnReport {
  readonly leaseMs: number;
  /** Partitions that it gives to others: it drives no account of them. */
  readonly given: readonly number[];
  /** Partitions whose accounts it has all driven, with what it counted: JSON with the number of `accounts`. */
  readonly passed: readonly { readonly number: number; readonly result: string }[];
  /** Runners whose renewals it has missed for long enough to judge their leases by the server's clock. */
  readonly silent: readonly number[];
  /** The most that it uses from now on. */
  readonly uses: Budget;
  /** It has no account that could be driven now: its part of the budget is for the others. */
  readonly isIdle: boolean;
  /** What it knows about the platform: JSON. */
  readonly heard: string;
  /** Why the whole group is to stop. */
  readonly stopped?: GroupStop | undefined;
}

export interface GroupStop {
  readonly reason: string;
  readonly detail: string;
}

/** A runner as the group sees it. */
export interface RunnerSeen {
  readonly runner: number;
  readonly run: number;
  readonly owner: LeaseOwner;
  /** Milliseconds since the epoch by the clock of the journal. */
  readonly since: number;
  readonly expiresAt: number;
  readonly heard: string;
  /** The number of partitions that it has, except those that are done. */
  readonly partitions: number;
}

export interface Turn {
  /** The partitions that this runner has now, except those that are done. */
  readonly held: readonly number[];
  /** How many of them it has more than its share, while another runner has fewer. */
  readonly surplus: number;
  /** How many it is going to have. */
  readonly share: number;
  /** Whether every partition of the book was passed. */
  readonly isDone: boolean;
  /** The sum of `accounts` in the results of the partitions that were passed. */
  readonly passedAccounts: number;
  /** The most that it may use. */
  readonly granted: Budget;
  /** All runners of the group, this one too. */
  readonly runners: readonly RunnerSeen[];
  readonly stopped?: GroupStop | undefined;
}

/**
 * Runs of one book that share its work: its accounts are divided into partitions (domain/account-key.ts), each of which has at most one runner
 * at a time. Only an engine that several machines reach has groups.
 *
 * While a journal has joined, it writes only about accounts of partitions that its last turn left it; other writes reject with
 * LeaseLost. So does every write after another runner has taken this one over.
 */
export interface RunGroups {
  /** Joins the group of this book on this platform, or begins one. */
  join(order: JoinOrder, isDead: IsDead): Promise<Joined>;
  /** Renews the runner's lease, and exchanges what changed. Rejects with LeaseLost if it was taken over. */
  turn(joined: Joined, report: TurnReport, isDead: IsDead): Promise<Turn>;
  /** These partitions are to be passed once more; without effect while one of the group is not passed. */
  reopen(joined: Joined, numbers: readonly number[]): Promise<void>;
  /** What was counted in each partition that was passed. */
  results(joined: Joined): Promise<readonly string[]>;
  /** The runners of all groups whose leases have not ended, by their runs. */
  living(): Promise<readonly RunnerSeen[]>;
  /** The runs of the group that this run belonged to, this one too; none if it shared no book. */
  runsWith(run: number): Promise<readonly number[]>;
  /** Gives up the runner's partitions; the last one gives up the suppliers that the group holds. */
  leave(joined: Joined): Promise<void>;
}
