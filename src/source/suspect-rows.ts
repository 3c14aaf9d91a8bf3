import { Disorder } from './merge.ts';
import { underSuspects, type AccountRow, type PlacedRow, type Row } from './row.ts';

/** The most that are kept in memory; an export with more is sorted on disk. */
const most = 20_000;

/**
 * The rows of sorted files that may also be of other accounts than their own. They are found when the files are first read,
 * and given with the rows of these accounts when they are read again.
 */
export class SuspectRows {
  readonly #byAccount = new Map<string, PlacedRow[]>();
  #count = 0;

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  /** Throws Disorder if there are too many. */
  see(rows: readonly Row[], file: number): void {
    for (const row of rows) for (const one of underSuspects(row)) this.#add(one, file);
  }

  /** The same accounts, with these rows at their places in the files. */
  async *among(
    accounts: AsyncIterable<readonly PlacedRow[]>,
  ): AsyncGenerator<readonly PlacedRow[], void, undefined> {
    for await (const rows of accounts) {
      const more = this.#byAccount.get(rows[0]?.account ?? '');
      yield more === undefined ? rows : [...rows, ...more].sort(byPlace);
    }
  }

  #add(row: AccountRow, file: number): void {
    const { account } = row;
    const known = this.#byAccount.get(account) ?? [];
    this.#byAccount.set(account, known);
    known.push({ account, file, row });
    this.#count += 1;
    if (this.#count > most) throw new Disorder();
  }
}

function byPlace(one: PlacedRow, other: PlacedRow): number {
  return one.file - other.file || one.row.line - other.row.line;
}
