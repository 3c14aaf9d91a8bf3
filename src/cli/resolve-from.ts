import { CannotStart } from '../host/cannot-start.ts';
import { openToChange } from '../run/session/open-to-change.ts';
import { actorOf } from '../host/actor.ts';
import { exitCodes, type ExitCode } from '../domain/exit-codes.ts';
import type { AccountEntry, Journal, PartEntry, SupplierOverview } from '../journal/journal.ts';
import {
  partsToRule,
  type Ruling,
  type RulingOnParts,
  type RulingRefused,
  takeDown,
} from '../pipeline/account/rulings.ts';
import { counted, formatCount } from '../report/format.ts';
import { isSpreadsheetCellOf } from '../report/csv-lists.ts';
import { conclude, resolveSettings } from './conclude.ts';
import { holdingSupplier } from './holding-supplier.ts';
import { openToRead } from './open-to-read.ts';
import { recordedSuppliers } from './recorded-suppliers.ts';
import {
  readRulingFile,
  skipIsOfProcess,
  type RulingFault,
  type RulingFile,
  type RulingRow,
} from './ruling-file.ts';
import type { Shell } from './shell.ts';
import type { CommonFlags } from './usage.ts';

export interface ResolveFromFlags extends CommonFlags {
  readonly from?: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly supplier?: string;
  /** Options that exclude `from`. */
  readonly account?: string | undefined;
  readonly step?: string;
  readonly as?: string;
  readonly part?: number;
  readonly number?: string;
  readonly accounts?: string;
}

const mostShown = 20;

/**
 * `migrate resolve --from`: records the rulings of a file, all of them or none. The whole file is checked before any
 * change, and again while no run holds its suppliers; then one commit records them all.
 */
export function resolveFrom(shell: Shell, flags: ResolveFromFlags): Promise<ExitCode> {
  return conclude(shell, 'resolve', flags, async (printer) => {
    const config = await resolveSettings(shell, flags);
    const { from = '', dryRun = false } = flags;
    for (const name of ['account', 'step', 'as', 'part', 'number', 'accounts'] as const)
      if (flags[name] !== undefined)
        throw new CannotStart(
          exitCodes.usage,
          `--from reads accounts, steps and rulings from the file. Remove ${name === 'account' ? 'the account' : `--${name}`}.`,
        );
    const file = await readRulingFile(shell, from);
    const journal = dryRun
      ? await openToRead(shell, config, printer)
      : await openToChange(shell, config, printer, { create: false });
    try {
      const suppliers = await recordedSuppliers(journal, config);
      const check = async (): Promise<CheckedRulings> => {
        const checked = await checkRulings(journal, suppliers, file.rows);
        refuseFaults(from, [...file.faults, ...checked.faults]);
        return checked;
      };
      let checked = await check();
      if (!dryRun && checked.accounts.length > 0) {
        await askFirst(shell, flags, countsText(checked));
        const held = suppliers.filter(({ platform, supplier }) =>
          checked.accounts.some((one) => one.platform === platform && one.entry.key.supplier === supplier),
        );
        const take = async (): Promise<void> => {
          // Their current states, which cannot change in the meantime.
          checked = await check();
          const ruler = { by: actorOf(shell), at: shell.clock.now() };
          await Promise.all(
            checked.accounts.map(({ entry, rulings }) => takeDown(journal, entry, rulings, ruler)),
          );
        };
        await holding({ shell, config, journal }, held, take);
      }
      return {
        exit: exitCodes.done,
        summary: { ...countsOf(checked, file), from, dryRun },
        text: () => endText(checked, file, from, dryRun),
      };
    } finally {
      await journal.close();
    }
  });
}

/** Runs work while no run holds any of these suppliers. */
function holding(
  ports: Parameters<typeof holdingSupplier>[0],
  [first, ...others]: readonly SupplierOverview[],
  work: () => Promise<void>,
): Promise<void> {
  if (first === undefined) return work();
  return holdingSupplier(ports, first, () => holding(ports, others, work));
}

