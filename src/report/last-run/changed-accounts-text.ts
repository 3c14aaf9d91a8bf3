import { formatCount } from '../format.ts';

/** What a sample of the accounts showed that were sent. */
export interface ChangedAccounts {
  readonly compared: number;
  /** Of these, those of which something that was sent is other data now, or gone. */
  readonly changed: number;
  /** In how many of them a file and column, or a step, is concerned. */
  readonly places: ReadonlyMap<string, number>;
}

/** More places than these are counted. */
const mostNamed = 5;

/** Why the data of the accounts is suspicious, and the remedy. No value is told. `others`: what maps them and has changed. */
export function changedAccountsText(
  { compared, changed, places }: ChangedAccounts,
  mostPercent: number,
  others: readonly string[],
): string {
  const sorted = [...places].toSorted(([, one], [, other]) => other - one);
  const named = sorted.slice(0, mostNamed).map(([place, accounts]) => `${place} (${formatCount(accounts)})`);
  const more = sorted.length > mostNamed ? `, and ${formatCount(sorted.length - mostNamed)} more places` : '';
  return (
    `more than ${mostPercent} % of the accounts that were sent have other data now: ${formatCount(changed)} of ${formatCount(compared)} that were compared, in ${named.join(', ')}${more}. ` +
    (others.length === 0
      ? 'A file may be that of another supplier, or a column may have shifted. '
      : `Since the last run, this changed beside the export: ${others.join(', ')}. `) +
    'Restore what changed. If it is right, run once with --accept-changes, and again until every account was taken.'
  );
}

const reasons = {
  with: '--with is given',
  module: "the mapping's module does not say that it is pure",
  platform: 'the embedded platform has not run before',
} as const;

/** Why accounts that were sent are not compared with the export. */
export function notComparedText(why: keyof typeof reasons): string {
  return `Accounts that were sent are not compared with the export: ${reasons[why]}.`;
}
