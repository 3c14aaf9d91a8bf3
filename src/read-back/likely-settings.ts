import { parseDecimal, type Decimal } from '../domain/decimal.ts';
import { compareAccount, type CompareOptions } from './compare-account.ts';
import { mapped } from './comparable-items.ts';
import type { Comparison } from './comparison.ts';
import { kindOf, type ExpectedAccount } from './expected-account.ts';
import { present, type PlatformAccount, type ReadValue } from './platform-account.ts';

/** A setting that is likely wrong: with another one, some differences would not be there. */
export interface LikelySetting {
  readonly settings: readonly string[];
  /** What the platform's values look like. */
  readonly looks: string;
  /** The fields of the differences that would not be there, and their number. */
  readonly fields: readonly string[];
  readonly explains: number;
}

/**
 * Finds the settings that are likely wrong, by reading what is held as other settings would: each is one that leaves fewer
 * differences than those before it. Several can be wrong at once.
 */
export function likelySettings(
  expected: ExpectedAccount,
  held: PlatformAccount,
  options: CompareOptions = {},
): readonly LikelySetting[] {
  const found: LikelySetting[] = [];
  let [account, before] = [held, compareAccount(expected, held, options)];
  const left = new Set(others(expected));
  while (before.differences.length > 0) {
    const tried = [...left].map((other) => {
      const changed = other.changed(account);
      return { other, changed, after: compareAccount(expected, changed, options) };
    });
    const best = tried
      .filter(({ after }) => after.differences.length < before.differences.length && hides(after, before))
      .sort((a, b) => a.after.differences.length - b.after.differences.length)[0];
    if (best === undefined) break;
    const { other, changed, after } = best;
    const fields = fieldsOf(before).filter((field) => !fieldsOf(after).includes(field));
    const explains = before.differences.length - after.differences.length;
    found.push({ settings: other.settings, looks: other.looks, fields, explains });
    left.delete(other);
    [account, before] = [changed, after];
  }
  return found;
}

/** Whether no more is hidden than before: what is not compared explains nothing. */
function hides(after: Comparison, before: Comparison): boolean {
  return after.hidden.size <= before.hidden.size;
}

function fieldsOf({ differences }: Comparison): readonly string[] {
  return [...new Set(differences.map(({ field }) => field))].sort();
}

/** The account as another setting would read it. */
interface Other {
  readonly settings: readonly string[];
  readonly looks: string;
  readonly changed: (account: PlatformAccount) => PlatformAccount;
}

function others(expected: ExpectedAccount): readonly Other[] {
  const scales = [-3, -2, -1, 1, 2, 3].map((places): Other => {
    const factor = parseDecimal(places > 0 ? `1${'0'.repeat(places)}` : `0.${'0'.repeat(-places - 1)}1`);
    const by = (amount: Decimal): Decimal => (factor === undefined ? amount : amount.times(factor));
    const times = `1${'0'.repeat(Math.abs(places))}`;
    return {
      settings: ['readBack.decimals', 'readBack.money'],
      looks: `amounts are off by the factor ${times}`,
      changed: (account) => withAmounts(withBalances(account, by), by),
    };
  });
  const days = [1, -1].map((by): Other => ({
    settings: ['timeZone'],
    looks: 'dates are off by one day',
    changed: (account) => withDates(account, by),
  }));
  const debits = new Set(
    expected.transactions.flatMap(({ values: { type, amount } }) =>
      typeof type === 'string' && typeof amount === 'object' && amount?.lt(0) === true ? [type] : [],
    ),
  );
  const signs: Other = {
    settings: ['readBack.amounts', 'readBack.types', 'readBack.debits'],
    looks: 'the amounts of transactions have the signs of another convention',
    changed: (account) => ({
      ...account,
      transactions: each(account.transactions, (item) => ({
        ...item,
        amount: mapped(item.amount, (amount) => {
          const type = item.type.kind === 'present' ? kindOf(item.type.value) : '';
          return debits.has(type) ? amount.abs().times(-1) : amount.abs();
        }),
      })),
    }),
  };
  return [
    {
      settings: ['readBack.credit'],
      looks: 'balances have the sign reversed',
      changed: (account) => withBalances(account, reversed),
    },
    {
      settings: ['readBack.amounts', 'readBack.types', 'readBack.debits'],
      looks: 'the amounts of transactions have the sign reversed',
      changed: (account) => withAmounts(account, reversed),
    },
    signs,
    ...scales,
    ...days,
  ];
}

const reversed = (amount: Decimal): Decimal => amount.times(-1);

function withBalances(account: PlatformAccount, change: (amount: Decimal) => Decimal): PlatformAccount {
  return {
    ...account,
    balance: mapped(account.balance, change),
    ledgers: each(account.ledgers, (item) => ({ ...item, balance: mapped(item.balance, change) })),
  };
}

function withAmounts(account: PlatformAccount, change: (amount: Decimal) => Decimal): PlatformAccount {
  return {
    ...account,
    transactions: each(account.transactions, (item) => ({ ...item, amount: mapped(item.amount, change) })),
  };
}

function withDates(account: PlatformAccount, days: number): PlatformAccount {
  const by = (date: ReadValue<string>): ReadValue<string> => mapped(date, (text) => shifted(text, days));
  return {
    ...account,
    transactions: each(account.transactions, (item) => ({ ...item, date: by(item.date) })),
    bills: each(account.bills, ({ from, to, issued, ...item }) => ({
      ...item,
      ...{ from: by(from), to: by(to), issued: by(issued) },
    })),
    agreements: each(account.agreements, ({ from, to, ...item }) => ({
      ...item,
      ...{ from: by(from), to: by(to) },
    })),
  };
}

function shifted(date: string, days: number): string {
  const time = Date.parse(date) + days * 86_400_000;
  return Number.isNaN(time) ? date : new Date(time).toISOString().slice(0, 10);
}

function each<Item>(
  list: ReadValue<readonly Item[]>,
  change: (item: Item) => Item,
): ReadValue<readonly Item[]> {
  return list.kind === 'present' ? present(list.value.map(change)) : list;
}
