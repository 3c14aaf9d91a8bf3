import type { AccountKey } from '../../domain/account-key.ts';
import { stepNames, type StepName } from '../../domain/steps.ts';
import { keyText } from '../platform-context.ts';
import type { FaultRule } from './fault-rules.ts';

/** A fault of what is read back. */
export type ReadFault = Extract<
  FaultRule,
  { kind: 'read_lag' | 'read_partial' | 'read_forbidden' | 'read_wrong_account' }
>;

export function isReadFault(rule: { readonly kind: FaultRule['kind'] }): rule is ReadFault {
  return rule.kind.startsWith('read_');
}

/** When each step last had an effect on an account, for a reading that is behind. */
export class LatestEffects {
  readonly #now: () => number;
  readonly #at = new Map<string, number>();

  /** `now`: milliseconds since the epoch. */
  constructor(now: () => number) {
    this.#now = now;
  }

  keep(step: StepName, key: AccountKey): void {
    this.#at.set(textOf(step, key), this.#now());
  }

  /** Whether the latest effect is less than so many ms old. */
  isYoung(step: StepName, key: AccountKey, ms: number): boolean {
    return this.#now() < (this.#at.get(textOf(step, key)) ?? -Infinity) + ms;
  }
}

function textOf(step: StepName, key: AccountKey): string {
  return `${stepNames.indexOf(step)}\n${keyText(key)}`;
}
