import { stringifyJson } from '../../../domain/json.ts';
import { lineEndsIn } from '../../physical-lines.ts';
import { cutOffIn, type Row } from '../../row.ts';
import type { FileTable } from '../../table.ts';
import type { TextBlock } from '../../text-block.ts';
import { firstWithin } from '../../text-blocks.ts';
import { copiedLines } from '../copied-rows.ts';
import { sampleRows, type Format, type RowOptions } from '../format.ts';
import { encodingText, textFormat } from '../text-format.ts';
import { recordWithReason } from './copied-elements.ts';
import { longestElement, rowOf, tooLongElement } from './elements.ts';
import { firstCharacter, jsonRecord, parsed, sampleOf } from './record.ts';
import { walkJson } from './walk.ts';

export const ndjson: Format = {
  name: 'ndjson',
  endings: ['.ndjson', '.jsonl'],
  readsFromRows: true,

  ...textFormat({
    async open(blocks, found) {
      const isEmpty = (await firstCharacter(blocks)) === '';
      return { ...found, format: 'ndjson', isFlat: false, ...(isEmpty ? { isEmpty } : {}) };
    },
    rows: readNdjson,
    sample(start) {
      const lines = start.toString().split('\n').slice(0, sampleRows);
      return sampleOf(lines.flatMap((line) => parsed(line) ?? []));
    },
    copied: (tables) =>
      copiedLines(tables, ndjson, { row: (text, _row, reason) => recordWithReason(text, reason) }),
  }),

  ...jsonRecord,

  described: (table) => `NDJSON, ${encodingText(table)}`,

  writing: {
    ending: '.ndjson',
    write: (rows) => ({
      text: rows.map((row) => `${stringifyJson(row)}\n`).join(''),
      lines: rows.map((_row, at) => at + 1),
    }),
  },
};

const lineFeed = 10;

/** Reads one JSON object per line; blank lines are skipped, and an invalid line does not affect the others. */
export async function* readNdjson(
  blocks: AsyncIterable<TextBlock>,
  table: FileTable,
  { fromLine = 1 }: RowOptions = {},
): AsyncGenerator<readonly Row[], void, undefined> {
  /** The text that was not read yet. */
  let pieces: Buffer[] = [];
  let length = 0;
  let invalid: number[] = [];
  let line = fromLine;
  let skipping = false;

  /** Reads all complete lines, or everything. */
  function take(isLast: boolean): Row[] {
    const rows: Row[] = [];
    const window = Buffer.concat(pieces);
    const end = isLast ? length : window.lastIndexOf(lineFeed) + 1;
    let at = 0;
    while (at < end) {
      const next = window.indexOf(lineFeed, at) + 1 || end;
      const text = window.toString('utf8', at, next);
      const damaged = firstWithin(invalid, at, next) !== undefined;
      if (!skipping && text.trim() !== '') rows.push(rowOf({ line, text, damaged }, table));
      skipping = false;
      line += lineEndsIn(window, at, next);
      at = next;
    }
    leave(window.subarray(end));
    invalid = invalid.flatMap((position) => (position < end ? [] : [position - end]));
    return rows;
  }

  function leave(rest: Buffer): void {
    pieces = [rest];
    length = rest.length;
  }

  for await (const { bytes, invalid: wrong } of blocks) {
    for (const at of wrong) invalid.push(length + at);
    pieces.push(bytes);
    length += bytes.length;
    // A long line comes in many pieces: joining each to the last would take quadratic time.
    const rows = bytes.includes(lineFeed) ? take(false) : [];
    if (length > longestElement) {
      if (!skipping) rows.push({ line, column: '', ...tooLongElement });
      skipping = true;
      leave(Buffer.alloc(0));
    }
    yield rows;
  }
  // Only the text after the last line end remains.
  yield take(true).flatMap((row) => ('body' in row || !endsEarly(row.text) ? [row] : cutOffIn(row)));
}

/** Whether a text is the beginning of a JSON text. */
function endsEarly(text: string | undefined): boolean {
  const error = text === undefined ? undefined : walkJson(text, () => undefined);
  if (text === undefined || error === undefined || error.isTooDeep) return false;
  // A literal, a number or an escape can be incomplete too.
  return /^(?:[\w+.-]*|\\(?:u[\da-f]{0,3})?)\s*$/i.test(text.slice(error.at));
}
