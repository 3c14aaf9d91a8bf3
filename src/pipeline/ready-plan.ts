import type { AccountKey } from '../domain/account-key.ts';
import type { Cell } from '../domain/cell.ts';
import type { Problem } from '../domain/problem.ts';
import type { ExtraStepName, StepName } from '../domain/steps.ts';
import type { AccountPlan } from '../mapping/plan.ts';
import type { PlanPrint } from './hash.ts';

/** An account's plan with all that can be done before its first request: checked, serialised and fingerprinted. */
export interface ReadyPlan {
  readonly key: AccountKey;
  /** Everything that the local checks found (`preflight`). */
  readonly problems: readonly Problem[];
  readonly print: PlanPrint;
  /** What the account payload carries, as `writeMoney` has it. */
  readonly money: string | undefined;
  /** As in AccountPlan. */
  readonly extras: AccountPlan['extras'];
  /** Whether a step has any payload; asking does not read it, as asking for the payloads may. */
  readonly isPlanned: (step: ExtraStepName) => boolean;
  /** As in AccountPlan; it may have to be asked for on another thread. */
  locate(step: StepName, path: string, request?: number): Promise<Cell | undefined>;
  /** Nothing more will be asked of it. */
  close(): void;
}
