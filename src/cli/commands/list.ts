import { resolve } from 'node:path';
import { CannotStart } from '../../host/cannot-start.ts';
import { nearest } from '../../domain/nearest.ts';
import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import type { Journal, SupplierOverview } from '../../journal/journal.ts';
import { counted } from '../../report/format.ts';
import type { CommandResult, Printer } from '../../report/printer.ts';
import type { WithoutSupplier } from '../../report/without-supplier.ts';
import type { ListedPart } from '../../report/listed-part.ts';
import type { Shell } from '../shell.ts';
import { guardOutputs } from '../../run/session/output-files.ts';
import { outputKinds } from '../../run/session/output-kinds.ts';
import { accountsToList, allCodes, leftOut } from '../listed-accounts.ts';
import { recordedSuppliers, recordedWithoutSupplier } from '../recorded-suppliers.ts';
import { concludeReading } from '../open-to-read.ts';
import { ListedRows } from '../listed-rows.ts';
import { PlatformListings } from '../platform-listings.ts';
import { AtomicFile } from '../../report/atomic-file.ts';
import { byteOrderMark, listHeader, listLine } from '../../report/csv-lists.ts';
import { isForPeople, mostOf } from '../listed-accounts.ts';
import { listedRecord } from '../../report/listed-part.ts';
import { paragraph } from '../../report/paragraph.ts';
import { withoutSupplierText } from '../../report/without-supplier.ts';
import { failureGroups } from '../../report/failures/failure-groups.ts';
import { failureRecord, failuresList } from '../../report/failures/failures-text.ts';
import { newestRuns } from '../recorded-suppliers.ts';
import { codeSentences } from '../code-sentences.ts';
import type { ListFlags } from '../usages/list.ts';

