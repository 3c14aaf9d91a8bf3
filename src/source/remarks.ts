import type { ExportFault } from './export.ts';
import { exportProblem } from './fault.ts';
import { formatOf } from './formats/formats.ts';
import type { Remark } from './row.ts';
import type { FileTable } from './table.ts';

interface Told extends Remark {
  readonly table: FileTable;
  readonly line: number;
  count: number;
}

/** What is told of cells that can be read: as a warning for each kind in a column, at the first cell. */
export class Remarks {
  private readonly told = new Map<FileTable, Map<string, Told>>();

  add(line: number, remarks: readonly Remark[], table: FileTable): void {
    const own = this.told.get(table) ?? new Map<string, Told>();
    this.told.set(table, own);
    for (const remark of remarks) {
      const kind = `${remark.code} ${remark.column}`;
      const known = own.get(kind);
      if (known === undefined) own.set(kind, { ...remark, table, line, count: 1 });
      else known.count += 1;
    }
  }

  all(): readonly ExportFault[] {
    return [...this.told.values()]
      .flatMap((own) => [...own.values()])
      .map(({ code, detail, table, line, column, count }) => {
        const more =
          count === 1 ? '' : ` This holds for ${count} cells of the column; the first one is named.`;
        const problem = exportProblem(code, detail + more, formatOf(table).place(table, line, column));
        return { ...problem, severity: 'warning', holdsBack: false };
      });
  }
}