function refuseFaults(from: string, faults: readonly RulingFault[]): void {
  if (faults.length === 0) return;
  const inOrder = faults.toSorted((a, b) => a.line - b.line);
  const more = inOrder.length - mostShown;
  throw new CannotStart(exitCodes.usage, [
    ...inOrder.slice(0, mostShown).map(({ line, detail }) => `${from}:${line}: ${detail}`),
    ...(more > 0 ? [`${from}: ${counted(more, 'more line')} cannot be recorded.`] : []),
    'Nothing is changed: a file of rulings is recorded as a whole or not at all.',
  ]);
}

async function askFirst(shell: Shell, { from = '', yes }: ResolveFromFlags, counts: string): Promise<void> {
  if (yes === true) return;
  if (!shell.interactive)
    throw new CannotStart(
      exitCodes.usage,
      `This records ${counts} from ${from}, and there is no terminal for a confirmation. Add --yes or --dry-run.`,
    );
  if (!(await shell.confirm(`Record ${counts} from ${from}?`)))
    throw new CannotStart(exitCodes.stoppedEarly, 'Nothing is changed.');
}

function countsOf({ accounts, already }: CheckedRulings, { blank }: RulingFile) {
  const rulings = accounts.flatMap((account) => account.rulings);
  const ruledAs = (as: Ruling['as']) => rulings.filter(({ ruling }) => ruling.as === as).length;
  return {
    accounts: accounts.length,
    rulings: rulings.length,
    done: ruledAs('done'),
    repeat: ruledAs('repeat'),
    skip: ruledAs('skip'),
    already,
    blank,
  };
}

function countsText(checked: CheckedRulings): string {
  const { accounts, rulings, done, repeat, skip } = countsOf(checked, { rows: [], blank: 0, faults: [] });
  const skipped = skip === 0 ? '' : `, ${formatCount(skip)} skip`;
  return `${counted(rulings, 'ruling')} on ${counted(accounts, 'account')} (${formatCount(done)} done, ${formatCount(repeat)} repeat${skipped})`;
}

function endText(checked: CheckedRulings, file: RulingFile, from: string, dryRun: boolean): string {
  const { rulings, already, blank } = countsOf(checked, file);
  const rest = [
    ...(already === 0 ? [] : [`${counted(already, 'line')} recorded before`]),
    ...(blank === 0 ? [] : [`${counted(blank, 'line')} without a ruling`]),
  ].join(', ');
  const tail = rest === '' ? '' : ` Skipped: ${rest}.`;
  if (rulings === 0) return `Nothing to record from ${from}.${tail}`;
  if (dryRun) return `${countsText(checked)} would be recorded.${tail} Nothing is changed.`;
  return `${countsText(checked)} recorded.${tail} The next run continues.`;
}

/** The rulings of a file on one account. */
interface AccountRulings {
  readonly platform: string;
  readonly entry: AccountEntry;
  readonly rulings: RulingOnParts[];
}

interface CheckedRulings {
  readonly accounts: readonly AccountRulings[];
  /** Lines whose ruling was already recorded. */
  readonly already: number;
  /** In the order of the file. */
  readonly faults: readonly RulingFault[];
}

