import type { ExportFault, OrphanRule } from './export.ts';
import { orphan } from './fault.ts';
import type { FileTable } from './table.ts';

/** Rows without an account number: they are orphans of every account. */
const numberless = 'missing_account_number';

/**
 * What to do about rows of a table that belong to no account. Unless it is said, a row that may belong to several accounts may belong
 * to none: a catalogue, such as that of the tariffs, has rows that no account uses.
 */
export function orphanRule({ orphans, via }: FileTable): OrphanRule {
  return orphans ?? (via?.several === true ? 'ignore' : 'refuse');
}

/** The faults of orphans as the rules of their tables have them, and how many are left out. */
export class Orphans {
  readonly #files: readonly FileTable[];
  readonly #rows: number[];
  readonly #ignored: number[];
  readonly #first: (ExportFault | undefined)[];

  constructor(files: readonly FileTable[]) {
    this.#files = files;
    this.#rows = files.map(() => 0);
    this.#ignored = files.map(() => 0);
    this.#first = files.map(() => undefined);
  }

  /** Counts readable rows of a file. */
  count(file: number, rows = 1): void {
    this.#rows[file] = (this.#rows[file] ?? 0) + rows;
  }

  /** How many were left out. */
  get ignored(): number {
    return this.#ignored.reduce((sum, count) => sum + count, 0);
  }

  /** The fault as the table's rule has it; undefined if its row is left out. */
  judged(fault: ExportFault, file: number): ExportFault | undefined {
    const table = this.#files[file];
    if (table === undefined || (fault.code !== orphan && fault.code !== numberless)) return fault;
    // Another table's rows find their accounts by these, and a whole file may have the wrong column.
    const rule = orphanRule(table);
    if (rule === 'refuse' || (fault.code === numberless && table.orphans === undefined)) return fault;
    if (rule === 'warn') return { ...fault, severity: 'warning', holdsBack: false };
    if (fault.code === numberless) this.count(file);
    this.#ignored[file] = (this.#ignored[file] ?? 0) + 1;
    this.#first[file] ??= fault;
    return undefined;
  }

  /** A warning for each file whose rows were all left out: its key is probably another column, or is written otherwise. */
  warnings(): readonly ExportFault[] {
    return this.#files.flatMap((table, file): ExportFault[] => {
      const [count = 0, first] = [this.#ignored[file], this.#first[file]];
      if (first === undefined || count < (this.#rows[file] ?? 0)) return [];
      const detail =
        `No row of ${table.file} belongs to an account, so nothing is read from it. ` +
        'Check the key and via of the table in the mapping.';
      return [{ ...first, account: null, code: orphan, detail, severity: 'warning', holdsBack: false }];
    });
  }
}
