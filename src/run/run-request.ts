import type { Config } from '../config/load-config.ts';
import type { StepName } from '../domain/steps.ts';
import type { TypedOption } from '../domain/typed-options.ts';
import type { ApprovedPlan } from './approved-plan.ts';
import type { ExportChoices, RunChoices } from './run-choices.ts';
import type { OpenHours } from './run-hours.ts';

/** Which export to check or run, and where its findings go. */
export interface ExportRequest extends ExportChoices {
  /** Export directory, .zip archive, or one file. */
  readonly path: string;
  /** What it is called in messages and in the journal, if not by its path. */
  readonly name?: string | undefined;
  readonly config: Config;
}

/** What a run is to do. */
export interface RunRequest extends RunChoices, ExportRequest {
  readonly hours: OpenHours;
  /** Whether nobody is there to answer a question. */
  readonly unattended?: boolean;
  /** Options of the command line that the journal records; absent if there was none. */
  readonly typed?: readonly TypedOption[] | undefined;
  /** The accounts must be as in this plan. */
  readonly approved?: ApprovedPlan | undefined;
  /** Only these steps; absent: all. */
  readonly steps?: ReadonlySet<StepName> | undefined;
  /** Only these external account numbers; absent: all. */
  readonly accounts?: ReadonlySet<string> | undefined;
  /** File that `accounts` came from. */
  readonly accountsFile?: string | undefined;
}
