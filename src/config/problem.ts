/** What is wrong with the configuration. No value of it is ever repeated, as it may be a misplaced secret. */
export interface ConfigProblem {
  /** Where it was written: `FILE:LINE`, `MIGRATE_…` or `--flag`. */
  readonly where: string;
  /** What is wrong, and the remedy. */
  readonly detail: string;
}

/** The start cannot go on. */
export interface ConfigProblems {
  readonly problems: readonly ConfigProblem[];
}
