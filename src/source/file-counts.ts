import { sampleSize } from '../domain/account-sample.ts';
import { hashOf } from '../domain/hash-of.ts';
import type { ExportCounts } from '../domain/run-facts.ts';
import type { Row } from './row.ts';
import type { OpenedFile } from './table.ts';

/** Counts rows and accounts of files as they are read. */
export class FileCounter {
  readonly #files: readonly { rows: number; accounts: number; last: string | undefined }[];
  readonly #opened: readonly OpenedFile[];
  readonly #sample: number[] = [];

  constructor(files: readonly OpenedFile[]) {
    this.#opened = files;
    this.#files = files.map(() => ({ rows: 0, accounts: 0, last: undefined }));
  }

  /** `file`: the index of the file that the rows are of; rows come in its order. */
  see(batch: readonly Row[], file: number): void {
    const found = this.#files[file];
    if (found === undefined) return;
    found.rows += batch.length;
    const isOwn = this.#opened[file]?.table.role === 'accounts';
    for (const { account } of batch) {
      if (account === undefined || account === found.last) continue;
      found.last = account;
      found.accounts += 1;
      if (isOwn) this.#addToSample(account);
    }
  }

  /** Counts rows that are not read: those of whole accounts, which are all that the export has between two others. */
  seeSame(
    parts: readonly { readonly rows: number; readonly accounts: number }[],
    accounts: readonly { readonly account: string }[],
  ): void {
    for (const [file, { rows, accounts: some }] of parts.entries()) {
      const found = this.#files[file];
      if (found === undefined) continue;
      found.rows += rows;
      found.accounts += some;
    }
    for (const { account } of accounts) this.#addToSample(account);
  }

  /** `orphansOf`: the rows of a file, by its index, that belong to no account; undefined if that is not counted. */
  counts(isSorted: boolean, orphansOf: (file: number) => number | undefined): ExportCounts {
    const files = this.#opened.map(({ table: { name, file } }, at) => {
      const { rows = 0, accounts = 0 } = this.#files[at] ?? {};
      const orphans = orphansOf(at);
      return {
        table: name,
        file,
        rows,
        ...(isSorted ? { accounts } : {}),
        ...(orphans === undefined ? {} : { orphans }),
      };
    });
    return { files, sample: [...this.#sample] };
  }

  #addToSample(account: string): void {
    const hash = hashOf(account);
    const sample = this.#sample;
    if (sample.length === sampleSize && hash >= (sample.at(-1) ?? 0)) return;
    const at = sample.findIndex((one) => one >= hash);
    if (sample[at] === hash) return;
    sample.splice(at < 0 ? sample.length : at, 0, hash);
    if (sample.length > sampleSize) sample.pop();
  }
}
