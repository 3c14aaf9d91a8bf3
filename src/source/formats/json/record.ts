import { typedDate, typedNumber, type CellValue } from '../../../domain/typed-value.ts';
import type { Cell } from '../../../domain/cell.ts';
import {
  isJsonObject,
  numberText,
  parseJson,
  type JsonObject,
  type JsonValue,
} from '../../../domain/json.ts';
import { joinPath, valueAt } from '../../../domain/paths.ts';
import { rejectedBecause } from '../../../domain/shared-codes.ts';
import type { SourceRecord } from '../../export.ts';
import { ValueLines } from './place.ts';
import type { GoodRow } from '../../row.ts';
import type { FileTable } from '../../table.ts';
import type { TextBlock } from '../../text-block.ts';
import { withThrough, type Format, type Sample, type Through } from '../format.ts';

/** What a JSON array and NDJSON have in common: a row is an object. */
export const jsonRecord: Pick<Format, 'record' | 'text'> = {
  record: (row, table, through) => new JsonRecord(row, table, through),

  text({ body, fields }, table, column) {
    const record: JsonValue = fields ?? (typeof body === 'string' ? parseJson(body) : {});
    const text = numberText(valueAt(record, column)) ?? '';
    return table.trim === true ? text.trim() : text;
  },
};

class JsonRecord implements SourceRecord {
  readonly table: FileTable;
  readonly line: number;
  declare readonly unreadable?: readonly string[];
  readonly #text: string;
  #parsed: Readonly<JsonObject> | undefined;
  #lines: ValueLines | undefined;
  readonly #through: Through | undefined;

  constructor({ line, body, fields, unreadable }: GoodRow, table: FileTable, through: Through | undefined) {
    this.#through = through;
    if (unreadable !== undefined) this.unreadable = unreadable.map(({ column }) => column);
    this.table = table;
    this.line = line;
    this.#text = typeof body === 'string' ? body : '';
    if (fields !== undefined) this.#parsed = withoutReason(fields);
  }

  get fields(): Readonly<Record<string, JsonValue>> {
    return (this.#parsed ??= withoutReason(parseJson(this.#text)));
  }

  value(name: string): CellValue | undefined {
    const { fields } = this;
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (typeof value !== 'string') return value;
    if (this.table.numeric?.includes(name) === true) return typedNumber(value);
    return this.table.dates?.includes(name) === true ? typedDate(value) : value;
  }

  cell(path: string): Cell {
    this.#lines ??= new ValueLines(this.#text);
    const line = this.line + this.#lines.before(path);
    return withThrough({ file: this.table.file, line, column: path }, this.#through);
  }

  release(): void {
    this.#parsed = undefined;
    this.#lines = undefined;
  }
}

/** The reason in a rejected record is for people, and is not part of its data. */
function withoutReason(value: JsonValue): Readonly<JsonObject> {
  if (!isJsonObject(value)) return {};
  if (!Object.hasOwn(value, rejectedBecause)) return value;
  const { [rejectedBecause]: _reason, ...fields } = value;
  return fields;
}

/** The sample that records make. */
export function sampleOf(records: readonly JsonValue[]): Omit<Sample, 'encoding'> {
  const rows = records.map((record) => new Map(plainValues(record, '')));
  return { isFlat: false, rows, columns: [...new Set(rows.flatMap((row) => [...row.keys()]))] };
}

function* plainValues(value: JsonValue, path: string): Generator<[string, string]> {
  if (isJsonObject(value))
    for (const [name, field] of Object.entries(value)) yield* plainValues(field, joinPath(path, name));
  else if (!Array.isArray(value) && path !== '')
    yield [path, typeof value === 'boolean' ? String(value) : (numberText(value) ?? '')];
}

export function parsed(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** The first character that is not white space; '' if there is none. */
export async function firstCharacter(blocks: AsyncIterable<TextBlock>): Promise<string> {
  for await (const { bytes } of blocks) {
    const text = bytes.toString().trimStart();
    if (text !== '') return text.charAt(0);
  }
  return '';
}
