import { dirname, join, relative, resolve } from 'node:path';
import type { Config } from '../../config/load-config.ts';
import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import type { Actor } from '../../domain/actor.ts';
import type { Journal } from '../../journal/journal.ts';
import { historySummary, historyText, type AccountHistory } from '../../report/account-history.ts';
import { sentCells } from '../../pipeline/steps/sent-cells.ts';
import type { CommandResult, Printer } from '../../report/printer.ts';
import { CannotStart } from '../../app/cannot-start.ts';
import { readContract } from '../../app/effective-rules.ts';
import { cuttingOf } from '../../app/pipeline-settings.ts';
import { RowCache } from '../../source/row-cache.ts';
import { collected } from '../collected.ts';
import type { CommonFlags } from '../usage.ts';
import { conclude } from '../conclude.ts';
import { findAccount, type FoundAccount } from '../find-account.ts';
import { openToRead } from '../open-to-read.ts';
import { resolveSettings } from '../resolve-settings.ts';
import type { Shell } from '../shell.ts';

export interface ShowFlags extends CommonFlags {
  readonly supplier?: string;
  readonly export?: string;
  readonly with?: readonly string[];
  readonly mapping?: string;
  readonly encoding?: string;
  readonly delimiter?: string;
}

/** `migrate show`: shows everything that the journal knows of one account. */
export function showCommand(shell: Shell, account: string, flags: ShowFlags): Promise<ExitCode> {
  return conclude(shell, 'show', flags, async (printer) => {
    const config = await resolveSettings(shell, flags);
    printer.showTimesIn(config.timeZone);
    const journal = await openToRead(shell, config, printer);
    try {
      const found = await findAccount(journal, config, account);
      if (flags.export === undefined && flags.with !== undefined)
        throw new CannotStart(
          exitCodes.usage,
          '--with replaces accounts of an export, but no export was named. Name one with --export, or remove --with.',
        );
      const { export: path } = flags;
      return path === undefined
        ? await told(journal, found)
        : await told(
            journal,
            found,
            await sentData({ shell, printer, config }, found, { path, fixes: flags.with }),
          );
    } finally {
      await journal.close();
    }
  });
}

/** One account's history as a command's result. */
export async function told(
  journal: Journal,
  found: FoundAccount,
  sent?: AccountHistory['sent'],
): Promise<CommandResult> {
  const story = {
    ...(await storyOf(journal, found)),
    runs: await beganBy(journal),
    ...(sent === undefined ? {} : { sent }),
  };
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

/** The cells of everything that was sent, from the account's rows in an export. */
async function sentData(
  { shell, printer, config }: { readonly shell: Shell; readonly printer: Printer; readonly config: Config },
  { entry }: FoundAccount,
  { path, fixes }: { readonly path: string; readonly fixes: readonly string[] | undefined },
): Promise<AccountHistory['sent']> {
  // Loaded on demand: without an export, nothing is read.
  const { openPlansWith } = await import('../../app/open-plans-with.ts');
  const { account, supplier } = entry.key;
  const only = await RowCache.open(join(dirname(config.journal), 'explained.json'), account);
  const tenancy = await readContract(config);
  const opened = await openPlansWith(shell, printer, path, { ...config, only, with: fixes, tenancy });
  const mapping = config.mapping === undefined ? undefined : relative(shell.cwd, config.mapping);
  try {
    for await (const plan of opened.plans) {
      if (plan.key.account !== account || (plan.key.supplier !== supplier && plan.key.supplier !== ''))
        continue;
      const cutting = cuttingOf(config);
      const cells = entry.parts.flatMap((part) => {
        const found = sentCells(plan, part, cutting, ({ file }) => file !== mapping);
        return found === undefined ? [] : [{ part, cells: found.map(({ cell }) => cell) }];
      });
      return {
        place: plan.fix?.place ?? resolve(shell.cwd, path),
        parts: new Map(cells.map((one) => [one.part, one.cells])),
      };
    }
  } finally {
    opened.close();
  }
  throw new CannotStart(exitCodes.usage, `${path} has no account ${account} of ${supplier}.`);
}

/** Who started each run, if that is known. */
async function beganBy(journal: Journal): Promise<ReadonlyMap<number, Actor>> {
  const actors = new Map<number, Actor>();
  for await (const { id, by } of journal.runs()) if (by !== undefined) actors.set(id, by);
  return actors;
}
