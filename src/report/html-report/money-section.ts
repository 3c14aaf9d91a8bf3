import type { RunEntry } from '../../journal/journal.ts';
import { commandsAt } from '../advice/commands.ts';
import { optionsOf, sourceOf } from '../advice/of-book.ts';
import { formatCount, formatTime } from '../format.ts';
import { separated } from '../reconciliation/amounts.ts';
import {
  differencesFound,
  isOutdated,
  unreadText,
  type LastReconciled,
} from '../reconciliation/last-reconciled.ts';
import { missingOf, missingTexts } from '../reconciliation/missing-text.ts';
import type { KindTotals, MoneyTotals } from '../reconciliation/money-totals.ts';
import { atLeastOf, kindCell } from './currency-sections.ts';
import { dataTable, html, type Html, type Piece } from './markup.ts';
import { section } from './sections.ts';

interface MoneyView {
  readonly money: MoneyTotals;
  /** The last comparison with the export; absent if this machine made none. */
  readonly reconciled?: LastReconciled | undefined;
  /** Such as GBP; absent if no setting says it. */
  readonly currency?: string | undefined;
  /** The command that compares. */
  readonly command: string;
  readonly timeZone: string;
}

/** Whose money is told. */
export interface MoneySeen extends Pick<MoneyView, 'reconciled' | 'currency' | 'timeZone'> {
  readonly supplier?: string | undefined;
  /** Those of settings and journal, as text to append to a command. */
  readonly flags: string;
  /** Newest first. */
  readonly runs: readonly RunEntry[];
}

/** Whether the money is right: what the export has, what the platform acknowledged, and with whom the rest is. */
export function moneyOfBook({ supplier, flags, runs, ...seen }: MoneySeen, money: MoneyTotals): Html {
  const { reconcile } = commandsAt({ source: sourceOf(runs), options: optionsOf(runs), supplier, flags });
  const { reconciled, currency, timeZone } = seen;
  return moneySection({ money, reconciled, currency, timeZone, command: reconcile });
}

function moneySection(view: MoneyView): Html {
  const { money, reconciled, currency } = view;
  const kinds = [...money.byKind(false)];
  const unknown = Math.max(money.unknown.acknowledged, money.unknown.unconfirmed);
  const compared = reconciled?.export == null ? undefined : reconciled;
  const title = currency === undefined ? 'Money' : `Money in ${currency}`;
  return section('money', `${title}${asOf(compared, view.timeZone)}`, [
    html`<p>${reconciledText(view)}</p>`,
    ...(compared === undefined || compared.differences > 0
      ? [html`<pre><code>${view.command}</code></pre>`]
      : []),
    ...tableOf(kinds, compared),
    ...(compared === undefined
      ? []
      : [...missingTexts(compared.missing), ...unreadText(compared.unread)].map(
          (text) => html`<p>${text}</p>`,
        )),
    html`<p class="faint">
      Acknowledged: in requests that the platform accepted. Unconfirmed: in requests that are uncertain or
      have no answer.
      ${
        compared === undefined
          ? 'Export: known once the export was reconciled. '
          : 'Missing: in the export, and not acknowledged; what is unconfirmed is part of it. '
      }A
      balance above zero is the customer's credit, one below zero their debt; transactions are added up by
      type, without a sign.
      ${currency === undefined ? 'The interface names no currency; the setting currencies does. ' : ''}The
      data-import interface does not show what the platform holds:
      <span class="command">${view.command} --read-back all</span> asks the platform's own ledger, where the
      profile has readBack.
    </p>`,
    ...(unknown === 0
      ? []
      : [
          html`<p>
            The amounts of ${formatCount(unknown)} accounts are not known and are in no total: adopted, or
            sent by a version that did not record them.
          </p>`,
        ]),
  ]);
}

/** The figures of a comparison are those of its time. */
function asOf(compared: LastReconciled | undefined, timeZone: string): string {
  return compared === undefined ? '' : `, as of ${formatTime(compared.at, timeZone).slice(0, 16)}`;
}

/** When it was compared last, with what result, and whether something was sent since. */
function reconciledText({ money, reconciled, timeZone }: MoneyView): string {
  if (reconciled === undefined)
    return 'Not reconciled yet on this machine, so what the export has is not known here. This command reads it, and says what is missing and with whom:';
  const { at } = reconciled;
  const when = `${formatTime(at, timeZone).slice(0, 16)} (${timeZone})`;
  const base = `Last reconciled on ${when}: ${differencesFound(reconciled)}.`;
  if (reconciled.export === null) return `${base} Without the export; this command compares its totals:`;
  if (isOutdated(reconciled, money)) return `${base} The journal has changed since: reconcile again.`;
  return reconciled.differences === 0 ? base : `${base} This command compares again, and lists each:`;
}

function tableOf(
  kinds: readonly (readonly [string, KindTotals])[],
  compared: LastReconciled | undefined,
): readonly Html[] {
  const all = compared === undefined ? kinds : Object.entries(compared.money);
  if (all.length === 0) return [html`<p>No request contained an amount.</p>`];
  const atLeast = atLeastOf(compared?.unread);
  const columns = [
    { title: 'Kind' },
    amount(`Export${atLeast}`),
    amount('Acknowledged'),
    ...(compared === undefined ? [] : [`Missing${atLeast}`]).map(amount),
    amount('Unconfirmed'),
  ];
  const rows = all.map(([kind, { source, acknowledged, unconfirmed }]): Piece[] => [
    kindCell(kind),
    compared === undefined ? '?' : separated(source ?? '0.00'),
    separated(acknowledged),
    ...(compared === undefined ? [] : [separated(missingOf(compared.missing, kind))]),
    separated(unconfirmed),
  ]);
  return [
    dataTable(
      'Exact totals by kind',
      columns,
      rows,
      all.map(([kind]) => kind),
    ),
  ];
}

const amount = (title: string) => ({ title, isNumber: true });
