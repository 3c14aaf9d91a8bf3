import { formatDecimal, zero } from '../../domain/decimal.ts';
import {
  asKindsOf,
  carriesMoney,
  inMinorUnits,
  MoneySum,
  placesOf,
  readMoney,
  type Money,
} from '../../domain/money.ts';
import type { PartState } from '../../domain/step-state.ts';
import type { AccountEntry } from '../../journal/journal.ts';

/** One kind of amount, as exact decimals with at least two places. */
export interface KindTotals {
  /** null if no export was given. */
  readonly source: string | null;
  readonly acknowledged: string;
  readonly unconfirmed: string;
}

const columns = ['source', 'acknowledged', 'unconfirmed'] as const;
type Column = (typeof columns)[number];

/** The kinds that are not types of transactions; they come first. */
const balances = ['transfer_balance', 'ledger_balance', 'gross_amount'].flatMap((kind) => [
  kind,
  inMinorUnits(kind),
]);

/** Money added up over all accounts. */
export class MoneyTotals {
  readonly #sums = { source: new MoneySum(), acknowledged: new MoneySum(), unconfirmed: new MoneySum() };
  /** Accounts whose money is not known, and so in no total. */
  readonly unknown: Record<Column, number> = { source: 0, acknowledged: 0, unconfirmed: 0 };

  add(column: Column, money: Money | undefined): void {
    if (money === undefined) this.unknown[column] += 1;
    else this.#sums[column].addAll(money);
  }

  /** By kind: balances, statements, then the types of transactions. */
  byKind(hasSource: boolean): ReadonlyMap<string, KindTotals> {
    const totals = columns.map((column) => this.#sums[column].totals);
    const kinds = new Set(totals.flatMap((total) => [...total.keys()].sort()));
    const ordered = [...kinds].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
    const [source, acknowledged, unconfirmed] = totals;
    const text = (total: Money | undefined, kind: string) =>
      formatDecimal(total?.get(kind) ?? zero, placesOf(kind));
    return new Map(
      ordered.map((kind) => [
        kind,
        {
          source: hasSource ? text(source, kind) : null,
          acknowledged: text(acknowledged, kind),
          unconfirmed: text(unconfirmed, kind),
        },
      ]),
    );
  }
}

function rank(kind: string): number {
  const at = balances.indexOf(kind);
  return at === -1 ? balances.length : at;
}

/** The money of one account as the journal has it; undefined if that of some request is not known. */
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
