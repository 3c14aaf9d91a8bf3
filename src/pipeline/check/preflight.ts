import { checkPayload } from '../../contract/preflight.ts';
import { guarded } from '../../contract/rules/guarded.ts';
import type { RuleContext } from '../../contract/rules/rule.ts';
import { checkAccountRules } from '../../contract/rules/account-rules.ts';
import { numberText, type JsonObject } from '../../domain/json.ts';
import { valueAt } from '../../domain/paths.ts';
import type { PayloadProblem, Problem } from '../../domain/problem.ts';
import {
  extraStepNames,
  isExtraStep,
  ofEachExtraStep,
  type ExtraStepName,
  type StepName,
} from '../../domain/steps.ts';
import type { AccountPlan } from '../../mapping/plan.ts';
import { inAccount } from './in-account.ts';

/**
 * All known problems of an account before a request is sent: those of reading and mapping, and those of the contract
 * and its rules for each payload and for all together. An unreadable value is reported once, and hides nothing that
 * does not depend on it. Each problem is traced to its cell.
 */
export function preflight(plan: AccountPlan, rules: RuleContext): Problem[] {
  return [...readProblems(plan, rules), ...checkedProblems(plan, rules)];
}

/** Those of reading and mapping alone. */
export function readProblems({ problems }: AccountPlan, rules: RuleContext): Problem[] {
  return problems.flatMap((problem) => leveled(problem, rules));
}

/** Those of the contract and its rules alone. */
export function checkedProblems(plan: AccountPlan, rules: RuleContext): Problem[] {
  const problems: Problem[] = [];
  const { payload, extras, unread } = plan;
  const accountProblems = checkPayload('validate', payload, rules, unread('validate', 0));
  for (const problem of accountProblems) problems.push(traced(plan, 'validate', problem));
  // Every payload repeats the identification: a problem in it is reported once.
  const told = new Set([
    ...(unread('validate', 0)?.values ?? []),
    ...accountProblems.map(({ path }) => path),
  ]);
  for (const step of extraStepNames)
    for (const [request, extra] of extras[step].entries())
      for (const problem of checkPayload(step, extra, rules, unread(step, request)))
        if (!isIdentification(problem.path) || !told.has(problem.path))
          problems.push(traced(plan, step, problem, request));
  for (const [step, payloads] of plan.notOffered ?? [])
    for (let request = 0; request < payloads; request += 1)
      for (const problem of checkPayload(step, {}, rules))
        problems.push(traced(plan, step, problem, request));
  const [account, others] = plan.isWhole ? [payload, extras] : guardedPayloads(plan);
  for (const { step, request, ...problem } of checkAccountRules(account, others, rules))
    problems.push(traced(plan, step, problem, request));
  return problems;
}

/** Warnings of the mapping have a level too; its errors cannot be turned off. */
function leveled(problem: Problem, { levels }: RuleContext): Problem[] {
  const level = problem.severity === 'warning' ? levels.get(problem.code) : undefined;
  if (level === 'off') return [];
  return [level === undefined ? problem : { ...problem, severity: level }];
}

/** The payloads in the form for rules that read several. */
function guardedPayloads({ payload, extras, unread }: AccountPlan): [JsonObject, AccountPlan['extras']] {
  const view = (step: StepName, whole: JsonObject, request: number): JsonObject => {
    const known = unread(step, request);
    return known === undefined ? whole : guarded<JsonObject>(whole, known);
  };
  const of = (step: ExtraStepName): readonly JsonObject[] =>
    extras[step].map((whole, request) => view(step, whole, request));
  return [view('validate', payload, 0), ofEachExtraStep(of)];
}

function isIdentification(path: string): boolean {
  return path === 'import_supplier' || path === 'external_account_number';
}

const blankRemedy =
  'Fill it in, or leave it out: trim: true under format in the mapping makes blank cells empty.';

/** A payload's problem with the cell of its path. */
export function traced(plan: AccountPlan, step: StepName, problem: PayloadProblem, request = 0): Problem {
  const value = problem.value ?? valueIn(step, problem.path, request, plan);
  const cell = plan.locate(step, problem.path, request);
  const detail = problem.code === 'blank' ? `${problem.detail} ${blankRemedy}` : problem.detail;
  return inAccount(plan.key, step, { ...problem, detail, value }, cell);
}

function valueIn(
  step: StepName,
  path: string,
  request: number,
  { payload, extras }: AccountPlan,
): string | undefined {
  const root = isExtraStep(step) ? extras[step][request] : payload;
  const value = root === undefined ? undefined : valueAt(root, path);
  return typeof value === 'boolean' ? String(value) : numberText(value);
}
