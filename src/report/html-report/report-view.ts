import type { RunEntry, SupplierOverview } from '../../journal/journal.ts';
import type { StepName } from '../../domain/steps.ts';
import type { EmptyJournal } from '../empty-journal.ts';
import type { Survey } from './survey.ts';

/** The data of a report. */
export interface ReportView {
  /** Absent if the journal knows none. */
  readonly supplier?: string | undefined;
  /** The text to append to every suggested command: the flags of settings and journal, or ''. */
  readonly flags: string;
  /** The platform's address, or 'embedded'; absent if nothing was run. */
  readonly platformLabel?: string;
  /** The time of the report, in ms since the epoch. */
  readonly at: number;
  /** Times are shown in this zone (IANA name). */
  readonly timeZone: string;
  /** The tool's version. */
  readonly version: string;
  readonly overview?: SupplierOverview;
  /** Why there is no overview; default: `new`. */
  readonly empty?: EmptyJournal;
  /** Newest first. */
  readonly runs: readonly RunEntry[];
  /** Whether there are more runs than these. */
  readonly hasOlderRuns: boolean;
  readonly survey?: Survey | undefined;
  /** Steps whose endpoint the tenancy's contract does not have. */
  readonly notOffered?: readonly StepName[];
}
