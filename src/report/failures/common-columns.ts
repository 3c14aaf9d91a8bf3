import type { RecordedProblem } from '../../journal/journal.ts';

/** A column of the export. */
export interface FaultyColumn {
  readonly file: string;
  readonly column: string;
}

/** The columns of the export that the problems of all accounts name. */
export class CommonColumns {
  #columns: ReadonlyMap<string, FaultyColumn> | undefined;

  /** The problems of one more account. */
  see(problems: readonly Pick<RecordedProblem, 'cell'>[]): void {
    const own = new Map<string, FaultyColumn>(
      problems.flatMap(({ cell }) =>
        cell === undefined || cell.column === ''
          ? []
          : [[`${cell.file} ${cell.column}`, { file: cell.file, column: cell.column }] as const],
      ),
    );
    this.#columns =
      this.#columns === undefined ? own : new Map([...this.#columns].filter(([name]) => own.has(name)));
  }

  /** The one that all have; undefined if there is none, or several. */
  get only(): FaultyColumn | undefined {
    const [column, ...others] = this.#columns?.values() ?? [];
    return others.length === 0 ? column : undefined;
  }
}
