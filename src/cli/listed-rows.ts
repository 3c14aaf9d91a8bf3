import { listedText } from '../report/listed-text.ts';
import type { ListedPart } from '../report/listed-part.ts';
import type { Printer } from '../report/printer.ts';

/** Rows that are as wide as the widest of so many. */
const together = 200;

/** Prints the rows of `migrate list` for people, aligned, and no more than a few at a time in memory. */
export class ListedRows {
  readonly #printer: Printer;
  readonly #hasSuppliers: boolean;
  #lines: ListedPart[] = [];
  #hasHeader = true;

  /** `hasSuppliers`: whether there are several. */
  constructor(printer: Printer, hasSuppliers: boolean) {
    this.#printer = printer;
    this.#hasSuppliers = hasSuppliers;
  }

  add(line: ListedPart): void {
    this.#lines.push(line);
    if (this.#lines.length === together) this.print();
  }

  /** Prints those that were added since. */
  print(): void {
    if (this.#lines.length === 0) return;
    const options = { hasSuppliers: this.#hasSuppliers, hasHeader: this.#hasHeader };
    this.#printer.line({}, listedText(this.#printer.page, this.#lines, options), { isPainted: true });
    this.#lines = [];
    this.#hasHeader = false;
  }
}
