import { uncountedOf } from '../../domain/account-state.ts';
import type { RunEntry, SupplierOverview } from '../../journal/journal.ts';
import { hasRowsOfNoAccount } from '../advice/of-book.ts';
import { emptyJournalTexts, type EmptyJournal } from '../empty-journal.ts';
import { counted, formatCount, formatShare } from '../format.ts';
import { bookCounts, partlyReadText } from '../partly-read.ts';
import { absentText, doubtText } from '../status-table.ts';
import { toDoText } from '../to-do.ts';
import { withoutSupplierIn, withoutSupplierText, type WithoutSupplier } from '../without-supplier.ts';
import type { Tone } from './charts.ts';

export interface Headline {
  readonly tone: Tone;
  readonly headline: string;
  readonly sentence: string;
}

type Book = Pick<SupplierOverview, 'accounts' | 'absent' | 'refusedData' | 'inDoubt' | 'partlyRead'>;

/** What the headline is made of. */
interface Seen {
  readonly book: Book;
  readonly total: number;
  /** The number of accounts as text. */
  readonly size: string;
  /** Whether every account of the book is complete, and no others are known. */
  readonly isComplete: boolean;
  readonly unnamed: WithoutSupplier | undefined;
  readonly hasStrayRows: boolean;
  /** The number of accounts with warnings; absent if it is not known. */
  readonly warned: number | undefined;
}

interface Case extends Headline {
  readonly applies: boolean;
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
  const { accounts, partlyRead, refusedData } = overview;
  const { total, completed } = bookCounts({ accounts, partlyRead });
  const seen: Seen = {
    book: overview,
    total,
    size: `${uncountedOf(partlyRead) === null ? 'at least ' : ''}${counted(total, 'account')}`,
    isComplete: completed === total && partlyRead.length === 0,
    unnamed: withoutSupplierIn(runs),
    hasStrayRows: hasRowsOfNoAccount(runs, refusedData),
    warned,
  };
  const { tone, headline, sentence } = casesOf(seen).find(({ applies }) => applies) ?? incomplete(seen);
  return { tone, headline, sentence: [sentence, ...remarksOf(seen)].filter((text) => text !== '').join(' ') };
}

/** The first that applies is the headline. */
function casesOf({ book, total, size, isComplete, unnamed, hasStrayRows, warned }: Seen): readonly Case[] {
  return [
    {
      applies: total === 0,
      tone: 'rest',
      headline: 'No accounts',
      sentence: 'No account is left in the book.',
    },
    {
      applies: isComplete && unnamed !== undefined,
      tone: 'warn',
      headline: `Not complete: ${counted(unnamed?.accounts ?? 0, 'account')} without an import supplier`,
      sentence: `The platform accepted the ${formatCount(total)} others.`,
    },
    {
      applies: isComplete && hasStrayRows,
      tone: 'warn',
      headline: `All of ${size}, but not all rows`,
      sentence:
        'The platform accepted every account. The export has rows that belong to no account, which were not sent.',
    },
    {
      applies: isComplete,
      tone: book.refusedData > 0 ? 'warn' : 'good',
      headline: `Complete: all of ${size}`,
      sentence: acceptedText(warned),
    },
  ];
}

function incomplete({ book, total, size }: Seen): Headline {
  const { accounts, partlyRead } = book;
  const { completed, rejected, failed, uncertain, skipped } = accounts;
  const others: readonly (readonly [number, string])[] = [
    [rejected, 'rejected'],
    [failed, 'failed'],
    [uncertain, 'uncertain'],
    [skipped, 'skipped'],
    [uncountedOf(partlyRead) ?? 0, 'not counted'],
  ];
  const named = others.filter(([count]) => count > 0).map(([count, name]) => `${formatCount(count)} ${name}`);
  const rest = [...named, toDoText(accounts)].filter((text) => text !== '');
  const share = formatShare(completed, total, 1);
  const done = `Not complete: ${formatCount(completed)} of ${size}`;
  return {
    tone: rejected + failed + uncertain > 0 ? 'bad' : 'warn',
    headline: uncountedOf(partlyRead) === null ? done : `${done} (${share})`,
    sentence: rest.length === 0 ? '' : `The others: ${rest.join(', ')}.`,
  };
}

/** What stands beside the states. */
function remarksOf({ book: { absent, refusedData, inDoubt, partlyRead }, unnamed }: Seen): readonly string[] {
  return [
    ...(unnamed === undefined ? [] : [withoutSupplierText(unnamed)]),
    ...(refusedData === 0
      ? []
      : [`The data of ${counted(refusedData, 'account')} in the export is refused now.`]),
    ...(partlyRead.length === 0 ? [] : [partlyReadText(partlyRead)]),
    ...(absent === 0 ? [] : [absentText(absent)]),
    ...(inDoubt === 0 ? [] : [doubtText(inDoubt)]),
  ];
}

function acceptedText(warned: number | undefined): string {
  if (warned === undefined) return 'The platform accepted every account.';
  if (warned === 0) return 'The platform accepted every account with all its data.';
  return `The platform accepted every account. There are warnings about ${formatCount(warned)} of them.`;
}
