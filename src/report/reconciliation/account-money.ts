import { asKindsOf, carriesMoney, MoneySum, readMoney, type Money } from '../../domain/money.ts';
import type { PartState } from '../../domain/part-state.ts';
import type { AccountEntry } from '../../journal/journal.ts';

/** The money of one account as the journal has it; undefined where that of some request is not known. */
export interface AccountMoney {
  /** Of the requests that the platform took. */
  readonly acknowledged: Money | undefined;
  /** Of those whose effect is not known. */
  readonly unconfirmed: Money | undefined;
}

export function moneyOf(parts: AccountEntry['parts']): AccountMoney {
  const carried = (...states: readonly PartState[]): Money | undefined => {
    const sum = new MoneySum();
    for (const { step, state, money } of parts) {
      if (!carriesMoney(step) || !states.includes(state)) continue;
      const read = readMoney(money);
      if (read === undefined) return undefined;
      sum.addAll(read);
    }
    return sum.totals;
  };
  return { acknowledged: carried('done'), unconfirmed: carried('sent', 'uncertain') };
}

/** The same, under the kinds that the export's money has. */
export function underKindsOf(source: Money | undefined, money: AccountMoney): AccountMoney {
  const named = (recorded: Money | undefined): Money | undefined =>
    source === undefined || recorded === undefined ? recorded : asKindsOf(source, recorded);
  return { acknowledged: named(money.acknowledged), unconfirmed: named(money.unconfirmed) };
}
