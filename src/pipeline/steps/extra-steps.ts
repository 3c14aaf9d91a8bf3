import type { ExtraStepName } from '../../domain/steps.ts';
import type { PartEntry } from '../../journal/journal.ts';
import type { AccountPlan } from '../../mapping/plan.ts';
import type { AccountRun } from '../account-run.ts';
import type { RunContext } from '../context.ts';
import type { Settings } from '../settings.ts';
import { agreements } from './agreements.ts';
import { billingDocuments } from './billing-documents.ts';
import { ItemList, type ItemsStep } from './item-list.ts';
import { deliverItems } from './items.ts';
import { notes } from './notes.ts';
import { paymentInstruction } from './payment-instruction.ts';
import { deliverPayloads, outstandingPayloads, type PayloadsStep } from './payloads.ts';
import { statements } from './statements.ts';
import type { Outstanding } from './recorded-parts.ts';
import type { StepResult } from './step-result.ts';
import { transactions } from './transactions.ts';

const steps: Readonly<Record<ExtraStepName, (settings: Settings) => ItemsStep | PayloadsStep>> = {
  notes,
  transactions,
  agreements,
  'billing-documents': billingDocuments,
  statements,
  'payment-instruction': paymentInstruction,
};

/** Sends what is outstanding of a step that adds to an account. */
export function deliverStep(context: RunContext, run: AccountRun, name: ExtraStepName): Promise<StepResult> {
  const step = steps[name](context.settings);
  return step.kind === 'items' ? deliverItems(context, run, step) : deliverPayloads(context, run, step);
}

/** What `deliverStep` would send; `parts`: all that was sent of the account before. */
export function outstandingOf(
  name: ExtraStepName,
  plan: AccountPlan,
  parts: readonly PartEntry[],
  settings: Settings,
): Outstanding<unknown> {
  const step = steps[name](settings);
  return step.kind === 'items'
    ? new ItemList(step, plan, parts).outstanding()
    : outstandingPayloads(step, plan, parts);
}
