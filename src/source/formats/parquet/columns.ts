import type { FileMetaData, SchemaElement } from 'hyparquet';
import { isJsonObject } from '../../../domain/json.ts';
import { dayText, momentText, oldMomentText, timeText } from './moments.ts';
import type { UnreadableText } from './unreadable.ts';

/** A value as it is stored, without any loss. */
export type StoredValue = number | bigint | boolean | Uint8Array | string | null | undefined;

/** A column of plain values. */
export interface ParquetColumn {
  readonly name: string;
  /** `text`: its values are the bytes of a text. `exact`: no number and no date. */
  readonly kind: 'text' | 'number' | 'date' | 'exact';
  /** Its moments are of a type that does not say whether they are in UTC. */
  readonly isWithoutZone?: true;
  /** The text of a value, or its bytes, or why it has none. */
  text(value: NonNullable<StoredValue>): string | Uint8Array | UnreadableText;
}

/** The columns of a file, and those that hold lists, records or binary data. */
export interface ParquetColumns {
  readonly columns: readonly ParquetColumn[];
  readonly leftOut: readonly string[];
  /** The file's description, by which values come as they are stored: the library would make floats of decimals. */
  readonly metadata: FileMetaData;
}

/** Finds the columns in a file's description. */
export function columnsOf(metadata: FileMetaData): ParquetColumns {
  const columns: ParquetColumn[] = [];
  const leftOut: string[] = [];
  const { schema } = metadata;
  const geometries = geometriesOf(metadata);
  for (let at = 1; at < schema.length;) {
    const element = schema[at];
    if (element === undefined) break;
    const isPlain = element.num_children === undefined && !geometries.has(element.name);
    const column = isPlain ? columnOf(element) : undefined;
    if (column === undefined) leftOut.push(element.name);
    else columns.push(column);
    at = afterTree(schema, at);
  }
  const stored = schema.map(
    ({ converted_type: _converted, logical_type: _logical, ...element }, at): SchemaElement => {
      // The root has no repetition, whatever it says; the library would expect levels of it before the values.
      if (at === 0) return { ...element, repetition_type: 'REQUIRED' };
      // Without any type, the library would make one number of the two in an INT96.
      return element.type === 'INT96' ? { ...element, converted_type: 'INT_64' } : element;
    },
  );
  return { columns, leftOut, metadata: { ...metadata, schema: stored } };
}

/**
 * The columns that a description of geometries names (GeoParquet): its type alone does not tell such a column from one of
 * texts. None if it is damaged.
 */
function geometriesOf({ key_value_metadata: notes = [] }: FileMetaData): ReadonlySet<string> {
  const geo = notes.find(({ key }) => key === 'geo')?.value;
  try {
    const described: unknown = geo === undefined ? undefined : JSON.parse(geo);
    const columns = isJsonObject(described) ? described['columns'] : undefined;
    return new Set(isJsonObject(columns) ? Object.keys(columns) : []);
  } catch (error) {
    if (error instanceof SyntaxError) return new Set();
    throw error;
  }
}

/** The position after an element and all that is in it. */
function afterTree(schema: readonly SchemaElement[], at: number): number {
  let after = at + 1;
  for (let child = 0; child < (schema[at]?.num_children ?? 0); child += 1) after = afterTree(schema, after);
  return after;
}

/** What a column holds; undefined for lists and binary data. */
function columnOf(element: SchemaElement): ParquetColumn | undefined {
  const { name, type, converted_type: converted, logical_type: logical, repetition_type } = element;
  if (repetition_type === 'REPEATED') return undefined;
  const exact = (text: ParquetColumn['text']): ParquetColumn => ({ name, kind: 'exact', text });
  const kind = logical?.type ?? converted;
  if (logical?.type === 'DECIMAL' || converted === 'DECIMAL') {
    const scale = element.scale ?? (logical?.type === 'DECIMAL' ? logical.scale : 0);
    return { name, kind: 'number', text: (value) => decimalText(integerOf(value), scale) };
  }
  if (type === 'BOOLEAN') return exact(String);
  if (type === 'FLOAT') return { name, kind: 'number', text: (value) => finite(Number(value), floatText) };
  if (type === 'DOUBLE')
    return { name, kind: 'number', text: (value) => finite(Number(value), (number) => plainText(String(number))) }; // prettier-ignore
  if (type === 'INT96')
    return { name, kind: 'date', isWithoutZone: true, text: (value) => oldMomentText(integerOf(value)) };
  if (type === 'BYTE_ARRAY') {
    const isText = kind === undefined || ['STRING', 'UTF8', 'ENUM', 'JSON'].includes(kind);
    return isText ? { name, kind: 'text', text: (value) => value as Uint8Array } : undefined;
  }
  if (type === 'FIXED_LEN_BYTE_ARRAY') return kind === 'UUID' ? exact(uuidText) : undefined;
  return integerColumn(element, exact);
}

