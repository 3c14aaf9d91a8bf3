import type { DocumentState } from '../../domain/document-directory.ts';
import type { PayloadProblem, Severity } from '../../domain/problem.ts';
import { warningCodes, type RuleCode } from '../rule-codes.ts';
import type { TenancyContract } from '../tenancy/contract.ts';
import { unlessUnread } from './guarded.ts';

/** What the rules need to know besides the payload. What is absent is not checked. */
export interface RuleContext {
  /** Today's date on the platform, YYYY-MM-DD. */
  readonly today: string;
  /** Codes that the platform knows; absent in local checks, which do not know them. */
  readonly operationsTeams?: ReadonlySet<string>;
  readonly ledgerCodes?: ReadonlySet<string> | undefined;
  readonly productCodes?: ReadonlySet<string> | undefined;
  /** Looks up a document path. */
  readonly documents?: ((path: string) => DocumentState) | undefined;
  /** What the tenancy publishes in addition to the interface. */
  readonly contract?: TenancyContract;
  /** Levels of the rules by their code: `off` does not report; `warning` reports, and does not stop the account. */
  readonly levels: ReadonlyMap<string, RuleLevel>;
}

/** Every rule at its default level, without knowledge of the platform's codes. `today` is YYYY-MM-DD. */
export function defaultRuleContext(today: string): RuleContext {
  return { today, levels: new Map() };
}

export type RuleLevel = Severity | 'off';

const warnings: ReadonlySet<string> = new Set(warningCodes);

/** The level of a rule: from the settings, otherwise its default. */
export function levelOf(code: RuleCode, levels: RuleContext['levels']): RuleLevel {
  return levels.get(code) ?? (warnings.has(code) ? 'warning' : 'error');
}

/**
 * Reports one violation: the dotted path of the field, and a message for people without the customer's data (amounts
 * and dates are allowed, names and numbers are not).
 */
export type Report = (path: string, detail: string) => void;

/** One business rule, named by its published code. */
export interface Rule<Subject> {
  readonly code: RuleCode;
  /**
   * Reports each place where the subject violates the rule. If values could not be read, the subject is guarded: use
   * `each` to check every element separately, so that one broken element hides no other.
   */
  readonly check: (subject: Subject, report: Report, context: RuleContext) => void;
}

/** Runs the rules over one subject, well-formed or guarded, and adds their problems. */
export function applyRules<Subject>(
  rules: readonly Rule<Subject>[],
  subject: Subject,
  context: RuleContext,
  found: PayloadProblem[],
): void {
  let current: Pick<PayloadProblem, 'code' | 'severity'> = { code: '', severity: 'error' };
  // One for all rules: an account passes some thirty, and breaks none.
  const report: Report = (path, detail) => void found.push({ ...current, path, detail });
  for (const { code, check } of rules) {
    const severity = levelOf(code, context.levels);
    if (severity === 'off') continue;
    current = { code, severity };
    try {
      check(subject, report, context);
    } catch (error) {
      unlessUnread(error);
    }
  }
}
