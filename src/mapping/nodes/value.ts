import type { Cell } from '../../domain/cell.ts';
import type { JsonValue } from '../../domain/json.ts';
import type { SourceRecord } from '../../source/export.ts';
import { Fault } from '../convert.ts';
import type { ColumnSpec, ConstantSpec, ItemsSpec, Stated } from '../spec.ts';
import { cellAt } from './cell-at.ts';
import type { Node, Part, Scope } from './run.ts';

/** Reads one column of a record; undefined where it is missing or empty. */
export type Read = (record: SourceRecord) => JsonValue | undefined;

/** A value from a column, or its fallback. What cannot be converted is a finding and stays in the payload as it is. */
export function columnNode({ column, convert, fallback }: ColumnSpec, read: Read): Node {
  const otherwise = fallback?.value;
  return {
    build(scope) {
      const raw = read(scope.record);
      if (raw === undefined) return otherwise;
      const value = convert(raw);
      if (!(value instanceof Fault)) return value;
      report(scope, value, column, '');
      return raw;
    },
    locate: ({ record }) => locateColumn(record, column, read, fallback),
  };
}

export function constantNode({ value, origin }: ConstantSpec): Node {
  return { build: () => value, locate: () => origin };
}

/** The elements in one column: the items of a JSON array, or a text cut in pieces. */
export function itemsPart({ value: spec, split, wrap }: ItemsSpec, read: Read): Part {
  const { column, convert, fallback } = spec;
  const wrapped = (value: JsonValue): JsonValue => (wrap === undefined ? value : { [wrap]: value });
  return {
    push(scope, out) {
      const raw = read(scope.record);
      if (raw === undefined) {
        if (fallback !== undefined) out.push(wrapped(fallback.value));
        return;
      }
      for (const item of itemsOf(raw, split)) {
        const value = convert(item);
        const path = wrap === undefined ? String(out.length) : `${out.length}.${wrap}`;
        if (value instanceof Fault) report(scope, value, column, path);
        out.push(wrapped(value instanceof Fault ? item : value));
      }
    },
    locate: ({ record }) => locateColumn(record, column, read, fallback),
  };
}

function itemsOf(raw: JsonValue, split: string | undefined): readonly JsonValue[] {
  if (Array.isArray(raw)) return raw.filter((item) => item !== null && item !== '');
  if (split === undefined || typeof raw !== 'string') return [raw];
  return raw
    .split(split)
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function report(scope: Scope, { code, detail }: Fault, column: string, path: string): void {
  scope.run.findings.push({ code, detail, path, severity: 'error', cell: cellAt(scope.record, column) });
}

function locateColumn(
  record: SourceRecord,
  column: string,
  read: Read,
  fallback: Stated | undefined,
): Cell | undefined {
  return fallback !== undefined && read(record) === undefined ? fallback.origin : cellAt(record, column);
}
