import type { ExtraStepName } from '../../domain/steps.ts';
import type { Cutting, Settings } from '../settings.ts';
import { agreements } from './agreements.ts';
import { billingDocuments } from './billing-documents.ts';
import type { ItemsStep } from './items-step.ts';
import { notes } from './notes.ts';
import { paymentInstruction } from './payment-instruction.ts';
import type { PayloadsStep } from './payloads.ts';
import { statements } from './statements.ts';
import { transactions } from './transactions.ts';

/** How a step keeps its guarantee: one whose payload is an array of items, or one whose payloads are sent whole. */
type StepRow =
  | { readonly items: (cutting: Cutting) => ItemsStep }
  | { readonly payloads: (settings: Settings) => PayloadsStep };

/** Each step that adds to an account, with its module. */
const stepTable: Readonly<Record<ExtraStepName, StepRow>> = {
  notes: { items: notes },
  transactions: { items: transactions },
  agreements: { payloads: agreements },
  'billing-documents': { payloads: billingDocuments },
  statements: { items: statements },
  'payment-instruction': { payloads: paymentInstruction },
};

/** How a step that adds to an account is sent. */
export function stepOf(name: ExtraStepName, settings: Settings): ItemsStep | PayloadsStep {
  const row = stepTable[name];
  return 'items' in row ? row.items(settings) : row.payloads(settings);
}

/** How the items of a step are divided into requests; undefined for a step whose payloads are sent whole. */
export function itemsStepOf(name: ExtraStepName, cutting: Cutting): ItemsStep | undefined {
  const row = stepTable[name];
  return 'items' in row ? row.items(cutting) : undefined;
}
