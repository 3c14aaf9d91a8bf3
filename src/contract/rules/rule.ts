import type { PayloadProblem, Severity } from '../../domain/problem.ts';

/** What the rules need to know beyond the payload. What is absent is not checked. */
export interface RuleContext {
  /** Today's date on the platform, YYYY-MM-DD. */
  readonly today: string;
  /** Codes that the platform knows; absent where that is not known here (local checks). */
  readonly operationsTeams?: ReadonlySet<string>;
  readonly ledgerCodes?: ReadonlySet<string>;
  readonly productCodes?: ReadonlySet<string>;
  /** Rules by their code: `off` does not report, `warning` reports and refuses nothing. */
  readonly levels: ReadonlyMap<string, RuleLevel>;
}

export type RuleLevel = Severity | 'off';

/** One business rule, named by its published code. */
export interface Rule<Payload> {
  readonly code: string;
  /** Where the payload breaks the rule: dotted paths and wording; none means it is kept. */
  check(payload: Payload, context: RuleContext): Iterable<Breach>;
}

export interface Breach {
  readonly path: string;
  /** For people, and without the customer's data: amounts and dates may be named, names and numbers not. */
  readonly detail: string;
}

/** Runs the rules over one well-formed payload. */
export function applyRules<Payload>(
  rules: readonly Rule<Payload>[],
  payload: Payload,
  context: RuleContext,
): PayloadProblem[] {
  const found: PayloadProblem[] = [];
  for (const rule of rules) {
    const level = context.levels.get(rule.code) ?? 'error';
    if (level === 'off') continue;
    for (const breach of rule.check(payload, context))
      found.push({ code: rule.code, severity: level, ...breach });
  }
  return found;
}
