import type { StepName } from '../domain/steps.ts';
import type { MigrationEvent } from './events.ts';
import type { MigrationSettings } from './settings.ts';

/** Which export, how to read it, and who listens. Relative paths start from `cwd`. */
export interface ExportOptions {
  /** Export directory, .zip archive, or one file. */
  readonly export: string;
  /** Directories whose accounts replace the same accounts of the export; the last one wins. */
  readonly with?: readonly string[];
  /** Settings by the names of `.migraterc`; they override the environment and the file. */
  readonly settings?: MigrationSettings;
  /** A `.migraterc` to read. If none is named, none is read and none is searched for. */
  readonly configFile?: string;
  /** The profile of that file, if it is not the one that the file names itself. */
  readonly profile?: string;
  /**
   * Environment variables: `MIGRATE_API_KEY` or `MIGRATE_TOKEN`, every other `MIGRATE_*`, proxies and OpenTelemetry.
   * The process's own environment is ignored; pass `process.env` to use it.
   */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The process's working directory if absent. */
  readonly cwd?: string;
  /** Look up every document path in this directory. */
  readonly documents?: string;
  /** Write every problem to this file, .csv or .ndjson. */
  readonly problems?: string;
  /** Copy the rows of rejected accounts to this directory, which must be new or empty. */
  readonly rejects?: string;
  /** Whether the files of problems and rejects contain the values of the cells. */
  readonly values?: boolean;
  /** Overwrite output files of another kind. */
  readonly force?: boolean;
  /**
   * Receives every event synchronously and in order; the work waits for it. If it throws, the work stops in good
   * order, and the call throws the same exception.
   */
  readonly onEvent?: (event: MigrationEvent) => void;
}

/** One run. */
export interface MigrationOptions extends ExportOptions {
  /** Use the platform's own dry run: create nothing. */
  readonly dryRun?: boolean;
  /** Only these steps. */
  readonly steps?: Iterable<StepName>;
  /** Only these external account numbers. */
  readonly accounts?: Iterable<string>;
  /** Stop after this many accounts; at least 1. */
  readonly limit?: number;
  /** Stop after this many rejected and failed accounts, or this share of all accounts run (in percent). */
  readonly maxFailures?: { readonly count: number } | { readonly percent: number };
  /** Adopt accounts that the platform has and this journal did not create. */
  readonly adopt?: boolean;
  /** Compare a completed export by the contents of its files, not by their identity, size and times. */
  readonly checksum?: boolean;
  /** Run even if rows could not be read and may belong to any account. */
  readonly skipUnreadable?: boolean;
  /** Aborted: no more accounts are started, and requests in flight finish and are recorded. */
  readonly signal?: AbortSignal;
  /** Aborted: the run ends at once. The journal stays correct. */
  readonly abortSignal?: AbortSignal;
}
