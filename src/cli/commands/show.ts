import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import type { Journal } from '../../journal/journal.ts';
import { openJournal } from '../../journal/sqlite/open-journal.ts';
import { historySummary, historyText, type AccountHistory } from '../../report/account-history.ts';
import type { CommandResult } from '../../report/printer.ts';
import { collected } from '../collected.ts';
import type { CommonFlags } from '../common-flags.ts';
import { conclude } from '../conclude.ts';
import { findAccount, type FoundAccount } from '../find-account.ts';
import { resolveSettings } from '../resolve-settings.ts';
import type { Shell } from '../shell.ts';

export interface ShowFlags extends CommonFlags {
  readonly supplier?: string;
}

/** `migrate show`: all that the journal knows of one account. */
export function showCommand(shell: Shell, account: string, flags: ShowFlags): Promise<ExitCode> {
  return conclude(shell, 'show', flags, async () => {
    const config = await resolveSettings(shell, flags);
    const journal = openJournal(config.journal, { synchronous: config.synchronous, create: false });
    try {
      return await told(journal, await findAccount(journal, config, account));
    } finally {
      await journal.close();
    }
  });
}

/** One account's story as a command's result. */
export async function told(journal: Journal, found: FoundAccount): Promise<CommandResult> {
  const story = await storyOf(journal, found);
  return { exit: exitCodes.done, summary: historySummary(story), text: (page) => historyText(page, story) };
}

export async function storyOf(
  journal: Journal,
  { entry, platformLabel }: FoundAccount,
): Promise<AccountHistory> {
  return {
    platformLabel,
    entry,
    attempts: await collected(journal.attempts(entry.id)),
    problems: await collected(journal.problems(entry.id)),
  };
}
