import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { openTemporary } from '../../../sqlite/temporary.ts';
import type { Sqlite } from '../../../sqlite/open-database.ts';
import type { WrittenCell } from '../format.ts';
import { lettersOf } from './sheet-cells.ts';

export interface WrittenSheet {
  readonly name: string;
  /** The rows, one under the other. */
  rows(): AsyncIterable<readonly WrittenCell[]>;
}

const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const relations = 'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"';
const content = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** Texts are never taken for formulas: they have the format of text and the mark of a text that was entered. */
const textFormat = '@';

/** Writes a workbook, sheet by sheet; memory does not grow with the rows. Throws errors of the file system. */
export async function writeWorkbook(target: string, sheets: readonly WrittenSheet[]): Promise<void> {
  const db = openTemporary();
  try {
    const { ZipFile } = await import('yazl');
    const zip = new ZipFile();
    const writer = new Writer(db);
    const failed = new AbortController();
    const add = (name: string, text: () => AsyncIterable<string>): void => {
      zip.addReadStreamLazy(name, (done) => {
        const part = Readable.from(text(), { objectMode: false });
        // The library does not pass them on.
        part.on('error', (error) => failed.abort(error));
        done(null, part);
      });
    };
    add('[Content_Types].xml', () => once(contentTypes(sheets.length, /\.xlsm$/i.test(target))));
    add('_rels/.rels', () => once(relationsOf([['officeDocument', 'xl/workbook.xml']])));
    add('xl/workbook.xml', () => once(workbookXml(sheets)));
    for (const [at, sheet] of sheets.entries()) {
      const number = at + 1;
      add(`xl/worksheets/sheet${number}.xml`, () => writer.sheet(sheet, number));
      add(`xl/worksheets/_rels/sheet${number}.xml.rels`, () =>
        once(
          relationsOf([
            ['comments', `../comments${number}.xml`],
            ['vmlDrawing', `../drawings/vmlDrawing${number}.vml`],
          ]),
        ),
      );
      add(`xl/comments${number}.xml`, () => writer.comments(number));
      add(`xl/drawings/vmlDrawing${number}.vml`, () => writer.shapes(number));
    }
    add('xl/_rels/workbook.xml.rels', () =>
      once(
        relationsOf([
          ...sheets.map((_sheet, at): [string, string] => ['worksheet', `worksheets/sheet${at + 1}.xml`]),
          ['styles', 'styles.xml'],
        ]),
      ),
    );
    // Last: which styles there are is known only now.
    add('xl/styles.xml', () => writer.styles());
    zip.end();
    const file = createWriteStream(target, { flags: 'wx', mode: 0o600 });
    zip.on('error', (error) => failed.abort(error));
    try {
      await pipeline(zip.outputStream, file, { signal: failed.signal });
    } catch (error) {
      failed.signal.throwIfAborted();
      throw error;
    }
  } finally {
    db.close();
  }
}

// eslint-disable-next-line @typescript-eslint/require-await
async function* once(text: string): AsyncGenerator<string, void, undefined> {
  yield declaration + text;
}

function relationsOf(targets: readonly (readonly [string, string])[]): string {
  const each = targets.map(
    ([type, target], at) => `<Relationship Id="r${at + 1}" Type="${office}/${type}" Target="${target}"/>`,
  );
  return `<Relationships ${relations}>${each.join('')}</Relationships>`;
}

function workbookXml(sheets: readonly WrittenSheet[]): string {
  const each = sheets.map(
    ({ name }, at) => `<sheet name="${escaped(name)}" sheetId="${at + 1}" r:id="r${at + 1}"/>`,
  );
  return `<workbook ${main} xmlns:r="${office}"><sheets>${each.join('')}</sheets></workbook>`;
}

/** Programs refuse a workbook whose type does not fit its ending. */
const macroBook =
  '<Override PartName="/xl/workbook.xml" ContentType="application/vnd.ms-excel.sheet.macroEnabled.main+xml"/>';

function contentTypes(count: number, hasMacros: boolean): string {
  const override = (part: string, type: string): string =>
    `<Override PartName="/xl/${part}.xml" ContentType="${content}.${type}+xml"/>`;
  const each = Array.from({ length: count }, (_, at) =>
    [override(`worksheets/sheet${at + 1}`, 'worksheet'), override(`comments${at + 1}`, 'comments')].join(''),
  );
  return (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    '<Default Extension="xml" ContentType="application/xml"/>' +
    '<Default Extension="vml" ContentType="application/vnd.openxmlformats-officedocument.vmlDrawing"/>' +
    `${hasMacros ? macroBook : override('workbook', 'sheet.main')}${override('styles', 'styles')}${each.join('')}</Types>`
  );
}

/** Control characters but tabs and line feeds, and halves of characters. */
const notInXml = /(?![\t\n])\p{Cc}|\p{Surrogate}|[\ufffe\uffff]/gu;

