import { stepNames, type StepName } from '../../../src/domain/steps.ts';
import type { StepState } from '../../../src/domain/step-state.ts';
import type { AccountChange, AccountEntry, Journal, PartEntry } from '../../../src/journal/journal.ts';

export const ruler = { at: 9, by: undefined };

export const part = (
  step: StepName,
  state: PartEntry['state'],
  more: Partial<PartEntry> = {},
): PartEntry => ({
  ...{ step, part: 0, attempt: 1, state, hash: 'h', run: 2, sentAt: 0 },
  ...more,
});

export interface Given extends Partial<Omit<AccountEntry, 'steps'>> {
  readonly steps?: Partial<Record<StepName, StepState>>;
  /** What was attempted before. */
  readonly attempts?: readonly PartEntry[];
  readonly runs?: readonly object[];
}

/** An account, and a journal that notes what is written. */
export function account({ steps, attempts = [], runs = [], ...more }: Given) {
  const written: string[] = [];
  const changes: AccountChange[] = [];
  const words = (...all: unknown[]) => all.filter((one) => one !== undefined && one !== '').join(' ');
  const journal = {
    settle: (ref: PartEntry, { state, outcome, at }: { state: string; outcome: string; at: number }) => {
      written.push(words(ref.step, ref.part, state, outcome, at));
      return Promise.resolve();
    },
    recordSent: (
      ref: PartEntry,
      intent: { hash: string; run: number; at: number; money?: string },
      { state, outcome }: { state: string; outcome: string },
    ) => {
      written.push(words(ref.step, ref.part, 'sent', intent.hash, intent.run, intent.money, state, outcome));
      return Promise.resolve();
    },
    setProblems: (_id: number, problems: unknown[]) => {
      written.push(`problems ${problems.length}`);
      return Promise.resolve();
    },
    change: (_id: number, change: AccountChange) => {
      changes.push(change);
      return Promise.resolve();
    },
    async *attempts() {
      await Promise.resolve();
      yield* attempts;
    },
    async *runs() {
      await Promise.resolve();
      yield* runs;
    },
  } as unknown as Journal;
  const none = Object.fromEntries(stepNames.map((step) => [step, 'none'])) as AccountEntry['steps'];
  const entry: AccountEntry = {
    ...{ id: 7, key: { supplier: 'S', account: '1' }, state: 'rejected', code: 'no', parts: [] },
    ...more,
    steps: { ...none, ...steps },
  };
  return { journal, entry, written, changes };
}
