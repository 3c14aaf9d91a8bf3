import type { ExtraStepName } from '../../domain/steps.ts';
import type { PartEntry } from '../../journal/journal.ts';
import type { AccountRun } from '../account/account-run.ts';
import type { RunContext } from '../run/context.ts';
import type { PartPolicy } from '../request/part.ts';
import type { Settings } from '../settings.ts';
import { ItemList } from './item-list.ts';
import { itemsDelivery } from './items.ts';
import { outstandingPayloads, payloadsDelivery } from './payloads.ts';
import type { RemainingWork, PlanToSend } from './recorded-parts.ts';
import type { Delivery } from './witness.ts';
import { stepOf } from './step-table.ts';

/** Sends the pending parts of a step that adds to an account. What it leaves to a person is recorded at once. */
export function deliveryOf(context: RunContext, run: AccountRun, name: ExtraStepName): Delivery {
  const step = stepOf(name, context.settings);
  return step.kind === 'items' ? itemsDelivery(context, run, step) : payloadsDelivery(context, run, step);
}

/** The address in the journal of a part of a step that may have been sent, or may be. */
export interface OpenPart {
  readonly part: number;
  readonly hash: string;
  readonly money?: string | undefined;
  readonly prints?: string | undefined;
  readonly prior?: PartEntry;
}

/** The guarantees of a step's requests that are to be sent. */
export function policiesOf(
  name: ExtraStepName,
  plan: PlanToSend,
  parts: readonly PartEntry[],
  settings: Settings,
): readonly PartPolicy[] {
  const step = stepOf(name, settings);
  if (step.kind === 'payloads') {
    const all = () => plan.extras[name];
    const { requests } = outstandingPayloads(step, plan, parts);
    return requests.map(({ request }) => step.policy(() => all()[request] ?? {}, all));
  }
  const list = new ItemList(step, plan, parts);
  return list.outstanding().requests.map((range) => step.policy(list.sentIn(range)));
}

/** The open parts of a step that the platform would not recognise if they were sent twice. */
export function unrepeatableParts(
  name: ExtraStepName,
  plan: PlanToSend,
  parts: readonly PartEntry[],
  settings: Settings,
): readonly OpenPart[] {
  const step = stepOf(name, settings);
  if (step.kind === 'payloads') {
    const all = () => plan.extras[name];
    return outstandingPayloads(step, plan, parts)
      .requests.filter(({ request }) => step.policy(() => all()[request] ?? {}, all).isRecognised !== true)
      .map(({ number, ...waiting }) => ({ ...waiting, part: number }));
  }
  const list = new ItemList(step, plan, parts);
  return list
    .outstanding()
    .requests.filter((range) => step.policy(list.sentIn(range)).isRecognised !== true)
    .map((range) => ({ ...range, ...(range.ready ?? list.requestOf(range)), part: list.numberOf(range) }));
}

/** The parts of a step that are not known to be done, refused or left to a person. */
export function openParts(
  name: ExtraStepName,
  plan: PlanToSend,
  parts: readonly PartEntry[],
  settings: Settings,
): readonly OpenPart[] {
  const step = stepOf(name, settings);
  if (step.kind === 'payloads') {
    const { requests, failed } = outstandingPayloads(step, plan, parts);
    return [...requests.map(({ number, ...waiting }) => ({ ...waiting, part: number })), ...failed];
  }
  const list = new ItemList(step, plan, parts);
  const { requests, failed } = list.outstanding();
  const waiting = requests.map((range) => ({
    ...range,
    ...(range.ready ?? list.requestOf(range)),
    part: list.numberOf(range),
  }));
  return [...waiting, ...failed];
}

/** What `deliveryOf` would send; `parts`: everything that was sent of the account before. */
export function outstandingOf(
  name: ExtraStepName,
  plan: PlanToSend,
  parts: readonly PartEntry[],
  settings: Settings,
): RemainingWork<unknown> {
  const step = stepOf(name, settings);
  return step.kind === 'items'
    ? new ItemList(step, plan, parts).outstanding()
    : outstandingPayloads(step, plan, parts);
}
