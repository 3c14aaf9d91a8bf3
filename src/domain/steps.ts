/** The steps that create the account. */
export const creationSteps = ['validate', 'stage', 'process'] as const;

/** A step that adds to an existing account. */
interface ExtraStep {
  /** Its number in journals: never give a used number to another step. */
  readonly number: number;
  /** Its section in a mapping, and the stem of its file in an export (`notes.ndjson`). */
  readonly section: string;
  /** The payload's array that the section's elements fill; absent if each element is a payload of its own. */
  readonly array?: string;
  /** Whether its payloads carry amounts of money. */
  readonly hasAmounts?: true;
}

/**
 * The steps that add to an existing account, in the order in which they run. Whatever is listed by step derives from
 * this table. The other components have one table each, with what they need to know about a step:
 * `contract/extra-steps.ts`, `pipeline/steps/step-table.ts`, `platform/endpoints/table.ts` and
 * `generate/extra-records.ts`.
 */
export const extraSteps = {
  notes: { number: 4, section: 'notes', array: 'notes' },
  transactions: { number: 5, section: 'transactions', array: 'transactions', hasAmounts: true },
  agreements: { number: 6, section: 'historical_agreements' },
  'billing-documents': { number: 7, section: 'historical_billing_documents', hasAmounts: true },
  statements: { number: 8, section: 'historical_statements', array: 'statements', hasAmounts: true },
  'payment-instruction': { number: 9, section: 'payment_instructions' },
} as const;

export type ExtraStepName = keyof typeof extraSteps;

/** The name of a step's data in exports and mappings. */
export type SectionName = (typeof extraSteps)[ExtraStepName]['section'];

export const extraStepNames = Object.keys(extraSteps) as readonly ExtraStepName[];

/** A step's row of the table. */
export function extraStep(step: ExtraStepName): ExtraStep & { readonly section: SectionName } {
  return extraSteps[step];
}

/**
 * The steps of one account, in the order in which they run. The first three create the account, the others add its
 * history; each corresponds to one endpoint (interface, section 4).
 */
export const stepNames: readonly StepName[] = [...creationSteps, ...extraStepNames];

export type StepName = (typeof creationSteps)[number] | ExtraStepName;

export function isExtraStep(step: RequestStep): step is ExtraStepName {
  return Object.hasOwn(extraSteps, step);
}

/** A value for each step. */
export function ofEachStep<Value>(make: (step: StepName) => Value): Record<StepName, Value> {
  const each: Partial<Record<StepName, Value>> = {};
  for (const step of stepNames) each[step] = make(step);
  return each as Record<StepName, Value>;
}

/** A value for each step that adds to an account. */
export function ofEachExtraStep<Value>(make: (step: ExtraStepName) => Value): Record<ExtraStepName, Value> {
  const each: Partial<Record<ExtraStepName, Value>> = {};
  for (const step of extraStepNames) each[step] = make(step);
  return each as Record<ExtraStepName, Value>;
}

const spellings: ReadonlyMap<string, StepName> = new Map([
  ...stepNames.map((name): [string, StepName] => [name, name]),
  ...extraStepNames.map((name): [string, StepName] => [extraSteps[name].section.replaceAll('_', '-'), name]),
]);

/** Reads a step's name as a person writes it: any case, `_` for `-`, and the name of its data in an export. */
export function parseStepName(text: string): StepName | undefined {
  return spellings.get(text.trim().toLowerCase().replaceAll('_', '-'));
}

/** What a request is counted under: its step, or, for all steps that a profile adds, their common name. */
export type RequestStep = StepName | typeof addedSteps;

export const addedSteps = 'added';
