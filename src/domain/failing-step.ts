import type { StepName } from './steps.ts';

/** A step at which accounts failed while the platform answered others. */
export interface FailingStep {
  readonly step: StepName;
  /** Why, such as `http_500`. */
  readonly cause: string;
  /** Accounts that failed at it for this cause. */
  readonly failed: number;
  /** Accounts that passed it. */
  readonly passed: number;
  /** What all that failed have, and none of the `compared` accounts that passed. */
  readonly differences: readonly string[];
  readonly compared: number;
}
