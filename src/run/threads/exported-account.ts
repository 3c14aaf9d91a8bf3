import type { AccountKey } from '../../domain/account-key.ts';
import { definedFields } from '../../domain/defined-fields.ts';
import { writeMoney } from '../../domain/money.ts';
import type { Problem } from '../../domain/problem.ts';
import type { AccountPlan } from '../../mapping/plan.ts';
import { moneyOfPlan } from '../../pipeline/check/plan-money.ts';
import { printOf } from '../../pipeline/hash.ts';

/** What a reconciliation compares of an account of the export. */
export interface ExportedAccount {
  readonly key: AccountKey;
  readonly ignoredRows: number;
  readonly rows?: AccountPlan['rows'];
  readonly planHash: string;
  /** All its amounts, as `writeMoney` writes them: undefined if there are none. */
  readonly money: string | undefined;
  /** Why it names no supplier; absent if it names one. */
  readonly whyStray?: Problem | undefined;
}

export function exportedAccount(plan: AccountPlan): ExportedAccount {
  const { key, ignoredRows, rows, problems } = plan;
  const { planHash } = printOf(plan);
  const money = writeMoney(moneyOfPlan(plan));
  const found = { key, ignoredRows, planHash, money, ...definedFields({ rows }) };
  if (key.supplier !== '') return found;
  return { ...found, whyStray: problems.find(({ severity }) => severity === 'error') };
}