/** Checks the rulings of a file against the journal, without changes. */
async function checkRulings(
  journal: Journal,
  suppliers: readonly SupplierOverview[],
  rows: readonly RulingRow[],
): Promise<CheckedRulings> {
  const accounts = new Map<string, AccountRulings>();
  const linesOfParts = new Map<string, number>();
  const linesOfNumbers = new Map<string, number>();
  const faults: RulingFault[] = [];
  let already = 0;
  for (const row of rows) {
    const fault = (detail: string): void => void faults.push({ line: row.line, detail });
    const found = await findEntries(journal, suppliers, row);
    const [only] = found;
    if (only === undefined || found.length > 1) {
      fault(
        only === undefined
          ? `The journal has no account ${row.account}${row.supplier === undefined ? '' : ` of ${row.supplier}`}. Check the number: spreadsheets drop leading zeros.`
          : `The journal has several accounts ${row.account}. Enter the import supplier in the column supplier.`,
      );
      continue;
    }
    const id = `${only.platform}\n${only.entry.id}`;
    const known = accounts.get(id) ?? { ...only, rulings: [] };
    const { entry } = known;
    const { account } = entry.key;
    // The list names the step at which the platform said that it has the account.
    const isOfAccount = row.as === 'skip' && entry.state === 'skipped';
    const step = isOfAccount ? 'process' : row.step;
    const ruling = rulingOf(isOfAccount ? { ...row, part: undefined } : row);
    if (isTaken(entry, { ...row, step })) {
      already += 1;
      continue;
    }
    const parts = await partsToRule(journal, entry, step, ruling);
    if (typeof parts === 'string') {
      const whys: Record<RulingRefused, string> = {
        'number-needed':
          'process as done needs the account number that the platform assigned. Enter it in the column number.',
        'process-only': skipIsOfProcess,
        'not-uncertain': `${row.part === undefined ? '' : `part ${row.part} of `}${row.step} is not uncertain, and nothing of it was refused. Clear the ruling.`,
      };
      fault(`${account}: ${whys[parts]}`);
      continue;
    }
    const first = parts.map(({ part }) => linesOfParts.get(`${id}\n${step}\n${part}`)).find(Boolean);
    if (first !== undefined) {
      fault(`${account}: line ${first} rules on the same part of ${step}. Remove one.`);
      continue;
    }
    for (const { part } of parts) linesOfParts.set(`${id}\n${step}\n${part}`, row.line);
    if (row.number !== undefined) {
      const number = `${only.platform}\n${row.number}`;
      const other = linesOfNumbers.get(number);
      const holder = (await journal.holders(only.platform, row.number)).find((one) => one.id !== entry.id);
      if (other !== undefined || holder !== undefined) {
        const whose = other === undefined ? `account ${holder?.key.account ?? ''}` : `line ${other}`;
        fault(`${account}: the number ${row.number} also belongs to ${whose}. Check which of them has it.`);
        continue;
      }
      linesOfNumbers.set(number, row.line);
    }
    known.rulings.push({ step, ruling, parts });
    accounts.set(id, known);
  }
  return { accounts: [...accounts.values()], already, faults };
}

function rulingOf({ as, part, number }: RulingRow): Ruling {
  return {
    ...(as !== 'done' || number === undefined ? { as } : { as, krakenAccountNumber: number }),
    part: part === undefined ? undefined : part - 1,
  };
}

/** A file may be given again after a crash, or with more rulings in it. */
function isTaken(
  { parts, krakenAccountNumber }: AccountEntry,
  { step, part, as, number }: RulingRow,
): boolean {
  const chosen = parts.filter((one) => one.step === step && (part === undefined || one.part === part - 1));
  if (number !== undefined && number !== krakenAccountNumber) return false;
  return (
    chosen.some((one) => isRuledAs(one, as)) &&
    chosen.every((one) => isRuledAs(one, as) || one.state === 'done')
  );
}

function isRuledAs({ outcome, state }: PartEntry, as: Ruling['as']): boolean {
  const ruled = state === 'done' ? 'done' : state === 'refused' ? 'skip' : 'repeat';
  return outcome === 'ruling' && ruled === as;
}

/**
 * The accounts that a line may mean: a number that a spreadsheet would read as a formula is written with an
 * apostrophe.
 */
async function findEntries(
  journal: Journal,
  suppliers: readonly SupplierOverview[],
  { account, supplier: named }: RulingRow,
): Promise<readonly Pick<AccountRulings, 'platform' | 'entry'>[]> {
  const found: Pick<AccountRulings, 'platform' | 'entry'>[] = [];
  const meant = (text: string) => [
    text,
    ...(isSpreadsheetCellOf(text, text.slice(1)) ? [text.slice(1)] : []),
  ];
  const codes = named === undefined ? undefined : new Set(meant(named));
  for (const { platform, supplier } of suppliers)
    if (codes?.has(supplier) !== false)
      for (const number of meant(account)) {
        const entry = await journal.find(platform, { supplier, account: number });
        if (entry !== undefined) found.push({ platform, entry });
      }
  return found;
}
