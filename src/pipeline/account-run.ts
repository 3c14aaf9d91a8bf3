import type { AccountPlan } from '../mapping/plan.ts';
import type { AccountProgress } from './account-progress.ts';

/** One account on its way through the steps. */
export interface AccountRun {
  readonly plan: AccountPlan;
  readonly progress: AccountProgress;
  /** The account payload, serialised once for validate and stage. */
  readonly payloadBody: string;
  readonly payloadHash: string;
}
