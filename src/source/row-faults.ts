import type { ExportFault } from './export.ts';
import { exportProblem, FaultList, orphan } from './fault.ts';
import { formatOf } from './formats/formats.ts';
import { isIgnored } from './ignored-rows.ts';
import { orphanRule, Orphans } from './orphans.ts';
import { isLeftOut, isSuspect, type PlacedRow, type Remark, type Row } from './row.ts';
import { rowProblem, sourceRecord } from './source-record.ts';
import type { FileTable } from './table.ts';

/** A row whose account is not in the accounts table. */
export interface Orphan extends PlacedRow {
  /** Whether a sound row has the same account number, so that the number is known to be right. */
  readonly isConfirmed: boolean;
}

/** A row whose key is in no row of the table through which its account is found, or in one without an account. */
export interface Unlinked extends PlacedRow {
  readonly isPartnerFound: boolean;
}

/** The rows that could not be attributed to an account, as faults: by file, those without a number first. */
export class RowFaults {
  readonly #files: readonly FileTable[];
  readonly #nameless: readonly FaultList[];
  readonly #strays: readonly FaultList[];
  readonly #remarks = new Remarks();
  readonly #orphans: Orphans;
  /** The files with rows that cannot be read. */
  readonly #hasBad: boolean[] = [];
  readonly #ofNoAccount: number[];
  #isCutOff = false;
  #left = 0;

  constructor(files: readonly FileTable[]) {
    this.#files = files;
    this.#nameless = files.map(() => new FaultList());
    this.#strays = files.map(() => new FaultList());
    this.#orphans = new Orphans(files);
    this.#ofNoAccount = files.map(() => 0);
  }

  /** Rows that the mapping leaves out, and that no account is asked for. */
  get ignored(): number {
    return this.#left + this.#orphans.ignored;
  }

