import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import type { Actor } from '../../domain/actor.ts';
import type { Journal } from '../../journal/journal.ts';
import { historySummary, historyText, type AccountHistory } from '../../report/account-history.ts';
import type { CommandResult } from '../../report/printer.ts';
import { collected } from '../collected.ts';
import type { CommonFlags } from '../usage.ts';
import { conclude } from '../conclude.ts';
import { findAccount, type FoundAccount } from '../find-account.ts';
import { openToRead } from '../open-to-read.ts';
import { resolveSettings } from '../resolve-settings.ts';
import type { Shell } from '../shell.ts';

export interface ShowFlags extends CommonFlags {
  readonly supplier?: string;
}

/** `migrate show`: shows everything that the journal knows of one account. */
export function showCommand(shell: Shell, account: string, flags: ShowFlags): Promise<ExitCode> {
  return conclude(shell, 'show', flags, async (printer) => {
    const config = await resolveSettings(shell, flags);
    printer.showTimesIn(config.timeZone);
    const journal = await openToRead(shell, config, printer);
    try {
      return await told(journal, await findAccount(journal, config, account));
    } finally {
      await journal.close();
    }
  });
}

/** One account's history as a command's result. */
export async function told(journal: Journal, found: FoundAccount): Promise<CommandResult> {
  const story = { ...(await storyOf(journal, found)), runs: await beganBy(journal) };
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
    partCells: await collected(journal.partCells(entry.id)),
    interventions: await collected(journal.interventionsOn(entry.id)),
  };
}

/** Who started each run, if that is known. */
async function beganBy(journal: Journal): Promise<ReadonlyMap<number, Actor>> {
  const actors = new Map<number, Actor>();
  for await (const { id, by } of journal.runs()) if (by !== undefined) actors.set(id, by);
  return actors;
}
