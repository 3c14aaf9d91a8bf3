import type { ReadOptions } from '../../places/place.ts';
import type { ZipParts } from '../../zip-file.ts';
import type { XmlContext } from './namespaces.ts';
import { damagedWorkbook, longestText, textOf, unescaped, XmlParser, type XmlVisitor } from './xml.ts';

/** A cell as it is stored. */
export interface WorkbookCell {
  /** Number of its column, from 0. */
  readonly column: number;
  /** Its type (`t`): n, s, str, inlineStr, b, e, d. */
  readonly type: string;
  readonly style: number;
  readonly value: string;
  readonly isFormula: boolean;
}

export interface StoredRow {
  /** Its number, from 1. */
  readonly line: number;
  /** Cells with content, in order. */
  readonly cells: readonly WorkbookCell[];
}

/** LibreOffice writes truth values so, which are nothing to calculate. */
const isTruth = /^(?:TRUE|FALSE)\(\)$/;
const longestTruth = 16;

const lastRow = 1_048_576;
const lastColumn = 16_384;

/** Finds the rows of a sheet in its XML. */
export class SheetVisitor implements XmlVisitor {
  #rows: StoredRow[] = [];
  #isWithin = false;
  #line = 0;
  #cells: WorkbookCell[] = [];
  #column = -1;
  #type = 'n';
  #style = 0;
  /** What `<v>` holds, and what `<is>` holds, if the cell has them. */
  #value: string | undefined;
  #inline: string | undefined;
  #isFormula = false;
  /** The start of the formula that is being read. */
  #formula: string | undefined;
  #isPhonetic = false;
  #into: 'value' | 'inline' | undefined;

  /** The rows since the last call. */
  take(): readonly StoredRow[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  open(name: string, attributes: Readonly<Record<string, string>>, { parent }: XmlContext): void {
    switch (name) {
      case 'c':
        if (parent === 'row') this.#beginCell(attributes);
        break;
      case 'v':
        if (parent !== 'c') break;
        if (this.#value !== undefined) throw damagedWorkbook('a cell has two values');
        this.#value = '';
        this.#into = 'value';
        break;
      case 'is':
        if (parent !== 'c') break;
        if (this.#inline !== undefined) throw damagedWorkbook('a cell has two texts');
        this.#inline = '';
        break;
      case 't':
        if (!this.#isPhonetic && (parent === 'is' || parent === 'r')) this.#into = 'inline';
        break;
      case 'rPh':
        this.#isPhonetic = true;
        break;
      case 'f':
        if (parent === 'c') this.#formula = '';
        break;
      case 'row':
        if (parent === 'sheetData') this.#begin(attributes['r']);
        break;
      case 'sheetData':
        this.#isWithin = true;
    }
  }

  close(name: string, { parent }: XmlContext): void {
    switch (name) {
      case 'c':
        if (parent === 'row') this.#end();
        break;
      case 'v':
      case 't':
        this.#into = undefined;
        break;
      case 'rPh':
        this.#isPhonetic = false;
        break;
      case 'f':
        if (parent !== 'c') break;
        this.#isFormula = !isTruth.test(this.#formula ?? '');
        this.#formula = undefined;
        break;
      case 'row':
        if (parent === 'sheetData') this.#rows.push({ line: this.#line, cells: this.#cells });
        break;
      case 'sheetData':
        this.#isWithin = false;
    }
  }

  text(piece: string): void {
    if (this.#formula !== undefined && this.#formula.length < longestTruth) this.#formula += piece;
    if (this.#into === undefined || !this.#isWithin) return;
    const isValue = this.#into === 'value';
    const text = `${(isValue ? this.#value : this.#inline) ?? ''}${piece}`;
    if (text.length > longestText) throw damagedWorkbook('a text is longer than a cell can hold');
    if (isValue) this.#value = text;
    else this.#inline = text;
  }

  #begin(number: string | undefined): void {
    const line = number === undefined ? this.#line + 1 : Number(number);
    if (!Number.isInteger(line) || line <= this.#line || line > lastRow)
      throw damagedWorkbook(`a row after row ${this.#line} has a wrong number`);
    this.#line = line;
    this.#cells = [];
    this.#column = -1;
  }

  #beginCell(attributes: Readonly<Record<string, string>>): void {
    this.#column = attributes['r'] === undefined ? this.#column + 1 : this.#columnIn(attributes['r']);
    this.#type = attributes['t'] ?? 'n';
    this.#style = Number(attributes['s'] ?? 0);
    this.#value = undefined;
    this.#inline = undefined;
    this.#isFormula = false;
  }

  #end(): void {
    const [column, style, isFormula] = [this.#column, this.#style, this.#isFormula];
    // The type says which of the two it is; the other one counts only if that is missing.
    const isInline = this.#type === 'inlineStr' ? this.#inline !== undefined : this.#value === undefined;
    const stored = (isInline ? this.#inline : this.#value) ?? '';
    if (!this.#isWithin || (stored === '' && !isFormula)) return;
    const type = isInline && stored !== '' ? 'inlineStr' : this.#type;
    const value = type === 'inlineStr' || type === 'str' ? unescaped(stored) : stored;
    this.#cells.push({ column, type, style, value, isFormula });
  }

  #columnIn(reference: string): number {
    const column = columnOf(reference);
    if (column <= this.#column || column >= lastColumn)
      throw damagedWorkbook(`a cell of row ${this.#line} has a wrong place`);
    return column;
  }
}

/** The number of the column in a cell's reference such as `C17`, from 0. */
export function columnOf(reference: string): number {
  let column = 0;
  for (let at = 0; at < reference.length; at += 1) {
    const letter = reference.charCodeAt(at) - 64;
    if (letter < 1 || letter > 26) break;
    column = column * 26 + letter;
  }
  return column - 1;
}

/** The letters of a column, from 0. */
export function lettersOf(column: number): string {
  const rest = Math.floor(column / 26) - 1;
  return `${rest < 0 ? '' : lettersOf(rest)}${String.fromCharCode(65 + (column % 26))}`;
}

/** The rows of a sheet, batch by batch. Throws FileUnreadable, and the signal's reason. */
export async function* storedRows(
  parts: ZipParts,
  part: string,
  options: ReadOptions,
): AsyncGenerator<readonly StoredRow[], void, undefined> {
  const visitor = new SheetVisitor();
  const parser = new XmlParser(part, visitor);
  for await (const piece of textOf(parts, part, options)) {
    parser.write(piece);
    yield visitor.take();
  }
  parser.end();
  yield visitor.take();
}
