import { longestElement, rowOf, tooLongElement } from './json-elements.ts';
import { lineEndsIn } from './physical-lines.ts';
import type { Row } from './row.ts';
import type { JsonTable } from './table.ts';
import { joined, type TextBlock } from './text-blocks.ts';

const lineFeed = 10;

/** Reads one JSON object a line; blank lines are left out, and a line that is wrong leaves the others whole. */
export async function* readNdjson(
  blocks: AsyncIterable<TextBlock>,
  table: JsonTable,
): AsyncGenerator<readonly Row[], void, undefined> {
  let window: Buffer = Buffer.alloc(0);
  let invalid: number[] = [];
  let line = 1;
  let skipping = false;

  function take(end: number): Row[] {
    const rows: Row[] = [];
    let at = 0;
    while (at < end) {
      const next = window.indexOf(lineFeed, at) + 1 || end;
      const text = window.toString('utf8', at, next);
      const damaged = invalid.some((position) => position >= at && position < next);
      if (!skipping && text.trim() !== '') rows.push(rowOf({ line, text, damaged }, table));
      skipping = false;
      line += lineEndsIn(window, at, next);
      at = next;
    }
    window = window.subarray(end);
    invalid = invalid.flatMap((position) => (position < end ? [] : [position - end]));
    return rows;
  }

  for await (const block of blocks) {
    for (const at of block.invalid) invalid.push(window.length + at);
    window = joined(window, block.bytes);
    const rows = take(window.lastIndexOf(lineFeed) + 1);
    if (window.length > longestElement) {
      if (!skipping) rows.push({ line, column: '', ...tooLongElement });
      skipping = true;
      window = window.subarray(window.length);
    }
    yield rows;
  }
  yield take(window.length);
}
