/** A problem of the configuration. It never repeats a value, which may be a misplaced secret. */
export interface ConfigProblem {
  /** The place: `FILE:LINE`, `MIGRATE_…` or `--flag`. */
  readonly where: string;
  /** The problem and the remedy. */
  readonly detail: string;
}

/** Thrown if the start cannot continue. */
export interface ConfigProblems {
  readonly problems: readonly ConfigProblem[];
}
