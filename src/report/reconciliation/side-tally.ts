import { createHash } from 'node:crypto';

/** What was compared of one side. */
export interface SideCounts {
  readonly accounts: number;
  /** Of the source: those of its accounts that the platform has created. */
  readonly imported: number;
  /** SHA-256 of all that was compared, in hexadecimal. */
  readonly digest: string;
}

/** Counts one side and takes its digest; a side is told of in the order of its accounts. */
export class SideTally {
  readonly #hash = createHash('sha256');
  #accounts = 0;
  #imported = 0;

  account(isImported: boolean, ...content: readonly unknown[]): void {
    this.#accounts += 1;
    if (isImported) this.#imported += 1;
    this.note(...content);
  }

  /** Something that is no account. */
  note(...content: readonly unknown[]): void {
    this.#hash.update(`${JSON.stringify(content)}\n`);
  }

  /** Call once. */
  end(): SideCounts {
    return { accounts: this.#accounts, imported: this.#imported, digest: this.#hash.digest('hex') };
  }
}
