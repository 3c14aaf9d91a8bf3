import type { Cell, CellValue, MappingFunction, Provenance } from '../../types/mapping-module.d.ts';
import { ExactNumber, isJsonObject, type JsonValue } from '../domain/json.ts';
import type { SourceRecord } from '../source/export.ts';
import { Fault } from './convert.ts';
import { cellAt } from './nodes/cell-at.ts';
import type { Gather } from './spec.ts';

type Called = MappingFunction<CellValue[]>;

export function isFunction(value: unknown): value is Called {
  return typeof value === 'function';
}

/**
 * A value by a function of the mapping's own module: it is given what each column holds, undefined for an empty one, and
 * where, and gives the value in the interface's own form, or nothing. What it throws may quote the cell, so only its kind
 * is told, at the cell that it blames.
 */
export function callOf(name: string, called: Called, columns: readonly string[]): Gather {
  return (raws, record) => {
    const from = new ReadFrom(record, columns);
    try {
      const value: unknown = called(...raws, from);
      if (value === undefined || value === null || value === '') return undefined;
      if (isJson(value)) return value;
      return new Fault(
        'call_failed',
        `The module's function ${name} gave what is no JSON value. Correct it there.`,
      );
    } catch (error) {
      const kind = error instanceof Error ? error.name : typeof error;
      return new Fault(
        'call_failed',
        `The module's function ${name} failed at this cell (${kind}). Correct the cell, or the function.`,
        from.indexOf(error),
      );
    }
  };
}

/** Where the values were read; looked up when a function asks. */
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

  /** Which of the cells an error blames. */
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
