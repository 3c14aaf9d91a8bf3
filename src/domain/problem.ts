import type { Cell } from './cell.ts';
import type { StepName } from './steps.ts';

export const severities = ['error', 'warning'] as const;

export type Severity = (typeof severities)[number];

/** A problem of a payload whose source is not known yet. */
export interface PayloadProblem {
  /** Machine-readable and stable, such as `invalid_phone_number`. Logic depends only on this. */
  readonly code: string;
  /**
   * Dotted path into the payload, array positions from zero, such as `customers.0.landline`; '' is the whole payload.
   */
  readonly path: string;
  /** For people; may change. */
  readonly detail: string;
  readonly severity: Severity;
  /**
   * The faulty value, for the person who fixes it: the text of a cell that cannot be converted, otherwise the value in the payload.
   * Written to files only on request, and shown for `unknown_value` and `row_not_mapped`. Never logged and never recorded.
   */
  readonly value?: string;
}

/** A problem of one account, traced to the cell that caused it if there is one. */
export interface Problem extends PayloadProblem {
  /** External account number; null if a problem of a file cannot be attributed to an account. */
  readonly account: string | null;
  /** The step whose payload the path is in; absent for problems of a file. */
  readonly step?: StepName;
  readonly cell?: Cell;
}
