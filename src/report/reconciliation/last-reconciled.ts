import { counted, formatCount } from '../format.ts';
import type { KindTotals, MoneyTotals } from './money-totals.ts';
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
  /** The number of each kind of difference, by its code; absent in files of earlier versions. */
  readonly byCode?: Readonly<Record<string, number>> | undefined;
  /** By kind. */
  readonly money: Readonly<Record<string, KindTotals>>;
  /** Accounts of the export whose amounts could not be read, and are in no total; absent in files of earlier versions. */
  readonly unread?: number | undefined;
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
    byCode: Object.fromEntries(differences),
    money: Object.fromEntries(money.byKind(source !== undefined)),
    unread: source === undefined ? 0 : money.unknown.source,
    missing,
  };
}

/** Whether requests have been answered since the comparison, so that its figures are not those of the journal now. */
export function isOutdated({ money }: Pick<LastReconciled, 'money'>, now: MoneyTotals): boolean {
  return [...now.byKind(false)].some(
    ([kind, { acknowledged, unconfirmed }]) =>
      money[kind]?.acknowledged !== acknowledged || money[kind].unconfirmed !== unconfirmed,
  );
}

/** The result, as the end of a sentence: "no difference", or which ones. */
export function differencesFound({
  differences,
  byCode = {},
}: Pick<LastReconciled, 'differences' | 'byCode'>): string {
  if (differences === 0) return 'no difference';
  const each = Object.entries(byCode).map(([code, count]) => `${formatCount(count)} ${code}`);
  return `${counted(differences, 'difference')}${each.length === 0 ? '' : ` (${each.join(', ')})`}`;
}

/** What the totals of the export lack, in a sentence; nothing if they have everything, or if that is not known. */
export function unreadText(unread = 0): readonly string[] {
  return unread === 0
    ? []
    : [
        `Amounts of ${counted(unread, 'account')} of the export cannot be read. None of the amounts of these accounts is in a total: at least the amounts above are missing.`,
      ];
}
