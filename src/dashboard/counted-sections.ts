import { withTotal } from '../domain/account-state.ts';
import type { RunEntry } from '../journal/journal.ts';
import { flagsOfBook } from '../report/advice/of-book.ts';
import { formatCount, formatTime } from '../report/format.ts';
import { currencySections } from '../report/html-report/currency-sections.ts';
import { causesSections } from '../report/html-report/failures-section.ts';
import { html, type Html } from '../report/html-report/markup.ts';
import { moneyOfBook } from '../report/html-report/money-section.ts';
import { section } from '../report/html-report/sections.ts';
import type { CountedBook, Night, WatchedSupplier } from './night.ts';

/** The sections of the report that need every account, each with the time of the count. */
export interface CountedSections {
  readonly causes: Html;
  readonly money: Html;
}

/** `runs`: those of the supplier, newest first. `timeZone`: IANA name. */
export function countedSections(
  { given = {}, sentences }: Pick<Night, 'given' | 'sentences'>,
  watched: WatchedSupplier,
  runs: readonly RunEntry[],
  timeZone: string,
): CountedSections {
  const { status, counted, reconciled, currency } = watched;
  const { supplier, accounts } = status;
  const flags = flagsOfBook(given, runs);
  if (withTotal(accounts).total === 0) return { causes: html``, money: html`` };
  const troubled = accounts.rejected + accounts.failed + accounts.uncertain + accounts.skipped;
  const isBehind = counted?.survey.failures.length === 0 && troubled > 0;
  if (counted === undefined || isBehind)
    return {
      causes: section('failures', 'What went wrong', waiting([watched])),
      money: counted === undefined ? section('money', 'Money', waiting([watched])) : html``,
    };
  const { survey } = counted;
  const causes = causesSections(
    { supplier, flags, ...(sentences === undefined ? {} : { sentences }) },
    survey,
  );
  const money = moneyOfBook({ supplier, flags, runs, reconciled, currency, timeZone }, survey.money);
  const time = countedAt([counted], timeZone);
  return { causes: html`${causes}${time}`, money: html`${money}${time}` };
}

/** The money of several suppliers, by currency. */
export function moneyTogether(suppliers: readonly WatchedSupplier[], timeZone: string): Html {
  const counts = suppliers.flatMap(({ counted }) => counted ?? []);
  const isComplete = suppliers.every(
    ({ counted, status }) => counted !== undefined || withTotal(status.accounts).total === 0,
  );
  if (!isComplete) return section('money', 'Money', waiting(suppliers));
  const seen = suppliers.map(({ status: { supplier }, counted, reconciled, currency }) => ({
    ...{ supplier, reconciled, currency },
    survey: counted?.survey,
  }));
  return html`${currencySections(seen, timeZone)}${countedAt(counts, timeZone)}`;
}

function waiting(suppliers: readonly WatchedSupplier[]): Html {
  const totals = suppliers.map(({ status }) => withTotal(status.accounts).total);
  const total = totals.reduce((sum, of) => sum + of, 0);
  const reads = suppliers.map(({ counted, reading = 0 }, at) =>
    counted === undefined ? reading : (totals[at] ?? 0),
  );
  const read = reads.reduce((sum, of) => sum + of, 0);
  return html`<p>All accounts are being read for this: ${formatCount(read)} of ${formatCount(total)}.</p>`;
}

function countedAt(counts: readonly CountedBook[], timeZone: string): Html {
  const oldest = Math.min(...counts.map(({ at }) => at));
  if (!Number.isFinite(oldest)) return html``;
  return html`<p class="faint">Counted at ${formatTime(oldest, timeZone).slice(11)}.</p>`;
}
