'use strict';

/**
 * Stands in for better-sqlite3 under Wine, where no build of it can be made: the same calls, done by Node's own SQLite. Only
 * what the tool calls.
 */
const { Buffer } = require('node:buffer');
const { existsSync } = require('node:fs');
const { DatabaseSync } = require('node:sqlite');

class SqliteError extends Error {
  constructor(message, code) {
    super(message);
    this.name = 'SqliteError';
    this.code = code;
  }
}

const codes = {
  5: 'SQLITE_BUSY',
  6: 'SQLITE_LOCKED',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  19: 'SQLITE_CONSTRAINT',
  26: 'SQLITE_NOTADB',
};

/** Does it, with the errors that better-sqlite3 has. */
function does(work) {
  try {
    return work();
  } catch (error) {
    if (error.code !== 'ERR_SQLITE_ERROR') throw error;
    throw new SqliteError(error.message, codes[error.errcode & 0xff] ?? 'SQLITE_ERROR');
  }
}

class Statement {
  #statement;
  #columns;
  #shape = (row) => ({ ...row });
  #bound = [];

  constructor(db, source) {
    this.source = source;
    this.#statement = does(() => db.prepare(source));
    this.#columns = this.#statement.columns();
    this.reader = this.#columns.length > 0;
    this.readonly = /^\s*(select|with|pragma|explain|values)/i.test(source);
  }

  raw() {
    this.#shape = (row) => this.#columns.map(({ name }) => row[name]);
    return this;
  }

  pluck() {
    this.#shape = (row) => row[this.#columns[0].name];
    return this;
  }

  safeIntegers() {
    this.#statement.setReadBigInts(true);
    return this;
  }

  columns() {
    return this.#columns;
  }

  bind(...values) {
    this.#bound = values;
    return this;
  }

  get(...values) {
    return this.#shaped(does(() => this.#statement.get(...this.#given(values))));
  }

  all(...values) {
    return does(() => this.#statement.all(...this.#given(values))).map((row) => this.#shaped(row));
  }

  run(...values) {
    return does(() => this.#statement.run(...this.#given(values)));
  }

  *iterate(...values) {
    const rows = does(() => this.#statement.iterate(...this.#given(values)));
    for (let next = does(() => rows.next()); !next.done; next = does(() => rows.next()))
      yield this.#shaped(next.value);
  }

  #given(values) {
    return values.length === 0 ? this.#bound : values.flat();
  }

  #shaped(row) {
    if (row === undefined) return undefined;
    for (const name of Object.keys(row))
      if (row[name] instanceof Uint8Array) row[name] = Buffer.from(row[name]);
    return this.#shape(row);
  }
}

class Database {
  #db;

  constructor(file, { timeout = 5000, fileMustExist = false, readonly = false } = {}) {
    if (fileMustExist && !existsSync(file))
      throw new SqliteError('unable to open database file', 'SQLITE_CANTOPEN');
    this.name = file;
    this.#db = does(() => new DatabaseSync(file, { timeout, readOnly: readonly }));
  }

  get open() {
    return this.#db.isOpen;
  }

  get inTransaction() {
    return this.#db.isTransaction;
  }

  prepare(source) {
    return new Statement(this.#db, source);
  }

  exec(source) {
    does(() => this.#db.exec(source));
    return this;
  }

  pragma(source, { simple = false } = {}) {
    const statement = this.prepare(`PRAGMA ${source}`);
    if (simple) return statement.pluck().get();
    return statement.all();
  }

  transaction(work) {
    const within =
      (kind) =>
      (...values) => {
        const [begin, commit, rollback] = this.inTransaction
          ? ['SAVEPOINT inner', 'RELEASE inner', 'ROLLBACK TO inner; RELEASE inner']
          : [`BEGIN ${kind}`, 'COMMIT', 'ROLLBACK'];
        this.exec(begin);
        try {
          const result = work(...values);
          this.exec(commit);
          return result;
        } catch (error) {
          if (this.inTransaction) this.exec(rollback);
          throw error;
        }
      };
    return Object.assign(within(''), {
      deferred: within('DEFERRED'),
      immediate: within('IMMEDIATE'),
      exclusive: within('EXCLUSIVE'),
    });
  }

  function(name, { deterministic }, work) {
    this.#db.function(name, { deterministic, varargs: true }, work);
    return this;
  }

  unsafeMode() {
    return this;
  }

  close() {
    if (this.#db.isOpen) this.#db.close();
    return this;
  }
}

module.exports = Database;
module.exports.SqliteError = SqliteError;
