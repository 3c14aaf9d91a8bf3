import type { AccountState } from '../../domain/account-state.ts';
import { formatDecimal, zero } from '../../domain/decimal.ts';
import { MoneySum, placesOf, type Money } from '../../domain/money.ts';
import type { AccountEntry } from '../../journal/journal.ts';
import type { WhoActs } from '../advice/remedy.ts';
import { causeOf } from '../failures/causes.ts';

/** Amounts of the export that the platform has not acknowledged, of accounts in one state. */
export interface MissingMoney {
  /** null: the journal does not have the accounts. */
  readonly state: AccountState | null;
  readonly who: WhoActs;
  readonly accounts: number;
  /** By kind, as exact decimals. */
  readonly money: Readonly<Record<string, string>>;
}

/** Adds up what is missing, by whom it waits for. */
export class MissingTotals {
  readonly #groups = new Map<
    string,
    { who: WhoActs; state: AccountState | null; accounts: number; sum: MoneySum }
  >();

  /** `source`: of the export, which knows the account; nothing is added if one of the two is not known. */
  add(entry: AccountEntry | undefined, source: Money | undefined, acknowledged: Money | undefined): void {
    if (source === undefined || acknowledged === undefined) return;
    const missing = [...source].flatMap(([kind, amount]) => {
      const rest = amount.minus(acknowledged.get(kind) ?? zero);
      return rest.eq(0) ? [] : [[kind, rest] as const];
    });
    if (missing.length === 0) return;
    const state = entry?.state ?? null;
    const who = entry === undefined ? 'us' : whoOf(entry);
    const name = `${state} ${who}`;
    const group = this.#groups.get(name) ?? { who, state, accounts: 0, sum: new MoneySum() };
    this.#groups.set(name, group);
    group.accounts += 1;
    group.sum.addAll(new Map(missing));
  }

  /** The most accounts first. */
  get groups(): readonly MissingMoney[] {
    const all = [...this.#groups.values()].map(({ who, state, accounts, sum }) => ({
      ...{ who, state, accounts },
      money: Object.fromEntries(
        [...sum.totals].map(([kind, total]) => [kind, formatDecimal(total, placesOf(kind))]),
      ),
    }));
    return all.sort((one, other) => other.accounts - one.accounts);
  }
}

function whoOf({ state, code }: AccountEntry): WhoActs {
  return state === 'rejected' || state === 'failed' ? causeOf(state, code).who : 'us';
}
