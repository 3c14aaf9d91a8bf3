import type { AccountState } from '../../domain/account-state.ts';
import type { PartState, StepState } from '../../domain/step-state.ts';
import { extraSteps, ofEachExtraStep, ofEachStep, type StepName } from '../../domain/steps.ts';

/** The small integers that stand for names in a journal. */
export interface Codes<Name extends string> {
  readonly of: Readonly<Record<Name, number>>;
  /** Throws if the journal contains a number without a name. */
  name(code: number): Name;
}

function codes<Name extends string>(of: Readonly<Record<Name, number>>): Codes<Name> {
  const names = new Map((Object.entries(of) as [Name, number][]).map(([name, code]) => [code, name]));
  return {
    of,
    name(code) {
      const name = names.get(code);
      if (name === undefined) throw new Error(`The journal holds the code ${code}, which nothing has.`);
      return name;
    },
  };
}

// Journals contain these numbers: never give a used number to another name.

export const accountStates = codes<AccountState>({
  pending: 0,
  staged: 1,
  imported: 2,
  completed: 3,
  rejected: 4,
  failed: 5,
  uncertain: 6,
  skipped: 7,
  scheduled: 8,
});

export const partStates = codes<PartState>({ sent: 0, done: 1, refused: 2, failed: 3, uncertain: 4 });

export const stepStates = codes<StepState>({
  none: 0,
  pending: 1,
  done: 2,
  refused: 3,
  failed: 4,
  uncertain: 5,
});

export const steps = codes<StepName>({
  validate: 1,
  stage: 2,
  process: 3,
  ...ofEachExtraStep((step) => extraSteps[step].number),
});

/**
 * A step's state takes three bits of the packed states. Seventeen steps fit a number that JavaScript represents
 * exactly.
 */
const statesOfAStep = 8;

const placeOf = ofEachStep((step) => statesOfAStep ** (steps.of[step] - 1));

/** The code of one step's state within an account's packed states. */
export function stepStateIn(packed: number, step: StepName): number {
  return Math.floor(packed / placeOf[step]) % statesOfAStep;
}

export function withStepState(packed: number, step: StepName, state: number): number {
  return packed + (state - stepStateIn(packed, step)) * placeOf[step];
}

export function unpackSteps(packed: number): Record<StepName, StepState> {
  return ofEachStep((step) => stepStates.name(stepStateIn(packed, step)));
}
