import { stringifyJson, type JsonObject } from '../../domain/json.ts';
import type { Problem } from '../../domain/problem.ts';
import { extraStepNames, type ExtraStepName, type StepName } from '../../domain/steps.ts';
import type { AccountPlan } from '../../mapping/plan.ts';
import { BodySizes } from '../request/body-sizes.ts';
import type { Cutting } from '../settings.ts';
import { itemsStepOf } from '../steps/step-table.ts';
import { traced } from './preflight.ts';

/**
 * A warning for each request of an account that the setting `bytesPerRequest` forbids, because it cannot be divided: a run does not send
 * it. `most`: in bytes; without it, nothing is known.
 */
export function tooLargeRequests(plan: AccountPlan, cutting: Cutting, most: number | undefined): Problem[] {
  if (most === undefined) return [];
  const sizes = new BodySizes(most);
  const problems: Problem[] = [];
  const weigh = (step: StepName, body: JsonObject, request: number, path: string): void => {
    const bytes = Buffer.byteLength(stringifyJson(body));
    if (bytes <= most) return;
    problems.push(traced(plan, step, { ...sizes.problem(bytes), path, severity: 'warning' }, request));
  };
  weigh('validate', plan.payload, 0, '');
  for (const step of extraStepNames)
    for (const [request, payload] of plan.extras[step].entries())
      for (const { body, path } of undivided(step, payload, cutting)) weigh(step, body, request, path);
  return problems;
}

/** What of a payload is sent in one request at least. */
function undivided(
  step: ExtraStepName,
  payload: JsonObject,
  cutting: Cutting,
): { readonly body: JsonObject; readonly path: string }[] {
  const array = itemsStepOf(step, cutting)?.array;
  const items = array === undefined ? undefined : payload[array];
  if (array === undefined || !Array.isArray(items)) return [{ body: payload, path: '' }];
  return items.map((item, at) => ({ body: { ...payload, [array]: [item] }, path: `${array}.${at}` }));
}
