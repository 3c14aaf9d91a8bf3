import { exitCodes } from '../domain/exit-codes.ts';
import type { Actor } from '../domain/actor.ts';
import type { Journal } from '../journal/journal.ts';
import { historySummary, historyText, type AccountHistory } from '../report/account-history.ts';
import type { CommandResult } from '../report/printer.ts';
import { collected } from './collected.ts';
import type { FoundAccount } from './recorded-suppliers.ts';

/** One account's history as a command's result. */
export async function told(
  journal: Journal,
  found: FoundAccount,
  sent?: AccountHistory['sent'],
): Promise<CommandResult> {
  const story = {
    ...(await storyOf(journal, found)),
    runs: await beganBy(journal),
    sent,
  };
  return {
    exit: exitCodes.done,
    summary: historySummary(story),
    text: (page) => historyText(page, story),
    evenIfQuiet: true,
  };
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
