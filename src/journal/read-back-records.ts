/** How an account compared when it was read back. No value of the account is kept. */
export interface AccountReading {
  readonly accountId: number;
  readonly pass: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** How many differences there were, and how many values that could not be read. */
  readonly differences: number;
  readonly hidden: number;
  /** What the reading cost, in points of the platform's budget. */
  readonly points: number;
}

/** Accounts of a supplier by how they compared at their latest reading. */
export interface ReadingCounts {
  readonly read: number;
  readonly differ: number;
  readonly notReadable: number;
  /** The latest reading, in ms since the epoch; undefined if there is none. */
  readonly latest: number | undefined;
}

/** The record of accounts that were read back from the platform. */
export interface ReadBackRecords {
  /**
   * The pass over a supplier's accounts that goes on for this selection, or a new one. A pass that ended, or with another
   * selection, is not continued.
   */
  begin(platform: string, supplier: string, selection: string, at: number): Promise<number>;
  end(pass: number, at: number): Promise<void>;
  note(reading: AccountReading): Promise<void>;
  /** The latest reading of an account; undefined if there is none. */
  latest(accountId: number): Promise<AccountReading | undefined>;
  /** The points of all readings since then (ms since the epoch). */
  pointsSince(at: number): Promise<number>;
  /** Examines all readings of the supplier. */
  counts(platform: string, supplier: string): Promise<ReadingCounts>;
}
