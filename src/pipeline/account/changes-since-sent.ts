import { accountPayload } from '../../contract/schemas/account.ts';
import { changedAfterImport, noLongerInExport } from '../../domain/shared-codes.ts';
import { extraStepNames, isExtraStep, type ExtraStepName, type StepName } from '../../domain/steps.ts';
import type { AccountEntry, PartEntry } from '../../journal/journal.ts';
import type { AccountPlan } from '../../mapping/plan.ts';
import type { Cutting } from '../settings.ts';
import { ItemList } from '../steps/item-list.ts';
import type { ItemsStep } from '../steps/items-step.ts';
import { outstandingPayloads } from '../steps/payloads.ts';
import { changedPaths } from '../steps/recorded-parts.ts';
import type { StepResult } from '../steps/step-result.ts';
import { itemsStepOf } from '../steps/step-table.ts';
import { wasCreatedFrom } from './standing.ts';

/**
 * Something of an account's data that is not as it was sent. `changed`: it was sent with another value. `added`: it was
 * not sent. `gone`: a record that was sent is not there as it was sent.
 */
export interface ChangeSinceSent {
  readonly is: 'changed' | 'added' | 'gone';
  readonly step: StepName;
  /** Which of the step's payloads, from zero. */
  readonly request: number;
  /** The field in that payload; that of the record, or '', where the journal does not show which field. */
  readonly path: string;
}

/**
 * What differs between an account's data now and what was sent of it, as far as the journal's prints show; found without a
 * request. None for an account that was not created, or of which nothing was sent. A field has six bits there, so that one
 * change of 64 is not among them.
 */
export function changesSinceSent(
  plan: Pick<AccountPlan, 'key' | 'payload' | 'extras' | 'minorUnits'>,
  payloadHash: string,
  { parts, steps }: Pick<AccountEntry, 'parts' | 'steps'>,
  cutting: Cutting,
): readonly ChangeSinceSent[] {
  const created = parts.filter(({ step }) => step === 'process');
  if (steps.process !== 'done' || created.length === 0) return [];
  const own = wasCreatedFrom({ parts }, payloadHash)
    ? []
    : changedPaths(created, plan.payload, accountPayload).map((path): ChangeSinceSent => ({
        is: 'changed',
        step: 'stage',
        request: 0,
        path,
      }));
  return [...own, ...extraStepNames.flatMap((step) => changesOf(step, plan, parts, cutting))];
}

/** Whether a record of a step is there as it was sent, where `changesSinceSent` finds one that is gone. */
export function keepsRecords(
  step: StepName,
  plan: Pick<AccountPlan, 'key' | 'extras' | 'minorUnits'>,
  parts: readonly PartEntry[],
  cutting: Cutting,
): boolean {
  if (!isExtraStep(step)) return true;
  const items = itemsStepOf(step, cutting);
  // A payload is gone only if all others are as they were sent.
  return items === undefined ? plan.extras[step].length > 0 : new ItemList(items, plan, parts).hasSent();
}

function changesOf(
  step: ExtraStepName,
  plan: Pick<AccountPlan, 'key' | 'extras' | 'minorUnits'>,
  parts: readonly PartEntry[],
  cutting: Cutting,
): readonly ChangeSinceSent[] {
  if (plan.extras[step].length === 0 && parts.every((part) => part.step !== step)) return [];
  const items = itemsStepOf(step, cutting);
  if (items !== undefined) return changedItems(items, plan, parts);
  const { requests, results } = outstandingPayloads({ step }, plan, parts);
  const fresh = requests.filter(({ prior }) => prior === undefined);
  return [
    ...toldBy(results, step),
    ...fresh.map(({ request }): ChangeSinceSent => ({ is: 'added', step, request, path: '' })),
  ];
}

function changedItems(
  items: ItemsStep,
  plan: Pick<AccountPlan, 'key' | 'extras' | 'minorUnits'>,
  parts: readonly PartEntry[],
): readonly ChangeSinceSent[] {
  const { step, array } = items;
  const list = new ItemList(items, plan, parts);
  const { requests, results, recognised } = list.outstanding();
  const told = toldBy(results, step);
  const fresh = requests.filter(({ prior }) => prior === undefined);
  // An entry without prints may have each of them: which is new is not known.
  if (recognised.length > 0) return [...told, { is: 'changed', step, request: 0, path: array }];
  const indexes = fresh.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, at) => from + at));
  return [...told, ...indexes.flatMap((index) => changedItem(list, index, items))];
}

function changedItem(list: ItemList, index: number, { step, array }: ItemsStep): readonly ChangeSinceSent[] {
  if (!list.wasSentOtherwise(index)) return [{ is: 'added', step, request: 0, path: `${array}.${index}` }];
  return list.changedPaths(index).map((path) => ({ is: 'changed', step, request: 0, path }));
}

/** What a step says of changes without a request. */
function toldBy(results: readonly StepResult[], step: StepName): readonly ChangeSinceSent[] {
  return results.flatMap(({ problems }) =>
    problems.flatMap(({ code, path, request = 0 }): ChangeSinceSent[] => {
      if (code === changedAfterImport) return [{ is: 'changed', step, request, path }];
      return code === noLongerInExport ? [{ is: 'gone', step, request, path }] : [];
    }),
  );
}