function integerColumn(
  { name, converted_type, logical_type: logical, type }: SchemaElement,
  exact: (text: ParquetColumn['text']) => ParquetColumn,
): ParquetColumn | undefined {
  const converted: string = converted_type ?? '';
  if (logical?.type === 'DATE' || converted === 'DATE')
    return { name, kind: 'date', text: (value) => dayText(integerOf(value)) };
  if (logical?.type === 'TIMESTAMP' || converted.startsWith('TIMESTAMP_')) {
    const unit = logical?.type === 'TIMESTAMP' ? logical.unit : converted.slice('TIMESTAMP_'.length);
    // Without the newer description, moments are UTC.
    const zone = logical?.type === 'TIMESTAMP' && !logical.isAdjustedToUTC ? '' : 'Z';
    return { name, kind: 'date', text: (value) => momentText(integerOf(value), perSecond(unit), zone) };
  }
  if (logical?.type === 'TIME' || converted.startsWith('TIME_')) {
    const unit = logical?.type === 'TIME' ? logical.unit : converted.slice('TIME_'.length);
    return exact((value) => timeText(integerOf(value), perSecond(unit)));
  }
  const isUnsigned = logical?.type === 'INTEGER' ? !logical.isSigned : converted.startsWith('UINT_');
  if (isUnsigned)
    return exact((value) => String(BigInt.asUintN(type === 'INT64' ? 64 : 32, integerOf(value))));
  return { name, kind: 'number', text: String };
}

function perSecond(unit: string): bigint {
  if (unit === 'MILLIS') return 1000n;
  return unit === 'MICROS' ? 1_000_000n : 1_000_000_000n;
}

function integerOf(value: NonNullable<StoredValue>): bigint {
  if (!(value instanceof Uint8Array)) return BigInt(value);
  let bits = 0n;
  for (const byte of value) bits = (bits << 8n) | BigInt(byte);
  return BigInt.asIntN(8 * value.length, bits);
}

/** An integer with the last of its digits after the point. */
function decimalText(unscaled: bigint, scale: number): string {
  if (scale < 0) return String(unscaled * 10n ** BigInt(-scale));
  const sign = unscaled < 0n ? '-' : '';
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0');
  const point = digits.length - scale;
  return scale === 0 ? `${sign}${digits}` : `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}

function finite(value: number, text: (value: number) => string): string | UnreadableText {
  return Number.isFinite(value) ? text(value) : [String(value), 'not_a_number'];
}

/** The shortest text that is this number among those of 32 bits. */
function floatText(value: number): string {
  for (let digits = 1; digits < 9; digits += 1) {
    const text = value.toPrecision(digits);
    if (Math.fround(Number(text)) === value) return plainText(String(Number(text)));
  }
  return plainText(String(Number(value.toPrecision(9))));
}

/** A number without an exponent. */
function plainText(text: string): string {
  const [mantissa = '', exponent] = text.split('e');
  if (exponent === undefined) return text;
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const sign = mantissa.startsWith('-') ? '-' : '';
  const point = whole.length + Number(exponent);
  const digits = `${whole}${fraction}`;
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  return `${sign}${digits.padEnd(point, '0').slice(0, point)}${point < digits.length ? `.${digits.slice(point)}` : ''}`;
}

function uuidText(value: NonNullable<StoredValue>): string {
  const hex = Buffer.from(value as Uint8Array).toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
