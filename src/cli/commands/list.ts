import { resolve } from 'node:path';
import { CannotStart } from '../../host/cannot-start.ts';
import { nearest } from '../../domain/nearest.ts';
import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import type { Journal, SupplierOverview } from '../../journal/journal.ts';
import { counted } from '../../report/format.ts';
import type { CommandResult, Printer } from '../../report/printer.ts';
import type { WithoutSupplier } from '../../report/without-supplier.ts';
import type { AnyCommand } from '../commander.ts';
import type { ListedAccount } from '../listed-accounts.ts';
import type { ListedRows } from '../listed-rows.ts';
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
  const { guardOutputs } = await import('../../run/session/output-files.ts');
  const { outputKinds } = await import('../../run/session/output-kinds.ts');
  const { conclude, resolveSettings } = await import('../conclude.ts');
  const { accountsToList, leftOut } = await import('../listed-accounts.ts');
  const { recordedSuppliers, recordedWithoutSupplier } = await import('../recorded-suppliers.ts');
  const { openToRead } = await import('../open-to-read.ts');
  const { ListedRows } = await import('../listed-rows.ts');
  return conclude(shell, 'list', flags, async (printer) => {
    const config = await resolveSettings(shell, flags);
    printer.showTimesIn(config.timeZone);
    const journal = await openToRead(shell, config, printer);
    try {
      const suppliers = await recordedSuppliers(journal, config);
      refuseSeveralPlatforms(suppliers);
      if (flags.summary === true) return await groups(journal, suppliers, flags);
      await guardOutputs(shell, config, [{ name: '--csv', path: flags.csv, kind: outputKinds.list }], flags);
      const found = await accountsToList(journal, suppliers, flags);
      const rows = new ListedRows(printer, suppliers.length > 1);
      const listed = await write(found, flags, { printer, rows, cwd: shell.cwd });
      const unlisted = {
        completed: leftOut(suppliers, flags),
        unnamed: await recordedWithoutSupplier(journal, suppliers),
      };
      return await ending(listed, flags, unlisted);
    } finally {
      await journal.close();
    }
  });
}

function refuseSeveralPlatforms(suppliers: readonly SupplierOverview[]): void {
  const platforms = new Set(suppliers.map(({ platformLabel }) => platformLabel));
  if (platforms.size > 1)
    throw new CannotStart(
      exitCodes.usage,
      `The journal has several platforms: ${[...platforms].join(', ')}. Name one with --profile or MIGRATE_BASE_URL.`,
    );
}

/** What was listed; `isCut`: there are more. */
interface Listed {
  readonly accounts: number;
  readonly parts: number;
  readonly isCut: boolean;
}

/** Writes the accounts to the file that is asked for, and to the printer. */
async function write(
  listed: AsyncIterable<ListedAccount>,
  flags: Flags,
  { printer, rows, cwd }: { readonly printer: Printer; readonly rows: ListedRows; readonly cwd: string },
): Promise<Listed> {
  const { AtomicFile } = await import('../../report/atomic-file.ts');
  const { byteOrderMark, listHeader, listLine } = await import('../../report/csv-lists.ts');
  const { isForPeople, mostOf } = await import('../listed-accounts.ts');
  const { listedRecord } = await import('../../report/listed-part.ts');
  const { csv } = flags;
  const file = csv === undefined ? undefined : AtomicFile.open(resolve(cwd, csv));
  if (file !== undefined && !(file instanceof AtomicFile))
    throw new CannotStart(exitCodes.usage, `--csv: ${file.refusal}`);
  const limit = mostOf(flags);
  const known = new Set<string>();
  let [accounts, parts, isCut] = [0, 0, false];
  try {
    file?.add(flags.bom === true ? byteOrderMark + listHeader : listHeader);
    for await (const { codes, lines } of listed) {
      for (const code of codes) known.add(code);
      if (lines.length === 0) continue;
      isCut = accounts === limit;
      if (isCut) break;
      accounts += 1;
      parts += lines.length;
      for (const line of lines) {
        file?.add(listLine(line));
        if (isForPeople(flags)) rows.add(line);
        else printer.line(listedRecord(line));
      }
    }
    rows.print();
    if (accounts === 0 && flags.code !== undefined) await refuseSlip(flags.code, known);
    const failure = file?.complete();
    if (failure !== undefined) throw new CannotStart(exitCodes.usage, `--csv: ${failure}`);
  } finally {
    file?.close();
  }
  return { accounts, parts, isCut };
}

/** Accounts that are not in the list. */
interface Unlisted {
  readonly completed: number;
  /** Those that no supplier is named for, which are in no list. */
  readonly unnamed: WithoutSupplier | undefined;
}

async function ending(
  { accounts, parts, isCut }: Listed,
  { csv }: Flags,
  { completed, unnamed }: Unlisted,
): Promise<CommandResult> {
  const { paragraph } = await import('../../report/paragraph.ts');
  const { withoutSupplierText } = await import('../../report/without-supplier.ts');
  const where = csv === undefined ? '' : ` in ${csv}`;
  const more = isCut ? '. There are more: --limit N shows more, --csv FILE writes all.' : '';
  return {
    exit: exitCodes.done,
    summary: { accounts, parts, isCut, csv, withoutSupplier: unnamed?.accounts ?? 0 },
    evenIfQuiet: csv === undefined,
    text: (page) =>
      [
        `${counted(accounts, 'account')}${where}${more}`,
        ...(completed === 0
          ? []
          : [
              `Not listed: ${counted(completed, 'completed account')}. --state completed lists ${completed === 1 ? 'it' : 'them'}.`,
            ]),
        ...(unnamed === undefined
          ? []
          : [paragraph(page, `Not in the list: ${withoutSupplierText(unnamed)}`, '')]),
      ].join('\n'),
  };
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
  const { failureRecord, failuresList } = await import('../../report/failures/failures-text.ts');
  const { newestRuns } = await import('../recorded-suppliers.ts');
  const found = await failureGroups(journal, suppliers, await newestRuns(journal, suppliers));
  const accounts = suppliers.reduce((sum, { accounts: of }) => sum + of.rejected + of.failed, 0);
  return {
    exit: exitCodes.done,
    summary: { accounts, groups: found.map(failureRecord) },
    evenIfQuiet: true,
    text: (page) => failuresList(page, found),
  };
}

/** Throws CannotStart if no account has a code that is nearly one that is known. */
async function refuseSlip(code: string, seen: ReadonlySet<string>): Promise<void> {
  const { codeSentences } = await import('../code-sentences.ts');
  const known = [...seen, ...codeSentences().keys()];
  const meant = nearest(
    code,
    known.filter((name) => name !== ''),
  );
  if (meant === undefined || meant === code) return;
  throw new CannotStart(exitCodes.usage, `--code: no account has the code '${code}'. Did you mean ${meant}?`);
}
