/** The steps that create the account. */
export const creationSteps = ['validate', 'stage', 'process'] as const;

/** The steps that add to an existing account. */
export const extraStepNames = [
  'notes',
  'transactions',
  'agreements',
  'billing-documents',
  'statements',
  'payment-instruction',
] as const;

export type ExtraStepName = (typeof extraStepNames)[number];

/**
 * The steps of one account, in the order in which they run. The first three create the account, the others add its
 * history; each corresponds to one endpoint (interface, section 4).
 */
export const stepNames: readonly [...typeof creationSteps, ...typeof extraStepNames] = [
  ...creationSteps,
  ...extraStepNames,
];

export type StepName = (typeof stepNames)[number];

export function isExtraStep(step: StepName): step is ExtraStepName {
  return (extraStepNames as readonly StepName[]).includes(step);
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
  ['historical-agreements', 'agreements'],
  ['historical-billing-documents', 'billing-documents'],
  ['historical-statements', 'statements'],
]);

/** Reads a step's name as a person writes it: any case, `_` for `-`, and the endpoints' longer names. */
export function parseStepName(text: string): StepName | undefined {
  return spellings.get(text.trim().toLowerCase().replaceAll('_', '-'));
}
