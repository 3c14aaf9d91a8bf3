import { inMinorUnits } from '../../domain/money.ts';

/** An exact amount with thousands separators; it is no number of the language, which could not hold it. */
export function separated(amount: string): string {
  const [whole = '', ...places] = amount.split('.');
  return [whole.replaceAll(/\B(?=(\d{3})+$)/g, ','), ...places].join('.');
}

const names: ReadonlyMap<string, string> = new Map([
  ['transfer_balance', 'transfer balances'],
  ['ledger_balance', 'ledger balances'],
  ['gross_amount', 'statements, gross'],
  ['CHARGE', 'charges'],
  ['CREDIT', 'credits'],
  ['PAYMENT', 'payments'],
  ['REPAYMENT', 'repayments'],
  ['SUPPLY_CHARGE', 'supply charges'],
]);

/** What a kind of amounts is called; undefined if its own name says it. */
export function kindName(kind: string): string | undefined {
  const plain = names.get(kind);
  if (plain !== undefined) return plain;
  const minor = [...names].find(([name]) => inMinorUnits(name) === kind)?.[1];
  return minor === undefined ? undefined : `${minor}, in minor units`;
}
