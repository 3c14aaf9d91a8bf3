import type { AccountProgress } from './account-progress.ts';
import type { ReadyPlan } from './ready-plan.ts';

/** One account while it goes through the steps. */
export interface AccountRun {
  readonly plan: ReadyPlan;
  readonly progress: AccountProgress;
  /** The account payload, serialised once for validate and stage. */
  readonly payloadBody: string | Buffer;
  readonly payloadHash: string;
  /** Leaves to a person what of it cannot be repeated and was never sent. Recorded before any later write. */
  readonly holdBack: () => Promise<void>;
}
