import { joinTexts, splitTexts } from '../domain/joined-texts.ts';
import { openTemporary } from '../sqlite/temporary.ts';
import type { Bundle, PrintedAccount, Recognise } from './export.ts';
import { bytesOf } from './account-rows.ts';
import { ExternalSort } from './external-sort.ts';
import { RowPrints } from './row-prints.ts';
import { hasAccount, isLeftOut, type PlacedRow } from './row.ts';
import type { FileTable } from './table.ts';

/** Reads the rows of an account. */
type ReadAccount = (account: string) => Promise<readonly PlacedRow[]>;

/** The rows of an account, and what is known of it by them. */
export interface ComparedRows {
  readonly rows: readonly PlacedRow[];
  /** Absent if a row has a fault. */
  readonly print: string | undefined;
  readonly found: NonNullable<Bundle['rows']>['found'];
}

/**
 * Accounts that are asked about together: few, because what is kept until the answer survives garbage collections, but more
 * where they have few rows, because each question costs a message.
 */
const askedAtOnce = 48;
const fewRows = 1_000;
const mostRows = 5_000;
const mostBytes = 8_000_000;

/**
 * Looks accounts up by their rows, and gives those that are not unchanged. Asks about the next accounts before the answer about
 * the last ones is there.
 */
export class RowComparison {
  readonly #prints: RowPrints;
  readonly #files: readonly FileTable[];
  readonly #recognise: Recognise;
  #before: Promise<Answered> | undefined;
  #asked: AskedAccount[] = [];
  #rows = 0;
  #bytes = 0;

  constructor(files: readonly FileTable[], recognise: Recognise) {
    this.#prints = new RowPrints(files);
    this.#files = files;
    this.#recognise = recognise;
  }

  /** Their fingerprint; undefined if they are of no account, or one of them has a fault. */
  printOf(rows: readonly PlacedRow[]): string | undefined {
    const isAccount = rows.some(({ file, row }) => this.#files[file]?.role === 'accounts' && !isLeftOut(row));
    return isAccount ? this.#prints.of(rows) : undefined;
  }

  /** The rows of one more account; gives what is known of earlier ones. */
  add(rows: readonly PlacedRow[], print = this.printOf(rows)): Promise<Answered> {
    this.#rows += rows.length;
    for (const { row } of rows) this.#bytes += bytesOf(row);
    this.#asked.push({ account: rows[0]?.account ?? '', print, rows });
    return this.#askAbout();
  }

  /**
   * The same of accounts that are known by their fingerprints, whose rows have so many bytes together: the rows of those that are
   * not unchanged are read.
   */
  addUnread(accounts: readonly PrintedAccount[], read: ReadAccount, bytes: number): Promise<Answered> {
    this.#rows += accounts.length;
    this.#bytes += bytes;
    for (const { account, print } of accounts) this.#asked.push({ account, print, rows: read });
    return this.#askAbout();
  }

  async #askAbout(): Promise<Answered> {
    const isEnough =
      this.#rows >= (this.#asked.length < askedAtOnce ? mostRows : fewRows) || this.#bytes >= mostBytes;
    if (!isEnough) return nothing;
    const before = this.#before;
    this.#before = this.#ask();
    // An error is thrown where its answer is awaited.
    this.#before.catch(() => undefined);
    return (await before) ?? nothing;
  }

