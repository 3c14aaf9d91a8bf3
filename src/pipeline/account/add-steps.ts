import type { ExtraStepName, StepName } from '../../domain/steps.ts';
import type { AccountRun } from './account-run.ts';
import type { RunContext } from '../run/context.ts';
import { holdBackIfBehind } from './half-way.ts';
import { deliveryOf } from '../steps/extra-steps.ts';
import { sendingOrder, type Leg } from '../steps/sending-order.ts';
import { endsAccount, type StepResult } from '../steps/step-result.ts';
import type { Delivery } from '../steps/witness.ts';

/** How much of the pending steps was sent; `stopped`: the run drains. */
type Added = 'all' | 'some' | 'stopped';

/** Takes a step's result: its code and its problems. */
export type Hear = (step: StepName, result: StepResult) => Promise<void>;

/**
 * Sends what is pending of these steps of a created account: what bears witness, then the rest. `isResumed`: an earlier run left it
 * half-way.
 */
export async function addSteps(
  context: RunContext,
  run: AccountRun,
  steps: readonly ExtraStepName[],
  { isResumed, hear }: { readonly isResumed: boolean; readonly hear: Hear },
): Promise<Added> {
  const { plan, progress } = run;
  const { witnesses, rest } = sendingOrder(steps, {
    plan,
    parts: progress.parts,
    settings: context.settings,
  });
  const sending = new StepsSending(context, run, hear);
  const added = await sending.send(witnesses);
  if (added !== 'stopped' && isResumed) await holdBackIfBehind(context, run);
  return added === 'all' ? sending.send(rest) : added;
}

class StepsSending {
  readonly #context: RunContext;
  readonly #run: AccountRun;
  readonly #hear: Hear;
  /** Of steps that are sent in two legs. */
  readonly #deliveries = new Map<StepName, Delivery>();

  constructor(context: RunContext, run: AccountRun, hear: Hear) {
    this.#context = context;
    this.#run = run;
    this.#hear = hear;
  }

  async send(legs: readonly Leg[]): Promise<Added> {
    const { progress } = this.#run;
    const { answers } = this.#context;
    for (const { step, isWitnessesOnly } of legs) {
      if (answers.isHeld(step)) continue;
      // Another account has claimed the same number in the meantime.
      if (progress.steps.process === 'uncertain') return 'some';
      const delivery = this.#deliveries.get(step) ?? deliveryOf(this.#context, this.#run, step);
      this.#deliveries.set(step, delivery);
      const result = await delivery(isWitnessesOnly);
      if (isWitnessesOnly && !endsAccount(result)) continue;
      await this.#hear(step, result);
      // It was held while the account waited for it.
      if (result.state === 'stopped' && answers.isHeld(step)) continue;
      if (result.state === 'stopped') return 'stopped';
      if (result.state !== 'skipped') progress.carry({ steps: { [step]: result.state } });
      if (endsAccount(result)) return 'some';
    }
    return 'all';
  }
}
