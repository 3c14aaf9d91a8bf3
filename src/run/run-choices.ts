/**
 * What a user chooses for the work on an export, on the command line and in a program. Relative paths start from the
 * working directory.
 */
export interface ExportChoices {
  /** Directories whose accounts replace the same accounts of the export; the last one wins. */
  readonly with?: readonly string[];
  /** Also use accounts of those directories that the export does not have. */
  readonly withNew?: boolean;
  /** Look up every document path in this directory. */
  readonly documents?: string;
  /** Write every problem to this file, .csv or .ndjson. */
  readonly problems?: string;
  /** Copy the rows of rejected accounts to this directory, new or empty, or to this new workbook (.xlsx). */
  readonly rejects?: string;
  /** Whether the files of problems and rejects contain the faulty values. */
  readonly values?: boolean;
  /** Whether a CSV of problems begins with a byte order mark. */
  readonly bom?: boolean;
  /** Overwrite output files of another kind. */
  readonly force?: boolean;
}

/** What a user chooses for a run. */
export interface RunChoices extends ExportChoices {
  /** Use the platform's own dry run: create nothing. */
  readonly dryRun?: boolean;
  /** Stop after this many accounts; at least 1. */
  readonly limit?: number;
  /** Stop after this many rejected and failed accounts, or this share of all accounts run (in percent). */
  readonly maxFailures?: { readonly count: number } | { readonly percent: number };
  /** Adopt accounts that the platform has and this journal did not create. */
  readonly adopt?: boolean;
  /** Compare a completed export by the contents of its files, not by their identity, size and times. */
  readonly checksum?: boolean;
  /** Run unattended even if the export shrank by more than `maxShrinkage`. */
  readonly acceptShrinkage?: boolean;
  /** Run unattended even if more than `maxChanged` of what was sent, or of a code table, has changed. */
  readonly acceptChanges?: boolean;
  /** Run even if rows could not be read and may belong to any account. */
  readonly skipUnreadable?: boolean;
}
