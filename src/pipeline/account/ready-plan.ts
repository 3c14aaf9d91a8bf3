import type { MinorUnits } from '../../contract/money.ts';
import type { AccountKey } from '../../domain/account-key.ts';
import type { Cell } from '../../domain/cell.ts';
import type { Fix } from '../../domain/fix.ts';
import type { Problem } from '../../domain/problem.ts';
import type { ExtraStepName, StepName } from '../../domain/steps.ts';
import type { RowsFound } from '../../journal/journal.ts';
import type { AccountPlan } from '../../mapping/plan.ts';
import type { PlanPrint } from '../hash.ts';
import type { ReadyRequest } from '../request/ready-request.ts';

/** What the journal has of an account whose rows have not changed. */
export type UnchangedRows = Extract<RowsFound, { is: 'unchanged' }>;

/** An account's plan, prepared for its first request: checked, serialised and fingerprinted. */
export interface ReadyPlan {
  readonly key: AccountKey;
  /** The source of its data, if not the export itself. */
  readonly fix?: Fix | undefined;
  /** Its data names no supplier: the key is that of an account for which a fix was sent. */
  readonly isUnnamed?: true;
  /**
   * The rows that it was made of; absent if they need not be recorded. `same`: the journal has it completed from exactly
   * these, `changed`: from others.
   */
  readonly rows?:
    | { readonly print: string; readonly mapping: string; readonly found: 'same' | 'changed' | 'unknown' }
    | undefined;
  /** It was recognised by its rows: the journal has it completed from them, and the rest of the plan is empty. */
  readonly unchanged?: UnchangedRows | undefined;
  /** What it keeps in memory, in bytes. */
  readonly bytes: number;
  /** All problems of the local checks (`preflight`). */
  readonly problems: readonly Problem[];
  readonly print: PlanPrint;
  /** Rows of it that the mapping excludes on purpose. */
  readonly ignoredRows: number;
  /** The amounts in the account payload, as written by `writeMoney`. */
  readonly money: string | undefined;
  /** The prints of the account payload's fields (steps/field-prints.ts). */
  readonly fields?: string | undefined;
  /** As in AccountPlan. */
  readonly minorUnits?: MinorUnits | undefined;
  /** Whether a step has any payload. */
  readonly isPlanned: (step: ExtraStepName) => boolean;
  /** What a step sends if nothing of it was sent before. */
  readonly requests: (step: ExtraStepName) => readonly ReadyRequest[];
  /** The payloads of the requests, parsed from their bodies on first use: many are never used. */
  readonly extras: AccountPlan['extras'];
  /** As in AccountPlan; may need a question to another thread. */
  locate(step: StepName, path: string, request?: number): Promise<Cell | undefined>;
  /** Call when nothing more will be asked of it. */
  close(): void;
}
