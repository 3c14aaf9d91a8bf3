import { formatDecimal, parseDecimal, zero } from '../../domain/decimal.ts';
import { placesOf } from '../../domain/money.ts';
import { whoActs } from '../advice/remedy.ts';
import { counted } from '../format.ts';
import { kindName, separated } from './amounts.ts';
import type { MissingMoney } from './missing-money.ts';

/** What is missing of one kind, with whomever it is. */
export function missingOf(missing: readonly MissingMoney[], kind: string): string {
  const sum = missing.reduce(
    (total, { money }) => total.plus(parseDecimal(money[kind] ?? '0') ?? zero),
    zero,
  );
  return formatDecimal(sum, placesOf(kind));
}

/** With whom it is, one sentence each. */
export function missingTexts(missing: readonly MissingMoney[]): readonly string[] {
  return missing.map(({ state, who, accounts, money }) => {
    const amounts = Object.entries(money).map(
      ([kind, amount]) => `${separated(amount)} of ${kindName(kind) ?? kind}`,
    );
    const whose = state === null ? 'that no run has read' : `(${state})`;
    return `Missing with ${counted(accounts, 'account')} ${whose}, for ${whoActs[who]}: ${amounts.join('; ')}.`;
  });
}