  /** The readable rows of a file that belong to no account; undefined where the mapping leaves them out, or their accounts may be cut off. */
  orphansOf(file: number): number | undefined {
    const table = this.#files[file];
    if (table === undefined || this.#isCutOff || orphanRule(table) === 'ignore') return undefined;
    return this.#ofNoAccount[file] ?? 0;
  }

  /** Counts rows of an account that is left out. */
  ignore(count: number): void {
    this.#left += count;
  }

  /** Examines a row as it is read. */
  see(row: Row, file: number): void {
    const table = this.#files[file];
    if (table === undefined) return;
    if (isLeftOut(row)) {
      this.#left += 1;
      return;
    }
    if ('body' in row) {
      this.#orphans.count(file);
      if (row.remarks !== undefined) this.#remarks.add(row.line, row.remarks, table);
      return;
    }
    if (row.isWarning === true) {
      const warning = { ...rowProblem(row, table, null), severity: 'warning' as const };
      this.#nameless[file]?.add({ ...warning, holdsBack: false });
      return;
    }
    this.#hasBad[file] = true;
    if (row.isCutOff === true && table.role === 'accounts') this.#isCutOff = true;
    if (row.account !== undefined) return;
    const isHolding = table.role !== 'accounts' || row.isCutOff === true;
    const fault = this.#orphans.judged({ ...rowProblem(row, table, null), holdsBack: isHolding }, file);
    if (fault !== undefined) this.#nameless[file]?.add(fault);
  }

  /** Counts rows that have no fault. */
  seeSound(rows: number, file: number): void {
    this.#orphans.count(file, rows);
  }

  addStray(stray: Orphan): void {
    if (isSuspect(stray.row)) return;
    const table = this.#files[stray.file];
    if (table === undefined) return;
    if ('body' in stray.row && isIgnored(stray.row, table)) {
      this.#left += 1;
      return;
    }
    this.#addStrayFault(this.#strayFault(stray, table), stray, table);
  }

  addUnlinked({ file, row, isPartnerFound }: Unlinked): void {
    const table = this.#files[file];
    const { via } = table ?? {};
    if (table === undefined || via === undefined || isSuspect(row)) return;
    if ('body' in row && isIgnored(row, table)) {
      this.#left += 1;
      return;
    }
    // A bad row whose key is in no other table may belong to any account.
    if (!('body' in row)) {
      this.#strays[file]?.add({ ...rowProblem(row, table, null), holdsBack: true });
      return;
    }
    const partner = this.#files.find(({ name }) => name === via.table)?.file ?? '';
    const isPartlyUnread = this.#files.some(
      ({ name }, at) => name === via.table && this.#hasBad[at] === true,
    );
    const detail = isPartnerFound
      ? `The row of ${partner} to which this row belongs has no account. Correct that row first.`
      : isPartlyUnread
        ? `The row of ${partner} to which this row belongs may be one that cannot be read. Correct those first.`
        : `${partner} has no row with this value in the column ${via.column}, so the row has no account. ` +
          'Add it there, or remove this row.';
    const cell = sourceRecord(row, table).cell(table.key);
    this.#addStrayFault(
      { ...exportProblem(orphan, detail, cell), holdsBack: false },
      { file, account: null, row },
      table,
    );
  }

  /** Unless the table's rule leaves the row out. */
  #addStrayFault(
    fault: ExportFault,
    { file, account, row }: { readonly file: number; readonly account: string | null; readonly row: Row },
    table: FileTable,
  ): void {
    if (fault.code === orphan) this.#ofNoAccount[file] = (this.#ofNoAccount[file] ?? 0) + 1;
    const judged = this.#orphans.judged(fault, file);
    if (judged === undefined) return;
    this.#strays[file]?.add(judged);
    this.#addUnreadable({ account, row }, table);
  }

  /** If the accounts file is cut off, the account of an apparent orphan may be in the missing part. */
  all(): readonly ExportFault[] {
    const faults = [...this.#nameless, ...this.#strays].flatMap((list) => list.all());
    const certain = this.#isCutOff ? faults.filter(({ code }) => code !== orphan) : faults;
    return [...certain, ...(this.#isCutOff ? [] : this.#orphans.warnings()), ...this.#remarks.all()];
  }

  /** The values of a row without an account that cannot be read either. */
  #addUnreadable({ account, row }: { account: string | null; row: Row }, table: FileTable): void {
    if (!('body' in row)) return;
    for (const value of row.unreadable ?? [])
      this.#strays[this.#files.indexOf(table)]?.add({
        ...rowProblem(value, table, account),
        holdsBack: false,
      });
  }

  #strayFault({ account, row, isConfirmed }: Orphan, table: FileTable): ExportFault {
    // A bad row whose number occurs in no sound row may belong to any account.
    if (!('body' in row))
      return { ...rowProblem(row, table, isConfirmed ? account : null), holdsBack: !isConfirmed };
    const cell = sourceRecord(row, table).cell(table.key);
    const accountsFile = this.#files.find(({ role }) => role === 'accounts')?.file ?? '';
    const detail = `The account of this row is not in ${accountsFile}. Add it there, or remove the row.`;
    return { ...exportProblem(orphan, detail, cell), account, holdsBack: false };
  }
}

interface Told extends Remark {
  readonly table: FileTable;
  readonly line: number;
  count: number;
}

/** Remarks about readable cells: one warning for each kind in a column, at the first cell. */
class Remarks {
  readonly #told = new Map<FileTable, Map<string, Told>>();

  add(line: number, remarks: readonly Remark[], table: FileTable): void {
    const own = this.#told.get(table) ?? new Map<string, Told>();
    this.#told.set(table, own);
    for (const remark of remarks) {
      const kind = `${remark.code} ${remark.column}`;
      const known = own.get(kind);
      if (known === undefined) own.set(kind, { ...remark, table, line, count: 1 });
      else known.count += 1;
    }
  }

  all(): readonly ExportFault[] {
    return [...this.#told.values()]
      .flatMap((own) => [...own.values()])
      .map(({ code, detail, table, line, column, count }) => {
        const more =
          count === 1 ? '' : ` This applies to ${count} cells of the column; only the first is named.`;
        const problem = exportProblem(code, detail + more, formatOf(table).place(table, line, column));
        return { ...problem, severity: 'warning', holdsBack: false, isRemark: true };
      });
  }
}
