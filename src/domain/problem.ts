import type { Cell } from './cell.ts';
import type { StepName } from './steps.ts';

export const severities = ['error', 'warning'] as const;

export type Severity = (typeof severities)[number];

/** What is wrong with a payload, before it is known where the value came from. */
export interface PayloadProblem {
  /** Machine-readable and stable, such as `invalid_phone_number`. Logic depends on this alone. */
  readonly code: string;
  /** Dotted path into the payload, array positions from zero, such as `customers.0.landline`; '' is the whole. */
  readonly path: string;
  /** For people; may change. */
  readonly detail: string;
  readonly severity: Severity;
  /**
   * What the cell holds, for whoever fixes it: written to files on request alone, and for `unknown_value` and
   * `row_not_mapped` shown. Never logged and never recorded.
   */
  readonly value?: string;
}

/** A problem of one account, traced to the cell that caused it where there is one. */
export interface Problem extends PayloadProblem {
  /** External account number; null where a file's fault cannot be laid at one account's door. */
  readonly account: string | null;
  /** The step whose payload the path leads into; absent for faults of a file. */
  readonly step?: StepName;
  readonly cell?: Cell;
}
