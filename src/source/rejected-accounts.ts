import { openTemporary } from '../sqlite/temporary.ts';

/** The rejected accounts, each with its reasons; kept on disk, so that memory does not grow with their number. */
export class RejectedAccounts {
  private readonly db = openTemporary();
  private readonly insert;
  private readonly find;
  private count = 0;

  constructor() {
    this.db.exec('CREATE TABLE rejected (account TEXT PRIMARY KEY, reason TEXT) WITHOUT ROWID');
    this.insert = this.db.prepare<[string, string]>(
      `INSERT INTO rejected VALUES (?, ?)
       ON CONFLICT DO UPDATE SET reason = reason || ' + ' || excluded.reason`,
    );
    this.find = this.db.prepare<[string], string>('SELECT reason FROM rejected WHERE account = ?').pluck();
  }

  get isEmpty(): boolean {
    return this.count === 0;
  }

  /** The number of accounts with a reason. */
  get size(): number {
    return this.db.prepare<[], number>('SELECT count(*) FROM rejected').pluck().get() ?? 0;
  }

  /** A second call for an account adds a reason. */
  add(account: string, reason: string): void {
    this.insert.run(account, reason);
    this.count += 1;
  }

  reasonOf(account: string): string | undefined {
    return this.find.get(account);
  }

  /** Frees the disk. */
  close(): void {
    this.db.close();
  }
}
