import type { RunEvent } from '../pipeline/run/run-events.ts';
import type { RunEnding } from '../report/ending.ts';

/** The events while an export is run or checked, in order. */
export type MigrationEvent =
  /** An event of a run; see each. `validateExport` emits only `problem`. */
  | RunEvent
  /** So many of `total` are done; `of` names one of them: `megabyte` while the export is read, then `account`. */
  | { readonly type: 'progress'; readonly of: string; readonly done: number; readonly total: number }
  /** A message for people, which may change; a warning is not to be missed. */
  | {
      readonly type: 'message';
      readonly level: 'detail' | 'info' | 'warning';
      readonly text: string;
    }
  /** The last event of a run that has begun, with what `runMigration` resolves to. */
  | { readonly type: 'ended'; readonly ending: RunEnding };
