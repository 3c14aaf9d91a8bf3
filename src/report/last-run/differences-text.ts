import type { RunEntry } from '../../journal/journal.ts';
import { counted, formatCount, formatTime, utcTime } from '../format.ts';
import type { CountChange, Counted, Differences, Recoded, Shrunk } from './compare-runs.ts';

/** What a run has that the last one had not, for people: a heading, and a line for each; nothing if nothing differs. */
export function differencesText(found: Differences, timeZone = 'UTC'): string[] {
  const lines = [
    ...(found.platform === undefined
      ? []
      : [`platform ${found.platform.now} (it was ${found.platform.before})`]),
    ...(found.profile === undefined
      ? []
      : [`profile ${found.profile.now ?? 'none'} (it was ${found.profile.before ?? 'none'})`]),
    ...(found.version === undefined ? [] : [`migrate ${found.version.now} (it was ${found.version.before})`]),
    ...found.options.map(optionText),
    ...found.counts.map(countText),
    ...found.codeTables.map((count) => `code table ${countText(count)}`),
    ...found.recoded.map((table) => `code table ${recodedText(table)}`),
    ...found.gone.map((file) => `${file}: no longer in the export`),
    ...found.added.map((file) => `${file}: new in the export`),
    ...(found.others.length === 0 ? [] : [`changed: ${found.others.join(', ')}`]),
  ];
  if (lines.length === 0) return [];
  return [
    `Different from run ${found.since.id} (${zoned(found.since.startedAt, timeZone)}): ${lines.join('; ')}.`,
  ];
}

function optionText({ name, before, now }: Differences['options'][number]): string {
  if (now === '') return `no --${name} (it was ${before})`;
  return `${now} (it was ${before === '' ? 'not given' : before})`;
}

/** The export is one that was read before, and not the last one. */
export function sameExportText(
  { id, startedAt }: Pick<RunEntry, 'id' | 'startedAt'>,
  since: Pick<RunEntry, 'id'>,
  timeZone = 'UTC',
): string {
  return `The export is byte for byte the one of run ${id} (${zoned(startedAt, timeZone)}), not the one of run ${since.id}.`;
}

/** In one zone with the other times of a page. */
function zoned(at: number, timeZone: string): string {
  return timeZone === 'UTC' ? utcTime(at) : `${formatTime(at, timeZone)} ${timeZone}`;
}

const accepted = 'If it is whole, run once with --accept-shrinkage.';
const ofExport = { what: 'the export', remedy: `Export it again. ${accepted}` };
const ofCodeTable = { what: 'a code table', remedy: `Put the whole table back. ${accepted}` };

const countedWords: Readonly<Record<Counted, string>> = {
  rows: 'rows',
  accounts: 'accounts',
  'own rows': 'rows that belong to its accounts',
};

/** More files than these are counted. */
const mostNamed = 5;

/** Why an export, or a code table, that shrank is suspicious, and the remedy. */
export function shrinkageText(
  { id }: Pick<RunEntry, 'id'>,
  lost: readonly Shrunk[],
  mostPercent: number,
): string {
  const named = lost.slice(0, mostNamed).map(shrunkText).join('; ');
  const more = lost.length > mostNamed ? `; and ${counted(lost.length - mostNamed, 'more count')}` : '';
  const { what, remedy } = lost.every(({ isCodeTable }) => isCodeTable) ? ofCodeTable : ofExport;
  const isOther = lost.every((one) => one.what === 'own rows');
  const why = isOther
    ? 'It has rows of other accounts: it may be the file of another supplier, or of another export.'
    : 'It may have been cut short.';
  return `${what} has shrunk since run ${id} by more than ${mostPercent} %: ${named}${more}. ${why} ${remedy}`;
}

/** Why a code table with other values is suspicious, and the remedy. */
export function recodedTables({ id }: Pick<RunEntry, 'id'>, tables: readonly Recoded[]): string {
  const named = tables.slice(0, mostNamed).map((table) => `the code table ${recodedText(table)}`);
  return `codes of the mapping have other values than in run ${id}: ${named.join('; ')}. Accounts would be sent with them. Put the values back. If they are right, run once with --accept-changes.`;
}

function recodedText({ file, codes, changed, isExchange }: Recoded): string {
  const places = isExchange ? ', which have changed places' : '';
  return `${file}: ${formatCount(changed)} of the ${formatCount(codes)} codes that were compared have other values${places}`;
}

function countText({ file, what, before, now }: CountChange): string {
  return `${file === '' ? 'the export' : file}: ${formatCount(now)} ${countedWords[what]} (${formatCount(before)} before)`;
}

function shrunkText({ file, what, before, now, lost, isCodeTable }: Shrunk): string {
  const name = isCodeTable ? `the code table ${file}` : file === '' ? 'the export' : file;
  return `${name} has ${formatCount(now)} of ${formatCount(before)} ${countedWords[what]} (-${lost.toFixed(lost < 10 ? 1 : 0)} %)`;
}
