import { changedAfterImport, differsCode } from '../../domain/shared-codes.ts';
import type { PartState, StepState } from '../../domain/step-state.ts';
import { isExtraStep, type StepName } from '../../domain/steps.ts';
import type { AccountEntry, Journal, PartEntry } from '../../journal/journal.ts';
import { accountResult } from './account-result.ts';
import { openAmong } from './open-attempts.ts';

/**
 * The number of the rules by which states are concluded. Raise it when the rules put recorded answers elsewhere, and make
 * `concludeSupplier` put the accounts there: each journal is gone through once for each number.
 */
export const conclusionRules = 1;

/** How many accounts went into another state: `rejected` ones, and others. `uncertain`: how many of both wait for a ruling now. */
export interface Concluded {
  rejected: number;
  others: number;
  uncertain: number;
}

/** The platform has different data with the id, whichever attempt sent it. */
const conflicts: ReadonlySet<string> = new Set([differsCode, changedAfterImport]);

/** A repeat could have a second effect that nothing shows. */
const notRepeated: ReadonlySet<StepName> = new Set(['agreements', 'payment-instruction']);

/**
 * Puts accounts of a supplier where the present rules put them, by the evidence that the journal has: a refused part of which an
 * earlier attempt, with the same data, was lost. The refusal says nothing about that attempt, so the part is open again: the next
 * run settles it, or a person does where a repeat could do harm. Requires the supplier's lease. `isHarmless500`: a 500 of the payment
 * instruction is known to have no effect.
 */
export async function concludeSupplier(
  journal: Journal,
  { platform, supplier }: { readonly platform: string; readonly supplier: string },
  { at, isHarmless500 }: { readonly at: number; readonly isHarmless500: boolean },
): Promise<Concluded> {
  const concluded: Concluded = { rejected: 0, others: 0, uncertain: 0 };
  for await (const entry of journal.accounts(platform, supplier, ['rejected', 'failed', 'uncertain'])) {
    const doubtful = entry.parts.filter(isRefusal);
    if (doubtful.length === 0) continue;
    const attempts: PartEntry[] = [];
    for await (const attempt of journal.attempts(entry.id)) attempts.push(attempt);
    const open = doubtful.filter((part) => {
      const { unknown, lost } = openAmong(attempts, part, (status) => status === 500);
      return (isHarmless500 && part.step === 'payment-instruction' ? lost : unknown) > 0;
    });
    if (open.length === 0) continue;
    const state = await reopen(journal, entry, open, at);
    if (entry.state === 'rejected') concluded.rejected += 1;
    else concluded.others += 1;
    if (state === 'uncertain') concluded.uncertain += 1;
  }
  return concluded;
}

/** A refusal that the platform wrote, not a person. */
function isRefusal({ step, state, outcome, code = '' }: PartEntry): boolean {
  const mayHaveEffect = step === 'process' || isExtraStep(step);
  return state === 'refused' && outcome !== 'ruling' && mayHaveEffect && !conflicts.has(code);
}

async function reopen(
  journal: Journal,
  entry: AccountEntry,
  open: readonly PartEntry[],
  at: number,
): Promise<AccountEntry['state']> {
  const states = new Map<PartEntry, PartState>(
    open.map((part) => [part, notRepeated.has(part.step) ? 'uncertain' : 'sent']),
  );
  for (const [{ step, part, code }, state] of states)
    void journal.settle({ accountId: entry.id, step, part }, { state, outcome: 'unknown', code, at });
  const parts = entry.parts.map((part) => ({ ...part, state: states.get(part) ?? part.state }));
  const steps: Partial<Record<StepName, StepState>> = {};
  for (const { step } of open) {
    const isUncertain = parts.some((part) => part.step === step && part.state === 'uncertain');
    steps[step] = isUncertain ? 'uncertain' : 'pending';
  }
  const [state, code] = resultOf(entry, { ...entry.steps, ...steps }, parts);
  await journal.change(entry.id, { steps, state, code });
  return state;
}

function resultOf(
  { code }: AccountEntry,
  steps: AccountEntry['steps'],
  parts: readonly PartEntry[],
): readonly [AccountEntry['state'], string] {
  if (steps.process !== 'done') return [steps.stage === 'done' ? 'staged' : 'pending', ''];
  return accountResult({ steps, parts, codes: new Map(), isAsCreated: code !== changedAfterImport });
}
