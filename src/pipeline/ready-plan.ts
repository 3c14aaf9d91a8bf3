import type { AccountKey } from '../domain/account-key.ts';
import type { Cell } from '../domain/cell.ts';
import type { Fix } from '../domain/fix.ts';
import type { Problem } from '../domain/problem.ts';
import type { ExtraStepName, StepName } from '../domain/steps.ts';
import type { AccountPlan } from '../mapping/plan.ts';
import type { PlanPrint } from './hash.ts';
import type { ReadyRequest } from './ready-request.ts';

/** An account's plan with all that can be done before its first request: checked, serialised and fingerprinted. */
export interface ReadyPlan {
  readonly key: AccountKey;
  /** Where its data came from, if not from the export itself. */
  readonly fix?: Fix;
  /** What it keeps in memory, in bytes. */
  readonly bytes: number;
  /** Everything that the local checks found (`preflight`). */
  readonly problems: readonly Problem[];
  readonly print: PlanPrint;
  /** Rows of it that the mapping leaves out on purpose. */
  readonly ignoredRows: number;
  /** What the account payload carries, as `writeMoney` has it. */
  readonly money: string | undefined;
  /** Whether a step has any payload. */
  readonly isPlanned: (step: ExtraStepName) => boolean;
  /** What a step sends where nothing of it was sent before. */
  readonly requests: (step: ExtraStepName) => readonly ReadyRequest[];
  /** The payloads of the requests, read from their bodies when they are first asked for: many never are. */
  readonly extras: AccountPlan['extras'];
  /** As in AccountPlan; it may have to be asked for on another thread. */
  locate(step: StepName, path: string, request?: number): Promise<Cell | undefined>;
  /** Nothing more will be asked of it. */
  close(): void;
}
