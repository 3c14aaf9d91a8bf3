import { definedFields } from '../../domain/defined-fields.ts';
import { parseJson, stringifyJson, type JsonObject } from '../../domain/json.ts';
import type { Problem } from '../../domain/problem.ts';
import { extraStepNames, ofEachExtraStep, type ExtraStepName } from '../../domain/steps.ts';
import type { AccountPlan } from '../../mapping/plan.ts';
import { checkedProblems, readProblems } from '../../pipeline/check/preflight.ts';
import { printOf } from '../../pipeline/hash.ts';
import type { AheadPlan } from '../../pipeline/account/forecast.ts';
import { extrasOf } from '../worker/read-extras.ts';
import { isTaken } from '../../pipeline/run/account-filter.ts';
import type { AccountRules } from './check-account.ts';

/** An account for a forecast of its run, in a form that another thread can be given. */
export interface PlannedAccount extends Pick<AccountPlan, 'key' | 'ignoredRows' | 'rows' | 'minorUnits'> {
  /** The problems of reading and mapping it, and those of its payloads. */
  readonly problems: { readonly read: readonly Problem[]; readonly checked: readonly Problem[] };
  readonly notOffered: readonly ExtraStepName[];
  readonly print: AheadPlan['print'];
  /** The payloads of each further step that has any, as a JSON array. */
  readonly texts: readonly (readonly [ExtraStepName, string])[];
}

/** Of an account that is not planned, only its key and its rows are looked at. */
export function plannedAccount(
  plan: AccountPlan,
  { rules, supplier, accounts }: AccountRules,
): PlannedAccount {
  const { key, ignoredRows, rows, minorUnits, extras, notOffered } = plan;
  // The journal may know whose account it is if its data names no supplier.
  if (key.supplier !== '' && !isTaken(key, { supplier, accounts })) return { ...untaken, key, ignoredRows };
  const texts = ofEachExtraStep((step) => stringifyJson([...extras[step]]));
  return {
    ...{ key, ignoredRows },
    ...definedFields({ rows, minorUnits }),
    problems: { read: readProblems(plan, rules), checked: checkedProblems(plan, rules) },
    notOffered: [...(notOffered?.keys() ?? [])],
    print: printOf(
      plan,
      extraStepNames.map((step) => texts[step]),
    ),
    texts: extraStepNames.filter((step) => extras[step].length > 0).map((step) => [step, texts[step]]),
  };
}

const untaken = {
  problems: { read: [], checked: [] },
  notOffered: [],
  print: { payloadBody: '', payloadHash: '', planHash: '' },
  texts: [],
};

/** The same for the forecast; what it shares with other accounts is among its problems, where a run has it. */
export function aheadPlan(
  { texts, problems: { read, checked }, ...planned }: PlannedAccount & Pick<AccountPlan, 'fix'>,
  shared: readonly Problem[],
): AheadPlan & Pick<AccountPlan, 'fix'> & Pick<PlannedAccount, 'notOffered'> {
  const byStep = new Map(texts);
  return {
    ...planned,
    problems: [...read, ...shared, ...checked],
    isPlanned: (step) => byStep.has(step),
    extras: extrasOf((step) => parseJson(byStep.get(step) ?? '[]') as readonly JsonObject[]),
  };
}
