import { checkPayload } from '../contract/preflight.ts';
import type { RuleContext, RuleLevel } from '../contract/rules/rule.ts';
import type { JsonObject } from '../domain/json.ts';
import type { PayloadProblem } from '../domain/problem.ts';
import type { StepName } from '../domain/steps.ts';
import { platformDate, type Desk } from './desk.ts';
import type { OperatorConfig } from './operator.ts';

/** What is wrong with a payload; warnings refuse nothing and are left out. */
export type PayloadCheck = (step: StepName, supplier: string, payload: JsonObject) => PayloadProblem[];

/** Checks payloads by the shared rules, with what the operator knows. */
export function createPayloadCheck(desk: Desk): PayloadCheck {
  let made: { operator: OperatorConfig; today: string; contexts: Map<string, RuleContext> } | undefined;

  const contextFor = (supplier: string): RuleContext => {
    const operator = desk.operator();
    const today = platformDate(desk);
    if (made?.operator !== operator || made.today !== today) made = { operator, today, contexts: new Map() };
    const known = Object.hasOwn(operator.suppliers, supplier) ? supplier : '';
    const context = made.contexts.get(known) ?? contextOf(operator, known, today);
    made.contexts.set(known, context);
    return context;
  };

  return (step, supplier, payload) =>
    checkPayload(step, payload, contextFor(supplier)).filter(({ severity }) => severity === 'error');
}

function contextOf(operator: OperatorConfig, supplier: string, today: string): RuleContext {
  const ledgers = operator.suppliers[supplier]?.ledgers;
  return {
    today,
    levels: new Map(Object.entries(operator.rules) as [string, RuleLevel][]),
    operationsTeams: new Set(operator.teams),
    ...(ledgers === undefined ? {} : { ledgerCodes: new Set(ledgers) }),
    ...(operator.productCodes === undefined ? {} : { productCodes: new Set(operator.productCodes) }),
  };
}
