import { buffer } from 'node:stream/consumers';
import { type CellObject, type WorkBook, utils, write } from '@e965/xlsx';
import { ZipFile } from 'yazl';

/** Cells of a sheet: plain values, or cells as the writer has them. */
export type Rows = readonly (readonly (string | number | boolean | Date | null | CellObject)[])[];

/** A workbook by a writer that is not the tool's own; change it before it is written by `act`. */
export function workbook(
  sheets: Readonly<Record<string, Rows>>,
  act: (book: WorkBook) => void = () => undefined,
): Buffer {
  const book = utils.book_new();
  for (const [name, rows] of Object.entries(sheets)) {
    const sheet = utils.aoa_to_sheet(
      rows.map((row) => [...row]),
      { dateNF: 'yyyy\\-mm\\-dd', UTC: true },
    );
    utils.book_append_sheet(book, sheet, name);
  }
  act(book);
  const bytes: unknown = write(book, { type: 'buffer', bookType: 'xlsx', bookSST: true, compression: true });
  return Buffer.from(bytes instanceof Uint8Array ? bytes : []);
}

/** A ZIP file of these parts. */
export async function zipOf(parts: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(parts)) zip.addBuffer(Buffer.from(content), name);
  zip.end();
  return buffer(zip.outputStream);
}

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const relation = 'http://schemas.openxmlformats.org/package/2006/relationships';

/** The parts of a workbook with one sheet, whose XML is given. */
export function bookParts(
  sheet: string,
  more: { readonly formats?: readonly string[]; readonly strings?: string; readonly is1904?: boolean } = {},
): Record<string, string> {
  const { formats = [], strings, is1904 = false } = more;
  const own = formats.map((code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${code}"/>`).join('');
  const styles = formats.map((_code, at) => `<xf numFmtId="${164 + at}"/>`).join('');
  const to = (id: string, type: string, target: string): string =>
    `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`;
  return {
    '_rels/.rels': `<Relationships xmlns="${relation}">${to('a', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><workbookPr date1904="${is1904 ? 1 : 0}"/><sheets><sheet name="Kunden" sheetId="1" r:id="s"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${relation}">${to('s', 'worksheet', 'worksheets/sheet1.xml')}${to('f', 'styles', '/xl/styles.xml')}${to('t', 'sharedStrings', 'sharedStrings.xml')}</Relationships>`,
    'xl/styles.xml': `<styleSheet xmlns="${main}"><numFmts>${own}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${styles}</cellXfs></styleSheet>`,
    'xl/worksheets/sheet1.xml': `<?xml version="1.0"?><worksheet xmlns="${main}">${sheet}</worksheet>`,
    ...(strings === undefined ? {} : { 'xl/sharedStrings.xml': `<sst xmlns="${main}">${strings}</sst>` }),
  };
}

/** Rows of a sheet in XML, each cell given without its place. */
export function rowsXml(rows: readonly (readonly string[])[]): string {
  const cells = rows.map(
    (row, at) =>
      `<row r="${at + 1}">${row.map((cell, column) => cell.replace('<c', `<c r="${'ABCDEFGH'.charAt(column)}${at + 1}"`)).join('')}</row>`,
  );
  return `<sheetData>${cells.join('')}</sheetData>`;
}

/** A cell with its text in it. */
export function inline(text: string): string {
  return `<c t="inlineStr"><is><t>${text}</t></is></c>`;
}
