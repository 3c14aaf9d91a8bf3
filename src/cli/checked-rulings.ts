import type { AccountEntry, Journal, PartEntry, SupplierOverview } from '../journal/journal.ts';
import { partsToRule, type Ruling, type RulingOnParts, type RulingRefused } from '../pipeline/rulings.ts';
import { isSpreadsheetCellOf } from '../report/spreadsheet-cell.ts';
import { skipIsOfProcess } from './skip-is-of-process.ts';
import type { RulingFault, RulingRow } from './ruling-file.ts';

/** The rulings of a file on one account. */
export interface AccountRulings {
  readonly platform: string;
  readonly entry: AccountEntry;
  readonly rulings: RulingOnParts[];
}

export interface CheckedRulings {
  readonly accounts: readonly AccountRulings[];
  /** Lines whose ruling was already recorded. */
  readonly already: number;
  /** In the order of the file. */
  readonly faults: readonly RulingFault[];
}

/** Checks the rulings of a file against the journal, without changes. */
export async function checkRulings(
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
    const ruling = rulingOf(row);
    if (isTaken(entry, row)) {
      already += 1;
      continue;
    }
    const parts = await partsToRule(journal, entry, row.step, ruling);
    if (typeof parts === 'string') {
      const whys: Record<RulingRefused, string> = {
        'number-needed':
          'process as done needs the account number that the platform assigned. Enter it in the column number.',
        'process-only': skipIsOfProcess,
        'not-uncertain': `${row.part === undefined ? '' : `part ${row.part} of `}${row.step} is not uncertain. Clear the ruling.`,
      };
      fault(`${account}: ${whys[parts]}`);
      continue;
    }
    const first = parts.map(({ part }) => linesOfParts.get(`${id}\n${row.step}\n${part}`)).find(Boolean);
    if (first !== undefined) {
      fault(`${account}: line ${first} rules on the same part of ${row.step}. Remove one.`);
      continue;
    }
    for (const { part } of parts) linesOfParts.set(`${id}\n${row.step}\n${part}`, row.line);
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
    known.rulings.push({ step: row.step, ruling, parts });
    accounts.set(id, known);
  }
  return { accounts: [...accounts.values()], already, faults };
}

function rulingOf({ as, part, number }: RulingRow): Ruling {
  return {
    ...(as !== 'done' || number === undefined ? { as } : { as, krakenAccountNumber: number }),
    ...(part === undefined ? {} : { part: part - 1 }),
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
