import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { findEncoding, type FoundEncoding } from './find-encoding.ts';
import type { OpenedFile } from './table.ts';
import { withoutFields, type AccountRow } from './row.ts';
import { renameOver } from '../domain/rename-over.ts';

/** The form of the rows: those of another are read again. */
const form = 4;

interface Kept {
  readonly form: typeof form;
  readonly account: string;
  readonly alike?: string | undefined;
  /** Keyed by the state of a file when it was read, and by its settings. */
  readonly rows: Readonly<Record<string, readonly AccountRow[]>>;
  /** Keyed by the state of a file, and by its settings. */
  readonly encodings: Readonly<Record<string, FoundEncoding>>;
}

/**
 * The rows of the account that was last searched for, and the encodings of the files, so that searching for it again
 * reads no unchanged file. Kept in a file that only its owner can read; it has the rows of one account, never more.
 */
export class RowCache {
  readonly account: string;
  /** Whether the mapping leaves out the account. */
  isIgnored = false;
  readonly #path: string;
  readonly #before: Partial<Kept>;
  readonly #rows: Record<string, readonly AccountRow[]> = {};
  readonly #encodings: Record<string, FoundEncoding> = {};
  readonly #plain: string;
  #changed: string | undefined;
  #seen: string | undefined;

  private constructor(path: string, account: string, before: Partial<Kept>) {
    this.#path = path;
    this.account = account;
    this.#before = before;
    this.#plain = plainOf(account);
    this.#seen = before.account === account ? before.alike : undefined;
  }

  /**
   * An account of the export whose number differs only in leading zeros, case, blanks or punctuation, or is what the key of the
   * mapping makes of the searched one.
   */
  get alike(): string | undefined {
    return this.#seen;
  }

  /** Call this with each account of the accounts table; `change` makes its key of a text. */
  see(account: string, change: (text: string) => string): void {
    if (this.#seen !== undefined || account === this.account) return;
    const plain = plainOf(account);
    this.#changed ??= plainOf(change(this.account));
    if (plain === this.#plain || (plain !== '' && plain === this.#changed)) this.#seen = account;
  }

  /** The contents of `path` for this account; empty if they belong to another account, or cannot be read. */
  static async open(path: string, account: string): Promise<RowCache> {
    try {
      const kept = JSON.parse(await readFile(path, 'utf8')) as Partial<Kept> | null;
      return new RowCache(path, account, kept?.form === form ? kept : {});
    } catch {
      return new RowCache(path, account, {});
    }
  }

  /**
   * The account's rows in a file that is unchanged, as are the files `beside` it through which they were found;
   * undefined if they are not known.
   */
  of(file: OpenedFile, beside: readonly OpenedFile[] = []): readonly AccountRow[] | undefined {
    if (this.#before.account !== this.account) return undefined;
    const key = keyOf([file, ...beside]);
    const rows = this.#before.rows?.[key];
    if (rows !== undefined) this.#rows[key] = rows;
    return rows;
  }

  add(file: OpenedFile, rows: readonly AccountRow[], beside: readonly OpenedFile[] = []): void {
    this.#rows[keyOf([file, ...beside])] = rows.map(withoutFields);
  }

  /** Finds a file's encoding without reading its bytes again. */
  async findEncoding(...[file, stated, options]: Parameters<typeof findEncoding>): Promise<FoundEncoding> {
    const key = JSON.stringify([file.path, file.state.mark, stated]);
    const known = this.#before.encodings?.[key] ?? (await findEncoding(file, stated, options));
    this.#encodings[key] = known;
    return known;
  }

  /** Call this after everything was read. If it cannot be written, the next reading only takes longer. */
  async save(): Promise<void> {
    const kept: Kept = {
      ...{ form, account: this.account, alike: this.#seen },
      ...{ rows: this.#rows, encodings: this.#encodings },
    };
    try {
      await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
      await writeFile(`${this.#path}.new`, JSON.stringify(kept), { mode: 0o600 });
      renameOver(`${this.#path}.new`, this.#path);
    } catch (error) {
      if (!(error instanceof Error && 'syscall' in error)) throw error;
    }
  }
}

function plainOf(account: string): string {
  return account
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .replace(/^0+/, '')
    .toUpperCase();
}

function keyOf(files: readonly OpenedFile[]): string {
  return JSON.stringify(files.map(({ stored, table }) => [stored.path, stored.state.mark, table]));
}
