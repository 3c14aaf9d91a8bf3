import { resolve } from 'node:path';
import { CannotStart } from '../../host/cannot-start.ts';
import { withTotal, type AccountState } from '../../domain/account-state.ts';
import { nearest } from '../../domain/nearest.ts';
import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import type { AccountEntry, Journal, SupplierOverview } from '../../journal/journal.ts';
import { counted } from '../../report/format.ts';
import type { CommandResult } from '../../report/printer.ts';
import type { KnownCells } from '../../report/listed-part.ts';
import { collected } from '../collected.ts';
import type { AnyCommand } from '../commander.ts';
import { accountState, bomOption, stepName, wholeNumber } from '../options.ts';
import type { Shell } from '../shell.ts';
import { Usage, type Action, type FlagsOf } from '../usage.ts';

const usage = () =>
  new Usage('list')
    .description("List accounts by state, code or step, with the faulty cells and the platform's messages")
    .example(
      'migrate list --state uncertain --csv rulings.csv',
      'migrate list --code invalid --limit 20',
      'migrate list --changed',
      'migrate list --summary',
    )
    .addOption(accountState('--state <state>', 'Only accounts in this state'))
    .option('--code <code>', 'Only accounts with this code, also as a warning')
    .option('--step <step>', 'Only accounts whose work in this step is not done', stepName)
    .option(
      '--changed [run]',
      'Only accounts whose rows in the export this run found changed; default: the last run, with those that shared its book',
      wholeNumber(1),
    )
    .option('--summary', 'Group rejected and failed accounts by what they share')
    .option('--supplier <code>', 'Only this import supplier')
    .option('--limit <n>', 'At most this many accounts', wholeNumber(1))
    .option(
      '--csv <file>',
      'Write the accounts to this file for a spreadsheet; `migrate resolve --from` reads it',
    )
    .addOption(bomOption)
    .option('--force', 'Overwrite a file of another kind');

type Flags = FlagsOf<typeof usage>;

export function listCommand({ shell, ended }: Action): AnyCommand {
  return usage().action(async (flags) => ended(await list(shell, flags)));
}

/** `migrate list`: lists the journal's accounts with what is not done of each, streamed. */
async function list(shell: Shell, flags: Flags): Promise<ExitCode> {
  const { AtomicFile } = await import('../../report/atomic-file.ts');
  const { byteOrderMark, listHeader, listLine } = await import('../../report/csv-lists.ts');
  const { codeSentences } = await import('../code-sentences.ts');
  const { listedHeader, listedParts, listedRecord, listedText } = await import('../../report/listed-part.ts');
  const { guardOutputs } = await import('../../run/session/output-files.ts');
  const { outputKinds } = await import('../../run/session/output-kinds.ts');
  const { conclude, resolveSettings } = await import('../conclude.ts');
  const { recordedSuppliers, recordedWithoutSupplier } = await import('../recorded-suppliers.ts');
  const { openToRead } = await import('../open-to-read.ts');
  const { paragraph } = await import('../../report/paragraph.ts');
  const { withoutSupplierText } = await import('../../report/without-supplier.ts');
  return conclude(shell, 'list', flags, async (printer) => {
    const config = await resolveSettings(shell, flags);
    printer.showTimesIn(config.timeZone);
    const { csv } = flags;
    const journal = await openToRead(shell, config, printer);
    try {
      const suppliers = await recordedSuppliers(journal, config);
      const platforms = new Set(suppliers.map(({ platformLabel }) => platformLabel));
      if (platforms.size > 1)
        throw new CannotStart(
          exitCodes.usage,
          `The journal has several platforms: ${[...platforms].join(', ')}. Name one with --profile or MIGRATE_BASE_URL.`,
        );
      if (flags.summary === true) return await groups(journal, suppliers, flags);
      await guardOutputs(shell, config, [{ name: '--csv', path: csv, kind: outputKinds.list }], flags);
      const file = csv === undefined ? undefined : AtomicFile.open(resolve(shell.cwd, csv));
      if (file !== undefined && !(file instanceof AtomicFile))
        throw new CannotStart(exitCodes.usage, `--csv: ${file.refusal}`);
      const { page } = printer;
      // A person sees the urgent accounts first, and no more than can be read.
      const isForPeople = file === undefined && flags.json !== true;
      const limit = flags.limit ?? (isForPeople && flags.changed === undefined ? mostForPeople : Infinity);
      const known = new Set<string>();
      let [accounts, parts, isCut] = [0, 0, false];
      try {
        file?.add(flags.bom === true ? byteOrderMark + listHeader : listHeader);
        const runs =
          flags.changed === true
            ? await lastRuns(journal)
            : flags.changed === undefined
              ? undefined
              : [flags.changed];
        const order = flags.state !== undefined ? [[flags.state]] : isForPeople ? byUrgency : [undefined];
        for await (const entry of entriesIn(journal, suppliers, runs, order)) {
          if (isGone(entry) || (flags.state !== undefined && entry.state !== flags.state)) continue;
          const cells = await knownCells(journal, entry, flags);
          for (const { code } of [entry, ...entry.parts, ...cells.problems]) known.add(code ?? '');
          const lines = listedParts(entry, cells, flags);
          if (lines.length === 0) continue;
          isCut = accounts === limit;
          if (isCut) break;
          if (isForPeople && accounts === 0) printer.line({}, listedHeader(page), { isPainted: true });
          accounts += 1;
          parts += lines.length;
          for (const line of lines) {
            file?.add(listLine(line));
            const text = file === undefined ? listedText(line, page) : undefined;
            printer.line(listedRecord(line), text, { isPainted: true });
          }
        }
        if (accounts === 0 && flags.code !== undefined)
          refuseSlip(flags.code, [...known, ...codeSentences().keys()]);
        const failure = file?.complete();
        if (failure !== undefined) throw new CannotStart(exitCodes.usage, `--csv: ${failure}`);
      } finally {
        file?.close();
      }
      const unnamed = await recordedWithoutSupplier(journal, suppliers);
      return {
        exit: exitCodes.done,
        summary: { accounts, parts, isCut, csv, withoutSupplier: unnamed?.accounts ?? 0 },
        evenIfQuiet: csv === undefined,
        text: (page) =>
          [
            `${counted(accounts, 'account')}${csv === undefined ? '' : ` in ${csv}`}${isCut ? '. There are more: --limit N shows more, --csv FILE writes all.' : ''}`,
            ...(unnamed === undefined
              ? []
              : [paragraph(page, `Not in the list: ${withoutSupplierText(unnamed)}`, '')]),
          ].join('\n'),
      };
    } finally {
      await journal.close();
    }
  });
}

