import { createHash } from 'node:crypto';
import { checkPayload } from '../contract/preflight.ts';
import type { RuleContext, RuleLevel } from '../contract/rules/rule.ts';
import type { JsonObject } from '../domain/json.ts';
import type { PayloadProblem } from '../domain/problem.ts';
import type { StepName } from '../domain/steps.ts';
import type { OperatorConfig } from './operator.ts';

/** The shared rules, with what the operator knows. */
export interface PayloadRules {
  /** What is wrong with a payload; warnings refuse nothing and are left out. */
  readonly check: (step: StepName, supplier: string, payload: JsonObject) => PayloadProblem[];
  /** Names what the rules of a supplier depend on: a payload that passed under the same name passes again. */
  readonly version: (supplier: string) => string;
}

interface Known {
  readonly context: RuleContext;
  readonly version: string;
}

export function createPayloadRules(operator: () => OperatorConfig, today: () => string): PayloadRules {
  let made: { operator: OperatorConfig; today: string; suppliers: Map<string, Known> } | undefined;

  const knownFor = (code: string): Known => {
    const now = { operator: operator(), today: today() };
    if (made?.operator !== now.operator || made.today !== now.today) made = { ...now, suppliers: new Map() };
    const supplier = Object.hasOwn(now.operator.suppliers, code) ? code : '';
    const known = made.suppliers.get(supplier) ?? knownOf(now.operator, supplier, now.today);
    made.suppliers.set(supplier, known);
    return known;
  };

  return {
    check: (step, supplier, payload) =>
      checkPayload(step, payload, knownFor(supplier).context).filter(({ severity }) => severity === 'error'),
    version: (supplier) => knownFor(supplier).version,
  };
}

function knownOf(operator: OperatorConfig, supplier: string, today: string): Known {
  const { rules, productCodes, teams, now } = operator;
  const ledgers = operator.suppliers[supplier]?.ledgers;
  const context: RuleContext = {
    today,
    levels: new Map(Object.entries(rules) as [string, RuleLevel][]),
    operationsTeams: new Set(teams),
    ...(ledgers === undefined ? {} : { ledgerCodes: new Set(ledgers) }),
    ...(productCodes === undefined ? {} : { productCodes: new Set(productCodes) }),
  };
  // The passing of days makes no payload wrong; a date that the operator sets back can.
  const text = JSON.stringify({ rules, productCodes, ledgers, now });
  return { context, version: createHash('sha256').update(text).digest('base64url').slice(0, 12) };
}
