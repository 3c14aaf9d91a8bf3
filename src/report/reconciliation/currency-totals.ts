import { formatDecimal, parseDecimal, zero, type Decimal } from '../../domain/decimal.ts';
import { placesOf } from '../../domain/money.ts';
import type { LastReconciled } from './last-reconciled.ts';
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
 * Adds up suppliers of the same currency: those that were compared with their exports, and the others, apart. Otherwise, what the
 * others sent would seem to be more than the exports have.
 */
export function currencyTotals(suppliers: readonly SupplierMoney[]): readonly CurrencyTotals[] {
  const byCurrency = new Map<string, SupplierMoney[]>();
  for (const one of suppliers)
    byCurrency.set(one.currency ?? '', [...(byCurrency.get(one.currency ?? '') ?? []), one]);
  const isCompared = ({ reconciled }: SupplierMoney): boolean => reconciled?.export != null;
  return [...byCurrency.values()].map((all) => ({
    currency: all[0]?.currency,
    compared: totalsOf(all.filter(isCompared)),
    notCompared: totalsOf(all.filter((one) => !isCompared(one))),
  }));
}

function totalsOf(all: readonly SupplierMoney[]): SuppliersTotals | undefined {
  if (all.length === 0) return undefined;
  return { suppliers: all.map(({ supplier = '' }) => supplier), kinds: kindsOf(all) };
}

function kindsOf(all: readonly SupplierMoney[]): SuppliersTotals['kinds'] {
  const sums = new Map<string, Record<Column, Decimal>>();
  for (const { survey, reconciled } of all) {
    const sent = survey?.money.byKind(false) ?? new Map<string, KindTotals>();
    for (const kind of new Set([...sent.keys(), ...Object.keys(reconciled?.money ?? {})])) {
      const sum = sums.get(kind) ?? { source: zero, acknowledged: zero, missing: zero, unconfirmed: zero };
      const { acknowledged = '0', unconfirmed = '0' } = sent.get(kind) ?? {};
      const values: Readonly<Record<Column, string>> = {
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
