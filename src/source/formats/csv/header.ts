import type { Problem } from '../../../domain/problem.ts';
import { nearest, spelledAs } from '../../../domain/nearest.ts';
import { parseCsv } from './parsing.ts';
import { longestRow } from './dialect.ts';
import type { TableSpec } from '../../export.ts';
import { fileProblem } from '../../fault.ts';
import { lastLineEnd, lineEndsIn, nextLine } from '../../physical-lines.ts';
import type { TextBlock } from '../../text-block.ts';
import { joined } from '../../text-blocks.ts';

interface CsvHeader {
  readonly columns: readonly string[];
  readonly delimiter: string;
  /** The key column as spelled in this file. */
  readonly key: string;
  /** The line on which it starts, from 1. */
  readonly headerLine: number;
}

/** The header with one of the delimiters. */
type CsvHeaderGuess = Pick<CsvHeader, 'columns' | 'delimiter'> & { readonly key: string | undefined };

const delimiters = [',', ';', '\t', '|'];

/**
 * Reads the header: the first line that is neither blank nor a comment. If no delimiter is set, it is the one with
 * which the header has the key column, then the one that gives most columns.
 */
export async function readHeader(
  blocks: AsyncIterable<TextBlock>,
  spec: TableSpec,
): Promise<CsvHeader | { readonly problem: Problem }> {
  const problem = (code: string, detail: string, column = '', line = 1): { problem: Problem } => ({
    problem: fileProblem(code, spec.file, detail, line, column),
  });
  const headersIn = (bytes: Buffer): readonly CsvHeaderGuess[] =>
    (spec.delimiter === undefined ? delimiters : [spec.delimiter]).flatMap((delimiter) => {
      const { records } = parseCsv(bytes, { ...spec, delimiter }, 1);
      const columns =
        records[0] && [...records[0].cells].map((name) => (spec.trim === true ? name.trim() : name));
      return columns === undefined ? [] : [{ columns, delimiter, key: spelledAs(spec.key, columns) }];
    });
  const start = await headerText(blocks, spec.comment, (bytes) => headersIn(bytes).length > 0);
  if (start === undefined)
    return problem('no_header', `${spec.file} is empty. Give it a header row, or remove the file.`);
  const { bytes, line, isDamaged } = start;
  const [header] = [...headersIn(bytes)].sort((a, b) => score(b) - score(a));
  if (header === undefined)
    return problem(
      bytes.length > longestRow ? 'record_too_long' : 'wrong_quoting',
      `The header of ${spec.file} cannot be read: its quotes are not closed correctly. Correct the line.`,
      '',
      line,
    );
  if (isDamaged)
    return problem(
      'invalid_encoding',
      `The header of ${spec.file} has a byte that is not ${spec.encoding ?? 'UTF-8'}. Set the file's encoding.`,
      '',
      line,
    );
  const names = new Set<string>();
  const repeated = header.columns.find((name) => names.size === names.add(name).size);
  if (repeated !== undefined)
    return problem(
      'repeated_column',
      `The header of ${spec.file} has the name '${repeated}' twice. Give each column its own name.`,
      repeated,
      line,
    );
  const { columns, delimiter, key } = header;
  if (key !== undefined) return { columns, delimiter, key, headerLine: line };
  return problem(
    'missing_key_column',
    `${spec.file} has no column '${spec.key}', which contains the account number. ${keyRemedy(spec, columns)}`,
    spec.key,
    line,
  );
}

function keyRemedy({ key, delimiter }: TableSpec, columns: readonly string[]): string {
  if (delimiter !== undefined && columns.length === 1)
    return `The header does not contain the given delimiter ${JSON.stringify(delimiter)}: check that first.`;
  const meant = nearest(key, columns);
  return meant === undefined ? 'Add it, or name the right column.' : `Did you mean '${meant}'?`;
}

function score({ columns, key }: CsvHeaderGuess): number {
  return columns.length + (key === undefined ? 0 : 1_000_000_000);
}

interface HeaderText {
  /** The file from the header on. */
  readonly bytes: Buffer;
  readonly line: number;
  readonly isDamaged: boolean;
}

/** Reads until the header is complete, which may be several lines; undefined if there is none. */
async function headerText(
  blocks: AsyncIterable<TextBlock>,
  comment: string | undefined,
  isWhole: (bytes: Buffer) => boolean,
): Promise<HeaderText | undefined> {
  let window: Buffer = Buffer.alloc(0);
  const invalid: number[] = [];
  for await (const block of blocks) {
    for (const at of block.invalid) invalid.push(window.length + at);
    window = joined(window, block.bytes);
    const ended = window.subarray(0, lastLineEnd(window));
    const from = textStart(ended, ended.length, comment);
    if (window.length > longestRow || (from !== undefined && isWhole(ended.subarray(from)))) break;
  }
  const start = textStart(window, window.length, comment);
  if (start === undefined) return undefined;
  const end = nextLine(window, start) ?? window.length;
  return {
    bytes: window.subarray(start),
    line: 1 + lineEndsIn(window, 0, start),
    isDamaged: invalid.some((at) => at < end),
  };
}

/** The start of the first line before `end` that is neither blank nor a comment. */
function textStart(bytes: Buffer, end: number, comment: string | undefined): number | undefined {
  let from = 0;
  while (from < end) {
    const next = nextLine(bytes, from) ?? end;
    const line = bytes.toString('utf8', from, next);
    const isComment = comment !== undefined && line.startsWith(comment);
    if (!isComment && line.trim() !== '') return from;
    from = next;
  }
  return undefined;
}