  /** What is known of the accounts about which nothing was given yet. */
  async finish(): Promise<Answered> {
    const before = (await this.#before) ?? nothing;
    this.#before = undefined;
    const last = await this.#ask();
    return {
      unchanged: [...before.unchanged, ...last.unchanged],
      others: [...before.others, ...last.others],
    };
  }

  async #ask(): Promise<Answered> {
    const asked = this.#asked;
    this.#asked = [];
    this.#rows = 0;
    this.#bytes = 0;
    const known = asked.filter(hasPrint);
    const answers = (known.length === 0 ? [] : await this.#recognise(known)).values();
    const unchanged: PrintedAccount[] = [];
    const others: ComparedRows[] = [];
    for (const one of asked) {
      const found = (hasPrint(one) ? answers.next().value : undefined) ?? 'unknown';
      if (found === 'unchanged' && hasPrint(one)) unchanged.push({ account: one.account, print: one.print });
      else {
        const rows = typeof one.rows === 'function' ? await one.rows(one.account) : one.rows;
        others.push({ rows, print: one.print, found: found === 'unchanged' ? 'unknown' : found });
      }
    }
    return { unchanged, others };
  }
}

interface AskedAccount {
  readonly account: string;
  /** Accounts without one are not asked about. */
  readonly print: string | undefined;
  readonly rows: readonly PlacedRow[] | ReadAccount;
}

function hasPrint(one: AskedAccount): one is AskedAccount & PrintedAccount {
  return one.print !== undefined;
}

interface Answered {
  readonly unchanged: readonly PrintedAccount[];
  readonly others: readonly ComparedRows[];
}

const nothing: Answered = { unchanged: [], others: [] };
const unknown = { print: undefined, found: 'unknown' } as const;

/** More accounts than these, and than one in ten, are read from the files again: to keep their rows would take longer. */
const mostKept = 1_000;

/**
 * What a first reading found of accounts by their rows: which are unchanged, and the rows of the others. Kept on disk, so that
 * memory does not grow with their number.
 */
export class ComparedAccounts {
  readonly #comparison: RowComparison;
  readonly #sort: ExternalSort;
  readonly #db = openTemporary();
  readonly #insert;
  readonly #select;
  readonly #kept = new Map<string, Pick<ComparedRows, 'print' | 'found'>>();
  #unchanged = 0;
  #isGivenUp = false;

  constructor(files: readonly FileTable[], recognise: Recognise) {
    this.#comparison = new RowComparison(files, recognise);
    this.#sort = new ExternalSort(files);
    this.#db.exec('CREATE TABLE unchanged (id INTEGER PRIMARY KEY, accounts TEXT, prints TEXT); BEGIN');
    this.#insert = this.#db.prepare<[string, string]>(
      'INSERT INTO unchanged (accounts, prints) VALUES (?, ?)',
    );
    this.#select = this.#db.prepare<[number], { id: number; accounts: string; prints: string }>(
      'SELECT id, accounts, prints FROM unchanged WHERE id > ? ORDER BY id LIMIT 1',
    );
  }

  /** Whether too few are unchanged for it to be of use; it is closed then. */
  get isGivenUp(): boolean {
    return this.#isGivenUp;
  }

  /** The rows of one more account; gives their fingerprint, if they are compared and have one. */
  async add(rows: readonly PlacedRow[]): Promise<string | undefined> {
    if (this.#isGivenUp) return undefined;
    const print = this.#comparison.printOf(rows);
    this.#take(await this.#comparison.add(rows, print));
    return print;
  }

  /** More accounts, whose rows are not read. */
  async addUnread(accounts: readonly PrintedAccount[], read: ReadAccount, bytes: number): Promise<void> {
    if (!this.#isGivenUp) this.#take(await this.#comparison.addUnread(accounts, read, bytes));
  }

  async finish(): Promise<void> {
    if (this.#isGivenUp) return;
    this.#take(await this.#comparison.finish());
    if (!this.isGivenUp) this.#sort.settle();
  }

  #take({ unchanged, others }: Answered): void {
    if (unchanged.length > 0)
      this.#insert.run(
        joinTexts(unchanged.map(({ account }) => account)),
        joinTexts(unchanged.map(({ print }) => print)),
      );
    this.#unchanged += unchanged.length;
    for (const { rows, print, found } of others) {
      const [first] = rows;
      if (first === undefined) continue;
      this.#kept.set(first.account, { print, found });
      for (const { file, row } of rows) if (hasAccount(row)) this.#sort.add([row], file, true);
    }
    if (this.#kept.size <= mostKept + this.#unchanged / 10) return;
    this.close();
    this.#isGivenUp = true;
  }

  /** In the order of the files, one question's accounts at a time. */
  *unchanged(): Generator<readonly PrintedAccount[], void, undefined> {
    for (let page = this.#select.get(0); page !== undefined; page = this.#select.get(page.id)) {
      const prints = splitTexts(page.prints);
      yield splitTexts(page.accounts).map((account, at) => ({ account, print: prints[at] ?? '' }));
    }
  }

  /** The others, by account number. */
  *others(): Generator<ComparedRows, void, undefined> {
    for (const rows of this.#sort.byAccount())
      yield { rows, ...(this.#kept.get(rows[0]?.account ?? '') ?? unknown) };
  }

  /** Frees the disk; end a reading that is under way first. */
  close(): void {
    if (this.#isGivenUp) return;
    this.#sort.close();
    this.#db.close();
    this.#kept.clear();
  }
}
