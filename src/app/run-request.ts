import type { Config } from '../config/load-config.ts';
import type { StepName } from '../domain/steps.ts';
import type { Settings } from '../pipeline/settings.ts';
import type { ApprovedPlan } from './approved-plan.ts';
import type { OpenHours } from './run-hours.ts';

/** Which export to check or run, and where its findings go. Relative paths start from the working directory. */
export interface ExportRequest {
  /** Export directory, .zip archive, or one file. */
  readonly path: string;
  /** What it is called in messages and in the journal, if not by its path. */
  readonly name?: string | undefined;
  /** Directories whose accounts replace the same accounts of the export; the last one wins. */
  readonly with?: readonly string[] | undefined;
  readonly config: Config;
  /** Directory in which document paths are looked up. */
  readonly documents?: string | undefined;
  /** File that every problem is written to, .csv or .ndjson. */
  readonly problems?: string;
  /** Directory that the rows of rejected accounts are copied to. */
  readonly rejects?: string;
  /** Whether the files of problems and rejects contain the values of the cells. */
  readonly values?: boolean;
  /** Whether files of another kind may be overwritten. */
  readonly force?: boolean;
}

/** What a run is to do. */
export interface RunRequest extends ExportRequest {
  readonly hours: OpenHours;
  /** The accounts have to be as in this plan. */
  readonly approved?: ApprovedPlan | undefined;
  /** Use the platform's own dry run: create nothing. */
  readonly dryRun?: boolean;
  /** Adopt accounts that the platform has and this journal did not create. */
  readonly adopt?: boolean;
  /** Only these steps; absent: all. */
  readonly steps?: ReadonlySet<StepName> | undefined;
  /** Only these external account numbers; absent: all. */
  readonly accounts?: ReadonlySet<string> | undefined;
  /** File that `accounts` came from. */
  readonly accountsFile?: string | undefined;
  readonly limit?: Settings['limit'];
  readonly maxFailures?: Settings['maxFailures'];
  /** Read the export even if nothing has changed since a run left nothing to do in it. */
  readonly checksum?: boolean;
  /** Run even if rows could not be read and may belong to any account. */
  readonly skipUnreadable?: boolean;
}
