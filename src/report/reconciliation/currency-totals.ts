import { formatDecimal, parseDecimal, zero, type Decimal } from '../../domain/decimal.ts';
import { placesOf } from '../../domain/money.ts';
import { isOutdated, type LastReconciled } from './last-reconciled.ts';
import { missingOf } from './missing-text.ts';
import type { KindTotals, MoneyTotals } from './money-totals.ts';

/** The amounts of the suppliers of one currency, as exact decimals. */
export interface CurrencyTotals {
  /** undefined: no setting says it. */
  readonly currency: string | undefined;
  /** Of those that were compared with their exports; absent: none was. */
  readonly compared: SuppliersTotals | undefined;
  /** Of those whose last comparison was without the export, or is not known; absent: there are none. */
  readonly notCompared: SuppliersTotals | undefined;
}

interface SuppliersTotals {
  readonly suppliers: readonly string[];
  /** When each was compared, in milliseconds since the epoch; none where they were not. */
  readonly at: readonly { readonly supplier: string; readonly at: number }[];
  /** Those of which requests have been answered since they were compared. */
  readonly outdated: readonly string[];
  /** Accounts of the exports whose amounts could not be read. */
  readonly unread: number;
  readonly kinds: readonly (Readonly<Record<Column, string>> & { readonly kind: string })[];
}

const columns = ['source', 'acknowledged', 'missing', 'unconfirmed'] as const;
type Column = (typeof columns)[number];

/** One supplier's amounts. */
export interface SupplierMoney {
  readonly supplier?: string | undefined;
  readonly currency?: string | undefined;
  readonly survey?: { readonly money: MoneyTotals } | undefined;
  readonly reconciled?: LastReconciled | undefined;
}

/**
 * Adds up suppliers of the same currency: those that were compared with their exports, by the figures of that moment, and the others,
 * apart. Otherwise, what was sent since, or by the others, would seem to be more than the exports have.
 */
export function currencyTotals(suppliers: readonly SupplierMoney[]): readonly CurrencyTotals[] {
  const byCurrency = new Map<string, SupplierMoney[]>();
  for (const one of suppliers)
    byCurrency.set(one.currency ?? '', [...(byCurrency.get(one.currency ?? '') ?? []), one]);
  return [...byCurrency.values()].map((all) => ({
    // Stryker disable next-line OptionalChaining: there is a first one
    currency: all[0]?.currency,
    compared: totalsOf(all.filter(isCompared)),
    notCompared: totalsOf(all.filter((one) => !isCompared(one))),
  }));
}

function isCompared({ reconciled }: SupplierMoney): boolean {
  return reconciled?.export != null;
}

function totalsOf(all: readonly SupplierMoney[]): SuppliersTotals | undefined {
  if (all.length === 0) return undefined;
  return {
    suppliers: all.map(({ supplier = '' }) => supplier),
    at: all.flatMap(({ supplier = '', reconciled }) =>
      reconciled?.export == null ? [] : [{ supplier, at: reconciled.at }],
    ),
    outdated: all.flatMap(({ supplier = '', survey, reconciled }) =>
      reconciled?.export != null && survey !== undefined && isOutdated(reconciled, survey.money)
        ? [supplier]
        : [],
    ),
    unread: all.reduce((sum, { reconciled }) => sum + (reconciled?.unread ?? 0), 0),
    kinds: kindsOf(all),
  };
}

function kindsOf(all: readonly SupplierMoney[]): SuppliersTotals['kinds'] {
  const sums = new Map<string, Record<Column, Decimal>>();
  for (const one of all) {
    const { survey, reconciled } = one;
    const sent: ReadonlyMap<string, KindTotals> = isCompared(one)
      ? // Stryker disable next-line OptionalChaining: what was compared is there
        new Map(Object.entries(reconciled?.money ?? {}))
      : // Stryker disable next-line BooleanLiteral: no export is read from it
        new Map(survey?.money.byKind(false));
    for (const [kind, { acknowledged, unconfirmed }] of sent) {
      const sum = sums.get(kind) ?? { source: zero, acknowledged: zero, missing: zero, unconfirmed: zero };
      const values: Readonly<Record<Column, string>> = {
        // Stryker disable next-line StringLiteral: no number counts as 0
        ...{ acknowledged, unconfirmed, source: reconciled?.money[kind]?.source ?? '0' },
        missing: missingOf(reconciled?.missing ?? [], kind),
      };
      for (const column of columns) sum[column] = sum[column].plus(parseDecimal(values[column]) ?? zero);
      sums.set(kind, sum);
    }
  }
  return [...sums].map(([kind, sum]) => {
    const text = (column: Column): string => formatDecimal(sum[column], placesOf(kind));
    return {
      kind,
      ...{ source: text('source'), acknowledged: text('acknowledged'), missing: text('missing') },
      unconfirmed: text('unconfirmed'),
    };
  });
}
