import { readBytes } from '../file-bytes.ts';
import { lineEndsInText } from '../physical-lines.ts';
import { rawBytes, RawLines } from '../raw-text.ts';
import type { Row } from '../row.ts';
import type { FileTable } from '../table.ts';
import type { CopiedFile, Format } from './format.ts';

type Copied<Read extends FileTable> = readonly [CopiedFile<Read>, ...CopiedFile<Read>[]];

/** A row of a file, and why it is copied. */
export interface CopiedRow {
  readonly row: Row;
  readonly reason: string | undefined;
}

/** The rows of a file; a row may have a reason in any of the tables that are of this file. */
export async function* copiedRows<Read extends FileTable>(
  [first, ...others]: Copied<Read>,
  format: Pick<Format<Read>, 'rows'>,
): AsyncGenerator<CopiedRow, void, undefined> {
  const beside = others.map((other) => new Reasons(other, format));
  try {
    for await (const batch of format.rows(first.file, {}))
      for (const row of batch) {
        let reason = reasonOf(row, first);
        for (const other of beside) reason = (await other.at(row.line)) ?? reason;
        yield { row, reason };
      }
  } finally {
    for (const other of beside) await other.close();
  }
}

function reasonOf(row: Row, file: Pick<CopiedFile, 'reasonOf'>): string | undefined {
  if (row.account === undefined) return undefined;
  if ('body' in row) return file.reasonOf(row.account);
  for (const account of [row.account, ...(row.alsoOf ?? []), ...(row.mayBeOf ?? [])]) {
    const reason = file.reasonOf(account);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** The reasons of the rows of one more table of a file, in the order of its lines. */
class Reasons<Read extends FileTable> {
  readonly #file: CopiedFile<Read>;
  readonly #batches: AsyncGenerator<readonly Row[], void, undefined>;
  #rows: readonly Row[] = [];
  #next = 0;

  constructor(file: CopiedFile<Read>, format: Pick<Format<Read>, 'rows'>) {
    this.#file = file;
    this.#batches = format.rows(file.file, {});
  }

  async at(line: number): Promise<string | undefined> {
    for (;;) {
      const row = this.#rows[this.#next];
      if (row === undefined) {
        const batch = await this.#batches.next();
        if (batch.done === true) return undefined;
        this.#rows = batch.value;
        this.#next = 0;
      } else if (row.line < line) this.#next += 1;
      else return row.line === line ? reasonOf(row, this.#file) : undefined;
    }
  }

  async close(): Promise<void> {
    await this.#batches.return();
  }
}

/** How the lines of a row become those of its copy. */
interface Change {
  /** The file's text before its first row, where that is not left out. */
  readonly header?: (text: string) => string;
  readonly row: (text: string, row: Row, reason: string) => string;
}

/** Copies the rows with a reason of a file whose rows are whole lines, byte by byte. */
export async function* copiedLines<Read extends FileTable>(
  tables: Copied<Read>,
  format: Pick<Format<Read>, 'rows'>,
  { header, row: changed }: Change,
): AsyncGenerator<Buffer, void, undefined> {
  const { table, stored } = tables[0].file;
  const raw = new RawLines(readBytes(stored), table.encoding);
  try {
    let isHeaderGiven = header === undefined;
    const start = async (line: number): Promise<Buffer> =>
      rawBytes(header?.(await raw.upTo(line)) ?? '', table.encoding);
    for await (const { row, reason, first, after } of spans(copiedRows(tables, format))) {
      if (!isHeaderGiven) yield await start(first);
      isHeaderGiven = true;
      if (reason === undefined) continue;
      await raw.skipTo(first);
      yield rawBytes(changed(await raw.upTo(after), row, reason), table.encoding);
    }
    if (!isHeaderGiven) yield await start(Infinity);
  } finally {
    await raw.close();
  }
}

export interface Span extends CopiedRow {
  /** Its first line, and the line after its last. */
  readonly first: number;
  readonly after: number;
}

/** The lines of each row. An unreadable row has all lines up to the next row. */
export async function* spans(rows: AsyncIterable<CopiedRow>): AsyncGenerator<Span, void, undefined> {
  let last: (Omit<Span, 'after'> & { readonly after?: number }) | undefined;
  for await (const { row, reason } of rows) {
    const first = 'body' in row ? row.line : (row.first ?? row.line);
    if (last !== undefined) yield { ...last, after: last.after ?? first };
    const after = afterOf(row);
    last = { row, reason, first, ...(after === undefined ? {} : { after }) };
  }
  if (last !== undefined) yield { ...last, after: last.after ?? Infinity };
}

function afterOf(row: Row): number | undefined {
  if (!('body' in row)) return undefined;
  if (typeof row.body === 'string') return row.line + 1;
  return [...row.body].reduce((line, cell) => line + lineEndsInText(cell), row.line + 1);
}
