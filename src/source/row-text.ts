import { withoutFields, type AccountRow, type GoodRow, type PlacedRow, type Row } from './row.ts';

/** The kind of the body: a text, cells, either of them as JSON, cells after the columns that are typed, or as JSON a whole row. */
const kinds = { text: 't', cells: 'c', json: 'j', typed: 'n', whole: 'f' } as const;

/** Marks between cells and between rows: hardly any row contains one, and JSON never does. */
export const cellMark = '\u001f';
export const rowMark = '\u001e';
const marks = new RegExp(`[${cellMark}${rowMark}]`);

/** A row of a file, by its index, as a text without a `rowMark`; what was parsed of it is left out. */
export function rowText(row: AccountRow, file: number): string {
  const place = `${file}${cellMark}${row.line}${cellMark}`;
  const whole = (): string => `${place}${kinds.whole}${cellMark}${JSON.stringify(withoutFields(row))}`;
  if (!('body' in row) || row.unreadable !== undefined) return whole();
  const { body, typed } = row;
  if (typed !== undefined)
    return markedCells(body, `${place}${kinds.typed}${cellMark}${typed.join()}`) ?? whole();
  return (
    marked(body, place) ??
    `${place}${kinds.json}${cellMark}${JSON.stringify(typeof body === 'string' ? body : [...body])}`
  );
}

/** Without JSON, which is several times slower; undefined if it contains a mark. */
function marked(body: GoodRow['body'], place: string): string | undefined {
  if (typeof body === 'string')
    return marks.test(body) ? undefined : `${place}${kinds.text}${cellMark}${body}`;
  return markedCells(body, place + kinds.cells);
}

function markedCells(body: GoodRow['body'], start: string): string | undefined {
  let text = start;
  for (let at = 0; at < body.length; at += 1) {
    const cell = body.at(at) ?? '';
    if (marks.test(cell)) return undefined;
    text += cellMark + cell;
  }
  return text;
}

/** The row that `rowText` wrote. */
export function rowOfText(account: string, text: string): PlacedRow {
  const fields = text.split(cellMark);
  const [file, line, kind, body = ''] = fields;
  const row = (read: GoodRow['body']): Row => ({ line: Number(line), account, body: read });
  const placed = (found: Row): PlacedRow => ({ account, file: Number(file), row: found });
  if (kind === kinds.cells) return placed(row(fields.slice(3)));
  if (kind === kinds.typed)
    return placed({
      line: Number(line),
      account,
      body: fields.slice(4),
      typed: body.split(',').map(Number),
    });
  if (kind === kinds.text) return placed(row(body));
  return placed(kind === kinds.whole ? (JSON.parse(body) as Row) : row(JSON.parse(body) as GoodRow['body']));
}
