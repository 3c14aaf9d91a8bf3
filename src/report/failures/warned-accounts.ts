import type { Journal, RecordedProblem, SupplierOverview } from '../../journal/journal.ts';
import type { Commands } from '../advice/commands.ts';
import { counted, formatCount } from '../format.ts';
import { keepsWarning, warningCodes } from '../listed-part.ts';

/** Completed accounts with warnings. */
export interface WarnedAccounts {
  readonly accounts: number;
  /** The accounts of each code, the most frequent first. */
  readonly byCode: readonly (readonly [string, number])[];
}

/** A larger book would be read for longer than a person waits for a line: the report counts there. */
const mostRead = 20_000;

/** Counts them, by reading every completed account; undefined if there are too many. */
export async function warnedAccounts(
  journal: Pick<Journal, 'accounts' | 'problems'>,
  suppliers: readonly Pick<SupplierOverview, 'platform' | 'supplier' | 'accounts'>[],
): Promise<WarnedAccounts | undefined> {
  const completed = suppliers.reduce((sum, { accounts: of }) => sum + of.completed, 0);
  if (completed > mostRead) return undefined;
  const counts = new Map<string, number>();
  let accounts = 0;
  for (const { platform, supplier } of suppliers)
    for await (const entry of journal.accounts(platform, supplier, ['completed'])) {
      if (entry.hasProblems !== true && !entry.parts.some(keepsWarning)) continue;
      const problems: RecordedProblem[] = [];
      if (entry.hasProblems === true)
        for await (const problem of journal.problems(entry.id)) problems.push(problem);
      const codes = warningCodes(entry, problems);
      if (codes.length > 0) accounts += 1;
      for (const code of codes) counts.set(code, (counts.get(code) ?? 0) + 1);
    }
  return { accounts, byCode: [...counts].sort(([, one], [, other]) => other - one) };
}

/** Codes that are named. */
const mostNamed = 3;

/** The same for people, with the command that lists them; nothing if there are none, or they are not counted. */
export function warnedText(
  { accounts, byCode }: WarnedAccounts = { accounts: 0, byCode: [] },
  list: Commands['list'],
): readonly string[] {
  const [most] = byCode;
  if (most === undefined) return [];
  const have = accounts === 1 ? 'has' : 'have';
  const named = byCode.slice(0, mostNamed).map(([code, count]) => `${code} ${formatCount(count)}`);
  const more = byCode.length > mostNamed ? `, and ${counted(byCode.length - mostNamed, 'more code')}` : '';
  const which = byCode.length > 1 ? 'those of the first code' : accounts === 1 ? 'it' : 'them';
  return [
    `Of the complete accounts, ${formatCount(accounts)} ${have} warnings (${named.join(', ')}${more}): \`${list(`--code ${most[0]}`)}\` lists ${which}.`,
  ];
}
