import type { SourceRecord } from '../../source/export.ts';
import { textOf } from '../condition.ts';
import { ignores, joinKey, takes, type RowsPlan } from './rows.ts';
import type { Run } from './run.ts';

/** Tells which rows of an account the mapping leaves out on purpose: those that `ignore` names, and those of a parent that is left out. */
export class LeftOutRows {
  readonly #run: Run;
  readonly #plansByTable: ReadonlyMap<string, readonly RowsPlan[]>;
  /** By the number of the rows: what the parents that are left out have in the columns that are matched. */
  readonly #parents = new Map<number, ReadonlySet<string>>();

  constructor(run: Run, plansByTable: ReadonlyMap<string, readonly RowsPlan[]>) {
    this.#run = run;
    this.#plansByTable = plansByTable;
  }

  /** Whether a row that has no place in a payload is left out. */
  has(table: string, record: SourceRecord): boolean {
    const plans = this.#plansByTable.get(table) ?? [];
    if (plans[0] !== undefined && ignores(plans[0], record, this.#run) === true) return true;
    return plans.some((plan) => {
      if (plan.match.length === 0 || takes(plan, record) !== true) return false;
      const named = plan.match.map(({ read }) => textOf(read(record)));
      return named.some((text) => text !== '') && this.#parentsOf(plan).has(joinKey(named));
    });
  }

  #parentsOf(plan: RowsPlan): ReadonlySet<string> {
    const known = this.#parents.get(plan.number);
    if (known !== undefined) return known;
    // A table may be its own parent.
    this.#parents.set(plan.number, new Set());
    const run = this.#run;
    const found = run.bundle
      .records(plan.parentTable)
      .flatMap((record, position) =>
        this.has(plan.parentTable, record)
          ? [joinKey(plan.match.map(({ parent }) => textOf(parent({ run, record, position }))))]
          : [],
      );
    const parents = new Set(found);
    this.#parents.set(plan.number, parents);
    return parents;
  }
}
