import type { KindTotals } from './money-totals.ts';
import type { MissingMoney } from './missing-money.ts';
import type { Reconciled } from './reconcile.ts';

/** What the last comparison of a supplier came to. */
export interface LastReconciled {
  readonly platform: string;
  readonly supplier: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The export as it was named; null: journal and platform were compared alone. */
  readonly export: string | null;
  readonly differences: number;
  /** By kind. */
  readonly money: Readonly<Record<string, KindTotals>>;
  readonly missing: readonly MissingMoney[];
}

/** What is kept of a comparison. */
export function lastReconciled(
  { differences, money, missing, source }: Reconciled,
  of: Pick<LastReconciled, 'platform' | 'supplier' | 'at' | 'export'>,
): LastReconciled {
  return {
    ...of,
    differences: [...differences.values()].reduce((sum, count) => sum + count, 0),
    money: Object.fromEntries(money.byKind(source !== undefined)),
    missing,
  };
}
