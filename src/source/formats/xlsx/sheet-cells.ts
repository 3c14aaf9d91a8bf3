import type { ReadOptions } from '../../places/place.ts';
import type { ZipParts } from '../../zip-file.ts';
import { damagedWorkbook, longestText, textOf, unescaped, XmlParser, type XmlVisitor } from './xml.ts';

/** A cell as it is stored. */
export interface StoredCell {
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
  readonly cells: readonly StoredCell[];
}

/** LibreOffice writes truth values so, which are nothing to calculate. */
const isTruth = /^(?:TRUE|FALSE)\(\)$/;
const longestTruth = 16;

const lastRow = 1_048_576;
const lastColumn = 16_384;

/** Finds the rows of a sheet in its XML. */
export class SheetVisitor implements XmlVisitor {
  private rows: StoredRow[] = [];
  private isWithin = false;
  private line = 0;
  private cells: StoredCell[] = [];
  private column = -1;
  private type = 'n';
  private style = 0;
  private value = '';
  private isFormula = false;
  /** The start of the formula that is being read. */
  private formula: string | undefined;
  private isText = false;
  private isPhonetic = false;

  /** The rows since the last call. */
  take(): readonly StoredRow[] {
    const { rows } = this;
    this.rows = [];
    return rows;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    switch (name) {
      case 'c':
        this.column = attributes['r'] === undefined ? this.column + 1 : this.columnIn(attributes['r']);
        this.type = attributes['t'] ?? 'n';
        this.style = Number(attributes['s'] ?? 0);
        this.value = '';
        this.isFormula = false;
        break;
      case 'v':
        this.isText = true;
        break;
      case 't':
        this.isText = !this.isPhonetic;
        break;
      case 'f':
        this.formula = '';
        break;
      case 'rPh':
        this.isPhonetic = true;
        break;
      case 'row':
        this.begin(attributes['r']);
        break;
      case 'sheetData':
        this.isWithin = true;
    }
  }

  close(name: string): void {
    switch (name) {
      case 'c':
        this.end();
        break;
      case 'v':
      case 't':
        this.isText = false;
        break;
      case 'f':
        this.isFormula = !isTruth.test(this.formula ?? '');
        this.formula = undefined;
        break;
      case 'rPh':
        this.isPhonetic = false;
        break;
      case 'row':
        this.rows.push({ line: this.line, cells: this.cells });
        break;
      case 'sheetData':
        this.isWithin = false;
    }
  }

  text(piece: string): void {
    if (this.formula !== undefined && this.formula.length < longestTruth) this.formula += piece;
    if (!this.isText || !this.isWithin) return;
    this.value += piece;
    if (this.value.length > longestText) throw damagedWorkbook('a text is longer than a cell can hold');
  }

  private begin(number: string | undefined): void {
    const line = number === undefined ? this.line + 1 : Number(number);
    if (!Number.isInteger(line) || line <= this.line || line > lastRow)
      throw damagedWorkbook(`a row after row ${this.line} has a wrong number`);
    this.line = line;
    this.cells = [];
    this.column = -1;
  }

  private end(): void {
    const { column, type, style, isFormula } = this;
    if (!this.isWithin || (this.value === '' && !isFormula)) return;
    const value = type === 'inlineStr' || type === 'str' ? unescaped(this.value) : this.value;
    this.cells.push({ column, type, style, value, isFormula });
  }

  private columnIn(reference: string): number {
    const column = columnOf(reference);
    if (column <= this.column || column >= lastColumn)
      throw damagedWorkbook(`a cell of row ${this.line} has a wrong place`);
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
