import { uncountedOf } from '../../domain/account-state.ts';
import { exitCodes } from '../../domain/exit-codes.ts';
import type { RunEntry, SupplierOverview } from '../../journal/journal.ts';
import { emptyJournalTexts, type EmptyJournal } from '../empty-journal.ts';
import { counted, formatCount } from '../format.ts';
import { bookCounts, partlyReadText } from '../partly-read.ts';
import { absentText, doubtText } from '../status-table.ts';
import { withoutSupplierIn, withoutSupplierText } from '../without-supplier.ts';
import type { Tone } from './charts.ts';

export interface Headline {
  readonly tone: Tone;
  readonly headline: string;
  readonly sentence: string;
}

type Book = Pick<SupplierOverview, 'accounts' | 'absent' | 'refusedData' | 'inDoubt' | 'partlyRead'>;

/**
 * Whether the last run found rows of the export that belong to no account: nothing else makes a run end with 3 whose accounts are
 * all completed. `runs`: newest first.
 */
export function hasRowsOfNoAccount(runs: readonly RunEntry[], refusedData: number): boolean {
  const end = runs.find((run) => !run.dryRun && run.end !== undefined)?.end;
  if (end?.exit !== exitCodes.accountsRejected || refusedData > 0) return false;
  const { rejected, failed, skipped } = end.accounts;
  return rejected + failed + skipped === 0;
}

/**
 * The state of a supplier's migration, in words. `runs`: newest first. `empty`: why there is no supplier, if there is none.
 * `warned`: how many accounts have warnings; absent if that is not known.
 */
export function headlineOf(
  overview: Book | undefined,
  runs: readonly RunEntry[],
  empty: EmptyJournal = 'new',
  warned?: number,
): Headline {
  if (overview === undefined) return { tone: 'rest', ...emptyJournalTexts[empty] };
  const { accounts, absent, refusedData, inDoubt, partlyRead } = overview;
  const unnamed = withoutSupplierIn(runs);
  const apart = [
    ...(unnamed === undefined ? [] : [withoutSupplierText(unnamed)]),
    ...(refusedData === 0
      ? []
      : [`The data of ${counted(refusedData, 'account')} in the export is refused now.`]),
    ...(partlyRead.length === 0 ? [] : [partlyReadText(partlyRead)]),
    ...(absent === 0 ? [] : [absentText(absent)]),
    ...(inDoubt === 0 ? [] : [doubtText(inDoubt)]),
  ];
  const remarks = apart.map((sentence) => ` ${sentence}`).join('');
  const { total, completed, rejected, failed, uncertain, skipped, pending, staged, imported } = bookCounts({
    accounts,
    partlyRead,
  });
  const isKnown = uncountedOf(partlyRead) !== null;
  const size = `${isKnown ? '' : 'at least '}${counted(total, 'account')}`;
  if (total === 0)
    return { tone: 'rest', headline: 'No accounts', sentence: `No account is left in the book.${remarks}` };
  if (completed === total && partlyRead.length === 0 && unnamed !== undefined)
    return {
      tone: 'warn',
      headline: `Not complete: ${counted(unnamed.accounts, 'account')} without an import supplier`,
      sentence: `The platform accepted the ${formatCount(total)} others.${remarks}`,
    };
  if (completed === total && partlyRead.length === 0 && hasRowsOfNoAccount(runs, refusedData))
    return {
      tone: 'warn',
      headline: `All of ${size}, but not all rows`,
      sentence: `The platform accepted every account. The export has rows that belong to no account, which were not sent.${remarks}`,
    };
  if (completed === total && partlyRead.length === 0)
    return {
      tone: refusedData > 0 ? 'warn' : 'good',
      headline: `Complete: all of ${size}`,
      sentence: `${acceptedText(warned)}${remarks}`,
    };
  const unfinished = pending + staged + imported;
  const rest = [
    ...(rejected > 0 ? [`${formatCount(rejected)} rejected`] : []),
    ...(failed > 0 ? [`${formatCount(failed)} failed`] : []),
    ...(uncertain > 0 ? [`${formatCount(uncertain)} uncertain`] : []),
    ...(skipped > 0 ? [`${formatCount(skipped)} skipped`] : []),
    ...(unfinished > 0 ? [`${formatCount(unfinished)} not finished`] : []),
  ];
  const share = Math.floor((completed / total) * 1000) / 10;
  const done = `Not complete: ${formatCount(completed)} of ${size}`;
  return {
    tone: rejected + failed + uncertain > 0 ? 'bad' : 'warn',
    headline: isKnown ? `${done} (${share}%)` : done,
    sentence: `${rest.length === 0 ? '' : `The others: ${rest.join(', ')}.`}${remarks}`.trim(),
  };
}

function acceptedText(warned: number | undefined): string {
  if (warned === undefined) return 'The platform accepted every account.';
  if (warned === 0) return 'The platform accepted every account with all its data.';
  return `The platform accepted every account. There are warnings about ${formatCount(warned)} of them: see below.`;
}
