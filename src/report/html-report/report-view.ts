import type { RunEntry, SupplierOverview } from '../../journal/journal.ts';
import type { Survey } from './survey.ts';

/** What a report is made of. */
export interface ReportView {
  /** Absent where the journal knows none. */
  readonly supplier?: string;
  /** What every command to be typed goes on with: the flags of settings and journal, or ''. */
  readonly flags: string;
  /** The platform's address, or 'embedded'; absent where nothing was run. */
  readonly platformLabel?: string;
  /** When it is made, in ms since the epoch. */
  readonly at: number;
  /** Times are shown in this zone (IANA name). */
  readonly timeZone: string;
  /** The tool's version. */
  readonly version: string;
  readonly overview?: SupplierOverview;
  /** Newest first. */
  readonly runs: readonly RunEntry[];
  /** There are more runs than these. */
  readonly hasOlderRuns: boolean;
  readonly survey?: Survey;
}
