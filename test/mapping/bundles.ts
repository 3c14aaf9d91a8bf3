import { isJsonObject, numberText, type JsonObject, type JsonValue } from '../../src/domain/json.ts';
import { valueAt } from '../../src/domain/paths.ts';
import type { Problem } from '../../src/domain/problem.ts';
import type { AccountPlan, Mapping, MappingProblems } from '../../src/mapping/plan.ts';
import type { Bundle, SourceRecord, Table, TableSpec } from '../../src/source/export.ts';

/** Files by name: lines of CSV (`;` or `,` between cells, no quotes), or JSON objects. */
export type Files = Readonly<Record<string, readonly string[] | readonly JsonObject[]>>;

/** The tables of an export held in memory, as the source component would show them. */
export function tablesOf(specs: readonly TableSpec[], files: Files): Table[] {
  return specs.flatMap((spec): Table[] => {
    const content = files[spec.file];
    if (content === undefined) return [];
    if (!spec.file.endsWith('.csv'))
      return [{ ...spec, format: spec.file.endsWith('.json') ? 'json' : 'ndjson', isFlat: false }];
    return [{ ...spec, format: 'csv', isFlat: true, columns: cells(spec, content[0]) }];
  });
}

/** One account's bundle; records in file order, a line each. */
export function bundleOf(
  tables: readonly Table[],
  files: Files,
  account: string,
  problems: Problem[] = [],
): Bundle {
  const byTable = new Map(tables.map((table) => [table.name, recordsOf(table, files, account)]));
  return {
    account,
    records: (table) => byTable.get(table) ?? [],
    incomplete: new Set(),
    problems,
    release: () => undefined,
  };
}

function recordsOf(table: Table, files: Files, account: string): SourceRecord[] {
  const content = files[table.file] ?? [];
  return content.flatMap((row, index): SourceRecord[] => {
    if (table.format === 'csv' && index === 0) return [];
    const line = index + 1;
    const fields = isJsonObject(row) ? row : csvFields(table, row);
    if (numberText(valueAt(fields, table.key)) !== account) return [];
    const value = (name: string) => (Object.hasOwn(fields, name) ? fields[name] : undefined);
    const cell = (column: string) => ({ file: table.file, line, column });
    return [{ table, line, fields, value, cell, release: () => undefined }];
  });
}

function csvFields(table: Table, row: string): Record<string, JsonValue> {
  const values = cells(table, row);
  return Object.fromEntries((table.columns ?? []).map((column, at) => [column, values[at] ?? '']));
}

function cells({ delimiter = ',' }: TableSpec, row: string | JsonObject | undefined): string[] {
  return typeof row === 'string' ? row.split(delimiter) : [];
}

/** The plan of one account; throws where the mapping cannot be bound. */
export function planOf(mapping: Mapping | MappingProblems, files: Files, account: string): AccountPlan {
  if (!('bind' in mapping)) throw new Error(JSON.stringify(mapping.problems));
  const tables = tablesOf(mapping.tables, files);
  const bound = mapping.bind(tables);
  if (typeof bound !== 'function') throw new Error(JSON.stringify(bound.problems));
  return bound(bundleOf(tables, files, account));
}

/** What is wrong with a mapping: on reading it, or on binding it to these files. */
export function problemsOf(mapping: Mapping | MappingProblems, files: Files = {}): readonly Problem[] {
  if (!('bind' in mapping)) return mapping.problems;
  const bound = mapping.bind(tablesOf(mapping.tables, files));
  return typeof bound === 'function' ? [] : bound.problems;
}
