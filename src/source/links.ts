import { place as placeOf } from '../domain/cell.ts';
import type { Sqlite } from '../sqlite/open-database.ts';
import type { TableLink } from './export.ts';
import { formatOf } from './formats/formats.ts';
import { linkedValue } from './source-record.ts';
import type { BadRow, GoodRow } from './row.ts';
import type { FileTable } from './table.ts';

/** A place as one number: index of the file, and line. */
const linesPerFile = 1e12;

interface Link {
  readonly via: TableLink;
  /** The link by which the rows of that table find their own accounts; absent if they name them. */
  readonly next: number | undefined;
}

/** The rows of one value that name different accounts. */
export interface SeveralPlaces {
  readonly one: number;
  readonly other: number;
}

/**
 * The accounts of the values by which tables refer to each other's rows (`via`), over any number of hops. Kept in
 * tables on disk that are sorted before they are joined: memory does not grow with them.
 */
export class Links {
  readonly #db: Sqlite;
  readonly #files: readonly FileTable[];
  readonly #links: readonly Link[];
  /** For each file, the links whose values are in its rows. */
  readonly #targets: readonly (readonly number[])[];
  readonly #inserts: readonly { run(id: string, key: string, place: number): unknown }[];

  constructor(db: Sqlite, files: readonly FileTable[]) {
    this.#db = db;
    this.#files = files;
    const vias = new Map(files.flatMap(({ via }) => (via === undefined ? [] : [[nameOf(via), via]])));
    const names = [...vias.keys()];
    this.#links = [...vias.values()].map((via) => {
      const next = files.find(({ name }) => name === via.table)?.via;
      return { via, next: next === undefined ? undefined : names.indexOf(nameOf(next)) };
    });
    this.#targets = files.map(({ name }) =>
      this.#links.flatMap(({ via }, link) => (via.table === name ? [link] : [])),
    );
    this.#inserts = this.#links.map((_link, at) => {
      db.exec(`CREATE TABLE link_${at} (id TEXT, key TEXT, place INTEGER)`);
      return db.prepare<[string, string, number]>(`INSERT INTO link_${at} VALUES (?, ?, ?)`);
    });
  }

  /** The numbers of all links. */
  get all(): readonly number[] {
    return [...this.#links.keys()];
  }

  /** Whether a row may belong to each of several accounts. */
  allowsSeveral(link: number): boolean {
    return this.#links[link]?.via.several === true;
  }

  /** The link by which a file's rows find their accounts; undefined if they name them. */
  of(file: number): number | undefined {
    const via = this.#files[file]?.via;
    const at = this.#links.findIndex((link) => via !== undefined && nameOf(link.via) === nameOf(via));
    return at === -1 ? undefined : at;
  }

  /** Whether other tables refer to a file's rows. */
  isTarget(file: number): boolean {
    return (this.#targets[file] ?? []).length > 0;
  }

  /** Records the values by which other tables refer to this row. */
  add(row: GoodRow, file: number): void {
    const table = this.#files[file];
    if (table === undefined) return;
    for (const link of this.#targets[file] ?? []) {
      const via = this.#links[link]?.via;
      const id = via === undefined ? '' : linkedValue(row, table, via);
      if (id !== '') this.#inserts[link]?.run(id, row.account, file * linesPerFile + row.line);
    }
  }

  /**
   * Call once, after all rows: makes the tables `map_N (id, account, place)`, in which '' is the account of rows that
   * have none themselves, and `several_N (id, one, other)`, the values that name more than one account.
   */
  resolve(): void {
    const done = new Set<number>();
    const resolveOne = (at: number): void => {
      const next = this.#links[at]?.next;
      if (done.has(at)) return;
      done.add(at);
      if (next !== undefined) resolveOne(next);
      // Sorted before they are inserted or looked up, so that nothing on disk is visited in random order.
      const found =
        next === undefined
          ? `SELECT id, key, place FROM link_${at}`
          : `SELECT row.id, coalesce(map.account, ''), row.place
             FROM (SELECT * FROM link_${at} ORDER BY key LIMIT -1) AS row LEFT JOIN map_${next} AS map ON map.id = row.key`;
      this.#db.exec(
        `CREATE TABLE map_${at} (id TEXT, account TEXT, place INTEGER, PRIMARY KEY (id, account)) WITHOUT ROWID;
         INSERT OR IGNORE INTO map_${at} ${found} ORDER BY 1, 2, 3;
         ${this.allowsSeveral(at) ? withoutAccountless(at) : ''}
         CREATE TABLE several_${at} (id TEXT PRIMARY KEY, one INTEGER, other INTEGER) WITHOUT ROWID;
         INSERT INTO several_${at} SELECT id, min(place), max(place) FROM map_${at} GROUP BY id HAVING count(*) > 1;
         DROP TABLE link_${at}`,
      );
    };
    for (const at of this.#links.keys()) resolveOne(at);
  }

  /** The accounts of a key of a file's rows; after `resolve`. */
  accountsOf(key: string, file: number): readonly string[] {
    const link = this.of(file);
    if (link === undefined) return [key];
    return this.#db
      .prepare<[string], string>(`SELECT account FROM map_${link} WHERE id = ? AND account <> ''`)
      .pluck()
      .all(key);
  }

  /** A row whose key names several accounts, as a bad row of one of them. */
  refused(line: number, account: string, file: number, { one, other }: SeveralPlaces): BadRow {
    const table = this.#files[file];
    const { key = '', via } = table ?? {};
    const places = [...new Set([one, other])].map((place) => this.#placeOf(place)).join(' and ');
    return {
      line,
      account,
      column: key,
      code: 'several_rows',
      detail:
        `The row belongs to several accounts: this value is in the column ${via?.column ?? ''} at ${places}. ` +
        'Correct one of them, or set several: true under via in the mapping if the row is meant for each.',
    };
  }

  #placeOf(place: number): string {
    const file = Math.floor(place / linesPerFile);
    const table = this.#files[file];
    return table === undefined ? '' : placeOf(formatOf(table).place(table, place % linesPerFile, ''));
  }
}

/** A row that is meant for several accounts is theirs, though others that name it have none. */
function withoutAccountless(at: number): string {
  return `DELETE FROM map_${at} WHERE account = ''
    AND EXISTS (SELECT 1 FROM map_${at} AS other WHERE other.id = map_${at}.id AND other.account <> '');`;
}

function nameOf({ table, column, shape, several }: TableLink): string {
  return JSON.stringify([table, column, shape, several]);
}
