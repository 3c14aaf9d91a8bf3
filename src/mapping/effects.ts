import type { Cell } from '../domain/cell.ts';
import type { Problem } from '../domain/problem.ts';
import type { Table } from '../source/export.ts';
import { mappingProblem } from './mapping-problem.ts';
import type { Watch } from './plan.ts';

interface Expected {
  readonly origin: Cell | undefined;
  readonly code: string;
  readonly detail: string;
  hasHappened: boolean;
}

/** Collects what a mapping says to no effect, while it maps accounts. */
export class Effects implements Watch {
  readonly #columns = new Map<string, ReadonlySet<string>>();
  readonly #expected = new Map<string, Expected>();

  /** Parts that YAML anchors repeat are one: what has an effect in one place is of use. */
  expect(origin: Cell | undefined, code: string, detail: string): () => void {
    const name = JSON.stringify([origin?.line, origin?.column.split('.').at(-1), code, detail]);
    const one = this.#expected.get(name) ?? { origin, code, detail, hasHappened: false };
    this.#expected.set(name, one);
    return () => void (one.hasHappened = true);
  }

  read(table: string, columns: ReadonlySet<string>): void {
    this.#columns.set(table, columns);
  }

  /** The columns of files with a header that the mapping does not read, as warnings at their names there. */
  unread(tables: readonly Table[]): readonly Problem[] {
    return tables.flatMap(({ name, file, columns = [], headerCell }) =>
      columns
        .filter((column) => column !== '' && this.#columns.get(name)?.has(column) !== true)
        .map((column) =>
          mappingProblem(
            'unread_column',
            headerCell?.(column) ?? { file, line: 1, column },
            'The mapping does not read this column. Map it, or leave it out on purpose.',
            'warning',
          ),
        ),
    );
  }

  /** What never had an effect, as warnings at its lines. */
  findings(): readonly Problem[] {
    return [...this.#expected.values()].flatMap(({ origin, code, detail, hasHappened }) =>
      hasHappened || origin === undefined ? [] : [mappingProblem(code, origin, detail, 'warning')],
    );
  }
}
