import { formatTime } from '../format.ts';
import { kindName, separated } from '../reconciliation/amounts.ts';
import {
  currencyTotals,
  type CurrencyTotals,
  type SupplierMoney,
} from '../reconciliation/currency-totals.ts';
import { unreadText } from '../reconciliation/last-reconciled.ts';
import { dataTable, html, type Html, type Piece } from './markup.ts';
import { machineName, section } from './sections.ts';

/** Amounts of one currency are added up over its suppliers, and never over currencies. */
export function currencySections(suppliers: readonly SupplierMoney[], timeZone: string): readonly Html[] {
  return currencyTotals(suppliers).map((totals, at) => {
    const { currency, compared, notCompared } = totals;
    const title = currency === undefined ? 'Money of suppliers without a currency' : `Money in ${currency}`;
    const heading =
      compared === undefined || notCompared !== undefined ? title : `${title}, as last reconciled`;
    return section(`currency-${at + 1}`, heading, [
      ...(compared === undefined
        ? []
        : [
            html`<p>${reconciledText(compared, timeZone)}</p>`,
            currencyTable(compared, `${title}, compared with the exports`, true),
            ...unreadText(compared.unread).map((text) => html`<p>${text}</p>`),
          ]),
      ...(notCompared === undefined
        ? []
        : [
            html`<p>
              Not compared with ${notCompared.suppliers.length === 1 ? 'its export' : 'their exports'}:
              ${notCompared.suppliers.join(', ')}. What is missing there is not known until
              <span class="command">migrate reconcile</span> with its
              <span class="command">--supplier</span> has compared
              ${notCompared.suppliers.length === 1 ? 'it' : 'them'}.
            </p>`,
            currencyTable(notCompared, `${title}, not compared`, false),
          ]),
    ]);
  });
}

/** When the suppliers were compared, and of which something was sent since. */
function reconciledText({ at, outdated }: NonNullable<CurrencyTotals['compared']>, timeZone: string): string {
  const when = at.map(({ supplier, at: time }) => `${supplier} ${formatTime(time, timeZone).slice(0, 16)}`);
  const base = `All figures are as last reconciled: ${when.join(', ')} (${timeZone}).`;
  return outdated.length === 0
    ? base
    : `${base} The journal has changed since, so they are not those of now: reconcile ${outdated.join(', ')} again.`;
}

function currencyTable(
  { kinds, unread }: NonNullable<CurrencyTotals['compared']>,
  caption: string,
  isCompared: boolean,
): Html {
  if (kinds.length === 0) return html`<p>No request contained an amount.</p>`;
  const titles = isCompared
    ? [`Export${atLeastOf(unread)}`, 'Acknowledged', `Missing${atLeastOf(unread)}`, 'Unconfirmed']
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

/** What the end of a column's title says where amounts of accounts are in no total. */
export function atLeastOf(unread = 0): string {
  return unread > 0 ? ', at least' : '';
}

/** Its plain name, and the one that files and the interface have. */
export function kindCell(kind: string): Html {
  const plain = kindName(kind);
  return plain === undefined
    ? machineName(kind)
    : html`${plain} <span class="faint">${machineName(kind)}</span>`;
}
