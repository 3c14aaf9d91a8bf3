import type { StepName } from '../domain/steps.ts';
import type { MigrationEvent } from './events.ts';
import type { MigrationSettings } from './settings.ts';

/** Which export, how to read it, and who listens. Relative paths start from `cwd`. */
export interface ExportOptions {
  /** Export directory, or one file. */
  readonly export: string;
  /** Directories whose accounts take the place of the same accounts of the export; the last one wins. */
  readonly with?: readonly string[];
  /** Settings by the names of `.migraterc`; they win over the environment and the file. */
  readonly settings?: MigrationSettings;
  /** A `.migraterc` to read. None is read, nor looked for, where none is named. */
  readonly configFile?: string;
  /** The profile of that file, where it is not the one that the file names itself. */
  readonly profile?: string;
  /**
   * Environment variables: `MIGRATE_API_KEY` or `MIGRATE_TOKEN`, every other `MIGRATE_*`, proxies and OpenTelemetry.
   * The process's own environment is not looked at; give `process.env` where it is to count.
   */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The process's working directory where absent. */
  readonly cwd?: string;
  /** Look every document path up in this directory. */
  readonly documents?: string;
  /** Write every problem to this file, .csv or .ndjson. */
  readonly problems?: string;
  /** Copy the rows of rejected accounts to this directory, which must be new or empty. */
  readonly rejects?: string;
  /** Whether the files of problems and rejects carry what the cells hold. */
  readonly values?: boolean;
  /** Overwrite output files that are there and of another kind. */
  readonly force?: boolean;
  /**
   * Told of everything, at once and in order; it holds the work up while it lasts. What it throws ends the work in good
   * order, and is thrown by the call.
   */
  readonly onEvent?: (event: MigrationEvent) => void;
}

/** One run. */
export interface MigrationOptions extends ExportOptions {
  /** The platform's own dry run: creates nothing. */
  readonly dryRun?: boolean;
  /** Drive these steps alone. */
  readonly steps?: Iterable<StepName>;
  /** Take these external account numbers alone. */
  readonly accounts?: Iterable<string>;
  /** Stop after this many accounts; at least 1. */
  readonly limit?: number;
  /** Stop after so many rejected and failed accounts, or such a share of all that were driven (in percent). */
  readonly maxFailures?: { readonly count: number } | { readonly percent: number };
  /** Go on with accounts that the platform has though this journal did not create them. */
  readonly adopt?: boolean;
  /** Tell whether a finished export has changed by what its files hold, and not by their identity, size and times. */
  readonly checksum?: boolean;
  /** Run although rows could not be read and may belong to any account. */
  readonly skipUnreadable?: boolean;
  /** Aborted: no more accounts are begun, and requests in flight finish and are recorded. */
  readonly signal?: AbortSignal;
  /** Aborted: the run ends at once. The journal is right all the same. */
  readonly abortSignal?: AbortSignal;
}
