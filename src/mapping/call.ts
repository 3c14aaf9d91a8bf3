import type { Cell, CellValue, MappingFunction, Provenance } from '../../types/mapping-module.d.ts';
import { ExactNumber, isJsonObject, numberText, type JsonValue } from '../domain/json.ts';
import { withoutType } from '../domain/typed-value.ts';
import type { SourceRecord } from '../source/export.ts';
import { Fault } from './convert.ts';
import { cellAt } from './nodes/run.ts';
import type { Gather } from './spec.ts';

type Called = MappingFunction<CellValue[]>;

export function isFunction(value: unknown): value is Called {
  return typeof value === 'function';
}

/**
 * A value from a function of the mapping's own module. The function gets the value of each column (undefined for an
 * empty one) and their cells, and returns the value in the interface's own form, or nothing. An exception is reported
 * at the cell that it names; the parts of its message that quote the cells are removed.
 */
export function callOf(name: string, called: Called, columns: readonly string[]): Gather {
  return (read, record) => {
    const raws = read.map((raw) => (raw === undefined ? undefined : withoutType(raw)));
    const from = new ReadFrom(record, columns);
    try {
      const value: unknown = called(...raws, from);
      if (value === undefined || value === null || value === '') return undefined;
      if (isJson(value)) return value;
      return new Fault(
        'call_failed',
        `The module's function ${name} returned a value that is not JSON. Correct the function.`,
      );
    } catch (error) {
      return new Fault(
        'call_failed',
        `The module's function ${name} failed at this cell: ${messageOf(error, raws)}. Correct the cell, or the function.`,
        from.indexOf(error),
      );
    }
  };
}

const longestMessage = 200;

/** An error's message without the values of the cells and their words, on one line. */
function messageOf(error: unknown, raws: readonly (JsonValue | undefined)[]): string {
  const said = error instanceof Error ? error.message || error.name : String(error);
  const quotes = raws
    .flatMap(textsIn)
    .flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 2)])
    .filter((text) => text.trim() !== '')
    .sort((one, other) => other.length - one.length);
  const plain = quotes.reduce((text, quote) => text.replaceAll(quote, '...'), said);
  const line = plain.replaceAll(/\s+/g, ' ').trim().replace(/\.$/, '');
  return line.length > longestMessage ? `${line.slice(0, longestMessage)} ...` : line;
}

function textsIn(value: JsonValue | undefined): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (isJsonObject(value)) return Object.values(value).flatMap(textsIn);
  return value === undefined || value === null || typeof value === 'boolean' ? [] : [numberText(value) ?? ''];
}

/** Where the values were read; looked up only when a function asks. */
class ReadFrom implements Provenance {
  readonly #record: SourceRecord;
  readonly #columns: readonly string[];
  #cells: readonly Cell[] | undefined;

  constructor(record: SourceRecord, columns: readonly string[]) {
    this.#record = record;
    this.#columns = columns;
  }

  get cells(): readonly Cell[] {
    this.#cells ??= this.#columns.map((column) => cellAt(this.#record, column));
    return this.#cells;
  }

  /** The index of the cell that an error names. */
  indexOf(error: unknown): number | undefined {
    const blamed: unknown = error instanceof Error && 'cell' in error ? error.cell : undefined;
    const index = this.#cells?.findIndex((cell) => cell === blamed) ?? -1;
    return index === -1 ? undefined : index;
  }
}

function isJson(value: unknown): value is JsonValue {
  if (Array.isArray(value)) return value.every(isJson);
  if (typeof value === 'number') return Number.isFinite(value);
  if (isJsonObject(value))
    return Object.getPrototypeOf(value) === Object.prototype && Object.values(value).every(isJson);
  return value === null || ['string', 'boolean'].includes(typeof value) || value instanceof ExactNumber;
}
