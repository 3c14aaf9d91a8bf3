import { kindName, separated } from '../reconciliation/amounts.ts';
import {
  currencyTotals,
  type CurrencyTotals,
  type SupplierMoney,
} from '../reconciliation/currency-totals.ts';
import { dataTable, html, type Html, type Piece } from './markup.ts';
import { machineName, section } from './sections.ts';

/** Amounts of one currency are added up over its suppliers, and never over currencies. */
export function currencySections(suppliers: readonly SupplierMoney[]): readonly Html[] {
  return currencyTotals(suppliers).map((totals, at) => {
    const { currency, compared, notCompared } = totals;
    const title = currency === undefined ? 'Money of suppliers without a currency' : `Money in ${currency}`;
    return section(`currency-${at + 1}`, title, [
      ...(compared === undefined
        ? []
        : [
            html`<p>${compared.suppliers.join(', ')}. Export and missing are as last reconciled.</p>`,
            currencyTable(compared, `${title}, compared with the exports`, true),
          ]),
      ...(notCompared === undefined
        ? []
        : [
            html`<p>
              Not compared with ${notCompared.suppliers.length === 1 ? 'its export' : 'their exports'}:
              ${notCompared.suppliers.join(', ')}. What is missing there is not known until
              <span class="command">migrate reconcile</span> has compared
              ${notCompared.suppliers.length === 1 ? 'it' : 'them'}.
            </p>`,
            currencyTable(notCompared, `${title}, not compared`, false),
          ]),
    ]);
  });
}

function currencyTable(
  { kinds }: NonNullable<CurrencyTotals['compared']>,
  caption: string,
  isCompared: boolean,
): Html {
  if (kinds.length === 0) return html`<p>No request contained an amount.</p>`;
  const titles = isCompared
    ? ['Export', 'Acknowledged', 'Missing', 'Unconfirmed']
    : ['Acknowledged', 'Unconfirmed'];
  const rows = kinds.map(({ kind, source, acknowledged, missing, unconfirmed }): Piece[] => [
    kindCell(kind),
    ...(isCompared ? [source, acknowledged, missing, unconfirmed] : [acknowledged, unconfirmed]).map(
      separated,
    ),
  ]);
  return dataTable(
    `${caption}, exact totals by kind`,
    [{ title: 'Kind' }, ...titles.map((name) => ({ title: name, isNumber: true }))],
    rows,
    kinds.map(({ kind }) => kind),
  );
}

/** Its plain name, and the one that files and the interface have. */
export function kindCell(kind: string): Html {
  const plain = kindName(kind);
  return plain === undefined
    ? machineName(kind)
    : html`${plain} <span class="faint">${machineName(kind)}</span>`;
}