/** `migrate list`: lists the journal's accounts with what is not done of each, streamed. */
export async function list(shell: Shell, flags: ListFlags): Promise<ExitCode> {
  return concludeReading(shell, 'list', flags, async ({ printer, config, journal }) => {
    const suppliers = await recordedSuppliers(journal, config);
    refuseSeveralPlatforms(suppliers);
    if (flags.summary === true) return await groups(journal, suppliers, flags);
    await guardOutputs(shell, config, [{ name: '--csv', path: flags.csv, kind: outputKinds.list }], flags);
    const listings = flags.remote === true ? await PlatformListings.read(shell, config, journal) : undefined;
    const found = await accountsToList(journal, suppliers, flags);
    const rows = new ListedRows(printer, suppliers.length > 1);
    const unknown = async (code: string) => unknownOf(code, await allCodes(journal));
    const output = { printer, rows, listings, cwd: shell.cwd, unknown };
    const listed = await write(found, flags, output).finally(() => listings?.close());
    const unlisted = {
      completed: leftOut(suppliers, flags),
      unnamed: await recordedWithoutSupplier(journal, suppliers),
    };
    return ending(listed, flags, unlisted);
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
  /** The code that is asked for, if it is none of migrate's and no account of the journal has it. */
  readonly unknownCode: string | undefined;
}

/** Where the accounts are written, and what the platform says of them. */
interface Output {
  readonly printer: Printer;
  readonly rows: ListedRows;
  readonly listings: PlatformListings | undefined;
  readonly cwd: string;
  /** The code, if it is unknown. Throws CannotStart for a slip. */
  readonly unknown: (code: string) => Promise<string | undefined>;
}

/** Writes the accounts to the file that is asked for, and to the printer. */
async function write(
  listed: AsyncIterable<readonly ListedPart[]>,
  flags: ListFlags,
  { printer, rows, listings, cwd, unknown }: Output,
): Promise<Listed> {
  const { csv } = flags;
  const file = csv === undefined ? undefined : AtomicFile.open(resolve(cwd, csv));
  if (file !== undefined && !(file instanceof AtomicFile))
    throw new CannotStart(exitCodes.usage, `--csv: ${file.refusal}`);
  const limit = mostOf(flags);
  let [accounts, parts, isCut] = [0, 0, false];
  let unknownCode: string | undefined;
  try {
    const header = listHeader(listings !== undefined);
    file?.add(flags.bom === true ? byteOrderMark + header : header);
    for await (const lines of listed) {
      if (lines.length === 0) continue;
      isCut = accounts === limit;
      if (isCut) break;
      accounts += 1;
      parts += lines.length;
      for (const own of lines) {
        const line = listings === undefined ? own : { ...own, listing: listings.of(own) };
        file?.add(listLine(line));
        if (isForPeople(flags)) rows.add(line);
        else printer.line(listedRecord(line));
      }
    }
    rows.print();
    if (accounts === 0 && flags.code !== undefined) unknownCode = await unknown(flags.code);
    if (unknownCode !== undefined)
      printer.warn(
        `--code: no account has the code '${unknownCode}'. \`migrate list --summary\` lists the codes of rejected and failed accounts.`,
      );
    const failure = file?.complete();
    if (failure !== undefined) throw new CannotStart(exitCodes.usage, `--csv: ${failure}`);
  } finally {
    file?.close();
  }
  return { accounts, parts, isCut, unknownCode };
}

/** Accounts that are not in the list. */
interface Unlisted {
  readonly completed: number;
  /** Those that no supplier is named for, which are in no list. */
  readonly unnamed: WithoutSupplier | undefined;
}

function ending(
  { accounts, parts, isCut, unknownCode }: Listed,
  { csv }: ListFlags,
  { completed, unnamed }: Unlisted,
): CommandResult {
  const where = csv === undefined ? '' : ` in ${csv}`;
  const more = isCut ? '. There are more: --limit N shows more, --csv FILE writes all.' : '';
  return {
    exit: exitCodes.done,
    summary: { accounts, parts, isCut, csv, withoutSupplier: unnamed?.accounts ?? 0, unknownCode },
    evenIfQuiet: csv === undefined,
    text: (page) =>
      [
        paragraph(page, `${counted(accounts, 'account')}${where}${more}`, ''),
        ...(completed === 0
          ? []
          : [
              paragraph(
                page,
                `Not listed: ${counted(completed, 'completed account')}. --state completed lists ${completed === 1 ? 'it' : 'them'}.`,
                '',
              ),
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
  flags: ListFlags,
): Promise<CommandResult> {
  const other = (['state', 'code', 'step', 'changed', 'csv', 'limit', 'bom', 'remote'] as const).find(
    (name) => flags[name] !== undefined,
  );
  if (other !== undefined)
    throw new CannotStart(exitCodes.usage, `--summary groups all accounts. Remove --${other}, or --summary.`);
  const found = await failureGroups(journal, suppliers, await newestRuns(journal, suppliers));
  const accounts = suppliers.reduce((sum, { accounts: of }) => sum + of.rejected + of.failed, 0);
  return {
    exit: exitCodes.done,
    summary: { accounts, groups: found.map(failureRecord) },
    evenIfQuiet: true,
    text: (page) => failuresList(page, found),
  };
}

/** More is no slip, but a code of the tenancy's own. */
const mostSlips = 2;

/**
 * The code if it is none of the tool's, and none that an account has: a tenancy's own may come another night. Throws CannotStart if it
 * is nearly one of them.
 */
function unknownOf(code: string, seen: ReadonlySet<string>): string | undefined {
  const known = [...seen, ...codeSentences().keys()].filter((name) => name !== '');
  if (known.includes(code)) return undefined;
  const others = known.filter((name) => withoutNumbers(name) !== withoutNumbers(code));
  const meant = nearest(code, others, mostSlips);
  if (meant === undefined) return code;
  throw new CannotStart(exitCodes.usage, `--code: no account has the code '${code}'. Did you mean ${meant}?`);
}

/** Codes that differ in a number, such as KT-CT-4120, are not each other's slips. */
function withoutNumbers(code: string): string {
  return code.replaceAll(/\d+/g, '0');
}
