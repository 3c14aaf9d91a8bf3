import { quoted } from './command-line.ts';
import { counted } from './format.ts';

/** What to do with the rows of accounts that were copied for corrections (`--rejects`). */
export function copiedRowsText(accounts: number, rejects: string): string {
  return `The rows of ${counted(accounts, 'account')} with refused data are in ${rejects}. Fix them there, then run the same command with --with ${quoted(rejects)} instead of --rejects.`;
}