/** Characters that XML does not have are escaped as workbooks do it, and so is what looks like such an escape. */
function escaped(text: string): string {
  return text
    .replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replaceAll(notInXml, (found) => {
      const code = found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
      return `_x${code}_`;
    })
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

interface Note {
  readonly line: number;
  readonly place: number;
  readonly text: string;
}

class Writer {
  readonly #db: Sqlite;
  /** The numbers of the styles, by format and highlight. */
  readonly #numbers = new Map<string, number>([[styleKey('', false), 0]]);

  constructor(db: Sqlite) {
    this.#db = db;
    db.exec('CREATE TABLE note (sheet INTEGER, line INTEGER, place INTEGER, text TEXT)');
  }

  async *sheet(sheet: WrittenSheet, number: number): AsyncGenerator<string, void, undefined> {
    const note = this.#db.prepare<[number, number, number, string]>('INSERT INTO note VALUES (?, ?, ?, ?)');
    yield `${declaration}<worksheet ${main} xmlns:r="${office}"><sheetData>`;
    let line = 0;
    for await (const cells of sheet.rows()) {
      line += 1;
      let text = `<row r="${line}">`;
      for (const cell of cells) {
        text += this.#cell(cell, line);
        if (cell.mark !== undefined) note.run(number, line, cell.column, cell.mark.text);
      }
      yield `${text}</row>`;
    }
    yield '</sheetData><legacyDrawing r:id="r2"/></worksheet>';
  }

  #cell({ column, kind, value, format, mark }: WrittenCell, line: number): string {
    const style = this.#style(kind === 'text' ? textFormat : (format ?? ''), mark?.isFault === true);
    const start = `<c r="${lettersOf(column)}${line}"${style === 0 ? '' : ` s="${style}"`}`;
    if (value === '') return mark === undefined ? '' : `${start}/>`;
    if (kind === 'text')
      return `${start} t="inlineStr"><is><t xml:space="preserve">${escaped(value)}</t></is></c>`;
    const type = { number: '', boolean: ' t="b"', error: ' t="e"' }[kind];
    return `${start}${type}><v>${escaped(value)}</v></c>`;
  }

  #style(format: string, isMarked: boolean): number {
    const key = styleKey(format, isMarked);
    const number = this.#numbers.get(key) ?? this.#numbers.size;
    this.#numbers.set(key, number);
    return number;
  }

  async *comments(sheet: number): AsyncGenerator<string, void, undefined> {
    yield `${declaration}<comments ${main}><authors><author>migrate</author></authors><commentList>`;
    for (const { line, place, text } of this.#notes(sheet))
      yield `<comment ref="${lettersOf(place)}${line}" authorId="0"><text><t xml:space="preserve">${escaped(text)}</t></text></comment>`;
    yield '</commentList></comments>';
    await Promise.resolve();
  }

  /** The boxes that comments are shown in. */
  async *shapes(sheet: number): AsyncGenerator<string, void, undefined> {
    yield (
      '<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:x="urn:schemas-microsoft-com:office:excel">' +
      '<v:shapetype id="_x0000_t202" coordsize="21600,21600" o:spt="202" path="m,l,21600r21600,l21600,xe"/>'
    );
    for (const { line, place } of this.#notes(sheet))
      yield `<v:shape type="#_x0000_t202" style="position:absolute;visibility:hidden" fillcolor="#ffffe1"><x:ClientData ObjectType="Note"><x:Row>${line - 1}</x:Row><x:Column>${place}</x:Column></x:ClientData></v:shape>`;
    yield '</xml>';
    await Promise.resolve();
  }

  #notes(sheet: number): IterableIterator<Note> {
    return this.#db
      .prepare<[number], Note>('SELECT line, place, text FROM note WHERE sheet = ? ORDER BY rowid')
      .iterate(sheet);
  }

  async *styles(): AsyncGenerator<string, void, undefined> {
    const styles = [...this.#numbers.keys()].map(formatOfKey);
    const formats = [...new Set(styles.map(({ format }) => format))].filter((code) => code !== '');
    const codes = formats.map((code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${escaped(code)}"/>`);
    const cells = styles.map(({ format, isMarked }) => {
      const id = format === '' ? 0 : 164 + formats.indexOf(format);
      const asText = format === textFormat ? ' quotePrefix="1"' : '';
      return `<xf numFmtId="${id}" fontId="0" fillId="${isMarked ? 2 : 0}" borderId="0" xfId="0" applyNumberFormat="1" applyFill="1"${asText}/>`;
    });
    yield (
      `${declaration}<styleSheet ${main}><numFmts count="${codes.length}">${codes.join('')}</numFmts>` +
      '<fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts>' +
      '<fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>' +
      '<fill><patternFill patternType="solid"><fgColor rgb="FFFFC7CE"/></patternFill></fill></fills>' +
      '<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>' +
      `<cellXfs count="${cells.length}">${cells.join('')}</cellXfs></styleSheet>`
    );
    await Promise.resolve();
  }
}

function styleKey(format: string, isMarked: boolean): string {
  return `${isMarked ? 'marked' : 'plain'} ${format}`;
}

function formatOfKey(key: string): { readonly format: string; readonly isMarked: boolean } {
  const [highlight, ...format] = key.split(' ');
  return { format: format.join(' '), isMarked: highlight === 'marked' };
}
