import type { Config } from '../config/load-config.ts';
import type { RunChoices } from './pipeline-settings.ts';
import type { OpenHours } from './run-hours.ts';

/** What a run is to do. Relative paths start from the working directory. */
export interface RunRequest extends RunChoices {
  /** Export directory, or one file. */
  readonly path: string;
  /** Directories whose accounts replace the same accounts of the export; the last one wins. */
  readonly with?: readonly string[];
  readonly config: Config;
  readonly hours: OpenHours;
  /** Only these external account numbers. */
  readonly accounts?: ReadonlySet<string>;
  /** Read the export even if nothing has changed since a run left nothing to do in it. */
  readonly checksum?: boolean;
  /** Run even if rows could not be read and may belong to any account. */
  readonly skipUnreadable?: boolean;
  /** Directory in which document paths are looked up. */
  readonly documents?: string;
  /** File that every problem is written to, .csv or .ndjson. */
  readonly problems?: string;
  /** Directory that the rows of rejected accounts are copied to. */
  readonly rejects?: string;
  /** Whether the files of problems and rejects contain the values of the cells. */
  readonly values?: boolean;
  /** Whether files of another kind may be overwritten. */
  readonly force?: boolean;
  /** File that `accounts` came from. */
  readonly accountsFile?: string;
}
