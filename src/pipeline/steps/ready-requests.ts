import { stringifyJson } from '../../domain/json.ts';
import { ofEachExtraStep, type ExtraStepName } from '../../domain/steps.ts';
import type { AccountPlan } from '../../mapping/plan.ts';
import { wholeRequest, type ReadyRequest } from '../request/ready-request.ts';
import type { Cutting } from '../settings.ts';
import { ItemList } from './item-list.ts';
import type { ItemsStep } from './items-step.ts';
import { itemsStepOf } from './step-table.ts';

/** What a further step has to send, serialised once. */
export interface ReadyStep {
  /** All of its payloads as one JSON array. */
  readonly text: string;
  readonly requests: readonly ReadyRequest[];
}

export type ReadySteps = Readonly<Record<ExtraStepName, ReadyStep>>;

/** What each further step has to send. */
export function readySteps(plan: AccountPlan, cutting: Cutting): ReadySteps {
  const ready = (step: ExtraStepName): ReadyStep => {
    const payloads = plan.extras[step];
    if (payloads.length === 0) return nothing;
    const items = itemsStepOf(step, cutting);
    if (items !== undefined) return readyItems(items, plan);
    const requests = payloads.map((payload) => wholeRequest(step, payload, plan.minorUnits));
    return { text: `[${requests.map(({ body }) => body.toString()).join(',')}]`, requests };
  };
  return ofEachExtraStep(ready);
}

const nothing: ReadyStep = { text: '[]', requests: [] };

function readyItems(step: ItemsStep, plan: AccountPlan): ReadyStep {
  const list = new ItemList(step, plan, []);
  const requests = list.outstanding().requests.map((range) => list.requestOf(range));
  const [payload, ...others] = plan.extras[step.step];
  const [request, ...more] = requests;
  // Most payloads are one request, and in the text as that has them.
  const isAsSent =
    request !== undefined && more.length === 0 && others.length === 0 && list.isBodyOf(payload);
  return {
    text: isAsSent ? `[${request.body.toString()}]` : stringifyJson([...plan.extras[step.step]]),
    requests,
  };
}
