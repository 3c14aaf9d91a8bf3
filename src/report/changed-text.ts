import type { ChangeCause } from '../domain/change-cause.ts';
import type { RunEnding } from './ending.ts';
import { counted, formatCount } from './format.ts';

/** What to do about accounts that differ from what was sent, for a cause that is not known. */
export function changedText(accounts: number): string {
  return `${formatCount(accounts)} changed after the import: ${notChanged} Restore what changed (the export, the mapping or a code table), or ${correct}`;
}

/** The same, by cause, of the accounts that a run took. */
export function changedTexts(accounts: number, changedBy: RunEnding['changedBy'] = []): readonly string[] {
  const known = changedBy.reduce((sum, one) => sum + one.accounts, 0);
  const texts = changedBy.map(({ cause, accounts: some }) => textOf(cause, some));
  return known < accounts ? [...texts, changedText(accounts - known)] : texts;
}

function textOf(cause: ChangeCause, accounts: number): string {
  const many = counted(accounts, 'account');
  const map = accounts === 1 ? 'maps' : 'map';
  switch (cause.by) {
    case 'export':
      return `${formatCount(accounts)} changed in the export after the import: ${notChanged} Restore the export, or ${correct} \`migrate explain --earlier\` shows what changed since an earlier export.`;
    case 'codes': {
      const files = cause.files.join(' and ');
      return `${files} changed since run ${cause.since}: ${many} ${map} differently, and ${notChanged} Restore ${files}, or ${correct}`;
    }
    case 'mapping':
      return `The mapping, the contract, a setting or the tool's version changed since the import: ${many} ${map} differently, and ${notChanged} Restore what changed, or ${correct} \`migrate explain --diff\` shows what a change of the mapping changes.`;
  }
}

const notChanged = 'an account that exists is not changed.';
const correct = 'correct the account on the platform by hand.';