/** `migrate list --summary`: the failures by what they share, instead of the accounts. */
async function groups(
  journal: Journal,
  suppliers: readonly SupplierOverview[],
  flags: Flags,
): Promise<CommandResult> {
  const other = (['state', 'code', 'step', 'changed', 'csv', 'limit', 'bom'] as const).find(
    (name) => flags[name] !== undefined,
  );
  if (other !== undefined)
    throw new CannotStart(exitCodes.usage, `--summary groups all accounts. Remove --${other}, or --summary.`);
  const { failureGroups } = await import('../../report/failures/failure-groups.ts');
  const { failureRecord, failuresTable } = await import('../../report/failures/failures-text.ts');
  const { newestRuns } = await import('../recorded-suppliers.ts');
  const found = await failureGroups(journal, suppliers, await newestRuns(journal, suppliers));
  const accounts = found.reduce((sum, group) => sum + group.accounts, 0);
  return {
    exit: exitCodes.done,
    summary: { accounts, groups: found.map(failureRecord) },
    evenIfQuiet: true,
    text: (page) => failuresTable(page, found),
  };
}

/** A person is shown so many accounts unless they say how many. */
const mostForPeople = 50;

/** The urgent ones first. */
const byUrgency: readonly (readonly AccountState[])[] = [
  ...([['uncertain'], ['failed'], ['rejected'], ['skipped']] as const),
  ...([['imported'], ['scheduled'], ['staged'], ['pending'], ['completed']] as const),
];

/** `order`: the states of each pass; undefined: all. */
async function* entriesIn(
  journal: Journal,
  suppliers: readonly SupplierOverview[],
  runs: readonly number[] | undefined,
  order: readonly (readonly AccountState[] | undefined)[],
): AsyncGenerator<AccountEntry> {
  for (const states of runs === undefined ? order : [undefined])
    for (const { platform, supplier } of suppliers)
      yield* runs === undefined
        ? journal.accounts(platform, supplier, states)
        : changedIn(journal, platform, supplier, runs);
}

/** Throws CannotStart if no account has a code that is nearly one that is known. */
function refuseSlip(code: string, known: readonly string[]): void {
  const meant = nearest(
    code,
    known.filter((name) => name !== ''),
  );
  if (meant === undefined || meant === code) return;
  throw new CannotStart(exitCodes.usage, `--code: no account has the code '${code}'. Did you mean ${meant}?`);
}

/** The newest run that recorded what it read, with those that shared its book. */
async function lastRuns(journal: Journal): Promise<readonly number[]> {
  for await (const { id, end, dryRun } of journal.runs()) {
    if (dryRun || (end?.reason === 'held' && withTotal(end.accounts).total === 0)) continue;
    const together = (await journal.groups?.runsWith(id)) ?? [];
    return together.length > 0 ? together : [id];
  }
  return [];
}

async function* changedIn(
  journal: Journal,
  platform: string,
  supplier: string,
  runs: readonly number[],
): AsyncGenerator<AccountEntry> {
  for (const run of runs) yield* journal.accountsChangedIn(platform, supplier, run);
}

/** Not created, and no longer in its export: it is in no count either. */
function isGone({ isAbsent, krakenAccountNumber, state }: AccountEntry): boolean {
  return isAbsent === true && krakenAccountNumber === undefined && state !== 'uncertain';
}

/** A code may be that of a warning, which holds nothing back. */
async function knownCells(
  journal: Journal,
  entry: AccountEntry,
  { code }: Pick<Flags, 'code'>,
): Promise<KnownCells> {
  const { isTroubled } = await import('../../report/listed-part.ts');
  const isAsked = code !== undefined && entry.hasProblems === true;
  return {
    problems: isTroubled(entry) || isAsked ? await collected(journal.problems(entry.id)) : [],
    partCells: entry.state === 'uncertain' ? await collected(journal.partCells(entry.id)) : [],
  };
}
