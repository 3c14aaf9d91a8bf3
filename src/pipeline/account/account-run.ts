import { SentValues } from '../../contract/sent-values.ts';
import { extraStepNames } from '../../domain/steps.ts';
import type { PartEntry } from '../../journal/journal.ts';
import type { AccountProgress } from './account-progress.ts';
import type { ReadyPlan } from './ready-plan.ts';

/** One account while it goes through the steps. */
export interface AccountRun {
  readonly plan: ReadyPlan;
  readonly progress: AccountProgress;
  /** The account payload, serialised once for validate and stage. */
  readonly payloadBody: string | Buffer;
  readonly payloadHash: string;
  /** What the platform is sent about it, in every step. */
  readonly sent: SentValues;
  /** Leaves to a person what of it cannot be repeated and was never sent, or is at risk. Recorded before any later write. */
  readonly holdBack: (isAtRisk?: (prior: PartEntry | undefined) => boolean) => Promise<void>;
}

/** What the platform is sent about an account, in every step. */
export function sentAbout({ print, requests }: ReadyPlan): SentValues {
  return new SentValues(() => [
    print.payloadBody,
    ...extraStepNames.flatMap((step) => requests(step).map(({ body }) => body)),
  ]);
}
