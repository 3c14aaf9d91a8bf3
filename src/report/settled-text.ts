import { counted, formatCount } from './format.ts';
import { paragraph } from './paragraph.ts';
import type { Page } from './terminal.ts';

export interface SettledView {
  /** Accounts that were asked about, and their requests by what reading showed. */
  readonly accounts: number;
  readonly done: number;
  readonly doubled: number;
  readonly repeat: number;
  readonly uncertain: number;
  /** Accounts that are uncertain now. */
  readonly left: number;
  readonly isDryRun: boolean;
  readonly stopped: 'budget' | 'interrupted' | undefined;
}

/** For people: what reading settled. */
export function settledText(page: Page, view: SettledView): string {
  const { accounts, done, doubled, repeat, uncertain, left, isDryRun, stopped } = view;
  const requests = done + doubled + repeat + uncertain;
  const lines =
    accounts === 0
      ? ['Nothing that is uncertain could be asked by reading.']
      : [
          `${counted(requests, 'request')} of ${counted(accounts, 'account')}: ${formatCount(done + doubled)} done, ${formatCount(repeat)} to be sent again, ${formatCount(uncertain)} still uncertain.`,
        ];
  if (doubled > 0)
    lines.push(
      `The platform holds ${counted(doubled, 'request')} once too often: have one of each removed there.`,
    );
  if (stopped === 'budget')
    lines.push('The points of this hour are spent. Run the same command again later.');
  if (stopped === 'interrupted') lines.push('Interrupted. Run the same command again.');
  if (isDryRun) lines.push('Nothing was recorded (--dry-run).');
  else if (done + doubled + repeat > 0) lines.push('The next run continues.');
  if (left > 0 && !isDryRun)
    lines.push(
      `${counted(left, 'account')} ${left === 1 ? 'is' : 'are'} uncertain: rule on the rest with \`migrate resolve\`.`,
    );
  return lines.map((line) => paragraph(page, line)).join('\n');
}
