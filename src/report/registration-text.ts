import { counted, formatCount } from './format.ts';
import { paragraph } from './paragraph.ts';
import { table } from './table.ts';
import type { Page } from './terminal.ts';

/** Meter points in a status, and the accounts that have any of these. */
export interface StatusRow {
  readonly status: string;
  readonly meterPoints: number;
  readonly accounts: number;
}

/** What `register` did; numbers are accounts. */
export interface RegistrationView {
  readonly done: number;
  readonly earlier: number;
  readonly due: number;
  readonly none: number;
  readonly elsewhere: number;
  readonly refused: number;
  readonly failed: number;
  readonly uncertain: number;
  /** The statuses that accounts are marked from. */
  readonly from: readonly string[];
  readonly isDryRun: boolean;
  /** As many accounts are marked as it was told to. */
  readonly isLimited: boolean;
  /** Why it ended early, as a sentence. */
  readonly stopped: string | undefined;
}

/** How many meter points have which status. */
export function statusesText(page: Page, rows: readonly StatusRow[]): string {
  return table(
    page,
    [
      { title: 'Status', whole: true },
      { title: 'Meter points', align: 'right' },
      { title: 'Accounts', align: 'right' },
    ],
    rows.map(({ status, meterPoints, accounts }) => [
      status,
      formatCount(meterPoints),
      formatCount(accounts),
    ]),
  );
}

/** For people: what became of the accounts. */
export function registrationText(page: Page, view: RegistrationView): string {
  const { done, earlier, due, none, elsewhere, refused, failed, uncertain, isDryRun, stopped } = view;
  const lines = [
    isDryRun
      ? `${counted(due, 'account')} would be marked for registration. Nothing was sent (--dry-run).`
      : `${counted(done, 'account')} ${done === 1 ? 'is' : 'are'} marked for registration, by this command or found so.`,
    ...(earlier > 0 ? [`Marked before: ${formatCount(earlier)}.`] : []),
    ...(view.isLimited
      ? ['The limit is reached. Accounts that follow, if there are any, were not looked at.']
      : []),
    ...(none > 0 ? [`Without meter points: ${formatCount(none)}.`] : []),
    ...(elsewhere > 0
      ? [
          `Left alone, because a meter point is not ${view.from.join(' or ')}: ${formatCount(elsewhere)}. \`migrate meterpoints --csv FILE\` lists them.`,
        ]
      : []),
    ...(refused > 0
      ? [`Refused by the platform: ${formatCount(refused)}. The same command tries them again.`]
      : []),
    ...(failed > 0 ? [`Not reached: ${formatCount(failed)}. Run the same command again.`] : []),
    ...(uncertain > 0
      ? [
          `Uncertain: ${formatCount(uncertain)}. The answer to the request was lost, or it marked a part. The same command looks whether their statuses have moved since, and sends nothing for them. ` +
            'If they stay, look on the platform and rule: `migrate resolve SUPPLIER/ACCOUNT --step registration --as done`, or `--as repeat`.',
        ]
      : []),
    ...(stopped === undefined ? [] : [stopped]),
  ];
  return lines.map((line) => paragraph(page, line)).join('\n');
}
