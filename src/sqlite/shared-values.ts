import { openTemporary } from './temporary.ts';

/** A place where one account has a value that others have too. */
export interface SharedPlace {
  readonly place: string;
  /** The place in another account. */
  readonly other: string;
  /** The number of accounts with the value; at least 2. */
  readonly accounts: number;
}

type Value = readonly [kind: string, value: string];

interface NewPlace {
  readonly account: string;
  readonly kind: number;
  readonly value: string;
  readonly place: string;
}

/**
 * Finds values that several accounts share, for any number of values: they are kept in a temporary file on disk,
 * appended and sorted once, so memory does not grow. First add the values (`add`), then call `settle`, then add the
 * places (`place`) of the shared values for every concerned account; then query them.
 */
export class SharedValues {
  readonly #db = openTemporary();
  /** Kinds are few, but every row has one: they are stored as numbers. */
  readonly #kinds = new Map<string, number>();
  readonly #insertValue;
  readonly #findConcerned;
  readonly #findShared;
  readonly #insertPlace;
  readonly #keepPlace;
  readonly #findPlaces;

  constructor() {
    this.#db.exec(`
      CREATE TABLE seen (kind INTEGER, value TEXT, account TEXT);
      CREATE TABLE shared (kind INTEGER, value TEXT, accounts INTEGER, holder TEXT, first TEXT, second TEXT,
        PRIMARY KEY (kind, value)) WITHOUT ROWID;
      CREATE TABLE concerned (account TEXT PRIMARY KEY) WITHOUT ROWID;
      CREATE TABLE places (account TEXT, kind INTEGER, value TEXT, place TEXT);
      CREATE INDEX places_of_account ON places (account);
      BEGIN`);
    this.#insertValue = this.#db.prepare<[number, string, string]>('INSERT INTO seen VALUES (?, ?, ?)');
    this.#findConcerned = this.#db.prepare<[string]>('SELECT 1 FROM concerned WHERE account = ?');
    this.#findShared = this.#db.prepare<[number, string]>(
      'SELECT 1 FROM shared WHERE kind = ? AND value = ?',
    );
    this.#insertPlace = this.#db.prepare<[NewPlace]>(
      'INSERT INTO places VALUES (@account, @kind, @value, @place)',
    );
    // Two places are enough to name another one to every account, however many there are.
    this.#keepPlace = this.#db.prepare<[NewPlace]>(
      `UPDATE shared SET second = iif(holder IS NULL, NULL, @place),
         first = coalesce(first, @place), holder = coalesce(holder, @account)
       WHERE kind = @kind AND value = @value AND second IS NULL`,
    );
    this.#findPlaces = this.#db.prepare<[string], SharedPlace>(
      `SELECT place, CASE WHEN holder = account THEN second ELSE first END AS other, accounts
       FROM places JOIN shared USING (kind, value) WHERE account = ? ORDER BY places.rowid`,
    );
  }

  /** One transaction until `settle`: nothing has to survive the program. */
  add(account: string, values: readonly Value[]): void {
    for (const [kind, value] of values) this.#insertValue.run(this.#numberOf(kind), value, account);
  }

  /** Call once, after all values: returns whether any of them is shared. */
  settle(): boolean {
    this.#db.exec(`
      INSERT INTO shared (kind, value, accounts) SELECT kind, value, count(DISTINCT account) FROM seen
        GROUP BY kind, value HAVING min(account) <> max(account);
      INSERT OR IGNORE INTO concerned SELECT account FROM seen JOIN shared USING (kind, value);
      DROP TABLE seen;
      COMMIT`);
    return this.#db.prepare('SELECT 1 FROM shared LIMIT 1').get() !== undefined;
  }

  concerns(account: string): boolean {
    return this.#findConcerned.get(account) !== undefined;
  }

  isShared(kind: string, value: string): boolean {
    return this.#findShared.get(this.#numberOf(kind), value) !== undefined;
  }

  /** Once for each account and shared value. */
  place(account: string, [kind, value]: Value, place: string): void {
    const row = { account, kind: this.#numberOf(kind), value, place };
    this.#insertPlace.run(row);
    this.#keepPlace.run(row);
  }

  placesOf(account: string): readonly SharedPlace[] {
    return this.#findPlaces.all(account);
  }

  /** The concerned accounts, in the order of their numbers. */
  *accounts(): IterableIterator<string> {
    const found = this.#db.prepare<[], string>('SELECT account FROM concerned ORDER BY account').pluck();
    for (const account of found.iterate()) yield account;
  }

  /** Frees the disk. */
  close(): void {
    this.#db.close();
  }

  #numberOf(kind: string): number {
    const known = this.#kinds.get(kind);
    if (known !== undefined) return known;
    this.#kinds.set(kind, this.#kinds.size);
    return this.#kinds.size - 1;
  }
}
