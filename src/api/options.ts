import type { ExportChoices, RunChoices } from '../run/run-choices.ts';
import type { StepName } from '../domain/steps.ts';
import type { MigrationEvent } from './events.ts';
import type { MigrationSettings } from './settings.ts';

/** Which export, how to read it, and who listens. Relative paths start from `cwd`. */
export interface ExportOptions extends ExportChoices {
  /** Export directory, .zip archive, or one file. */
  readonly export: string;
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
  /**
   * Receives every event synchronously and in order; the work waits for it. If it throws, the work stops in good
   * order, and the call throws the same exception.
   */
  readonly onEvent?: (event: MigrationEvent) => void;
}

/** One run. */
export interface MigrationOptions extends ExportOptions, RunChoices {
  /** Only these steps. */
  readonly steps?: Iterable<StepName>;
  /** Only these external account numbers. */
  readonly accounts?: Iterable<string>;
  /** Aborted: no more accounts are started, and requests in flight finish and are recorded. */
  readonly signal?: AbortSignal;
  /** Aborted: the run ends at once. The journal stays correct. */
  readonly abortSignal?: AbortSignal;
}
