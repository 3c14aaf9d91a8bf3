import { definedFields } from '../domain/defined-fields.ts';
import { isJsonObject, type JsonValue } from '../domain/json.ts';
import { remedyFor } from '../domain/nearest.ts';
import type { TableSpec } from '../source/export.ts';
import { ignoreRule } from './ignore-rule.ts';
import {
  formatSection,
  isQueriedName,
  lookupEntry,
  shapeIn,
  sourceEntry,
  tableEntry,
  type KeyEntry,
  type TableEntry,
} from './mapping-keys.ts';
import { mappingProblem } from './mapping-problem.ts';
import type { KeyPath, MappingText } from './mapping-text.ts';
import type { SourceSpec } from './plan.ts';
import { readKeys } from './read-keys.ts';
import { checkMarks, emptyTexts, fault, readConditions, type Reading, type ReadTable } from './reading.ts';
import { accountsTable, type LookupSpec, type MappingSpec, type ModuleSpec } from './spec.ts';
import type { TopLevel } from './top-level.ts';

export function moduleSpec(text: MappingText, file: string): ModuleSpec {
  return { file, origin: text.cell(['module']) };
}

/** The database, and the query of each table; what is wrong with a table is reported with it. */
export function readSource(reading: Reading, top: TopLevel): SourceSpec | undefined {
  const { text, problems } = reading;
  if (top.source === undefined) return undefined;
  const entry = readKeys(text, ['source'], sourceEntry, top.source, problems);
  if (entry === null) return undefined;
  const { driver, url, file, options } = entry;
  if (driver === 'sqlite' && file === undefined)
    fault(reading, ['source'], "Name the database's file: file: old.db");
  const queries = Object.entries(top.tables).flatMap(([name, said]) =>
    isJsonObject(said) && typeof said['query'] === 'string'
      ? [{ name, query: said['query'], origin: text.cell(['tables', name, 'query']) }]
      : [],
  );
  return definedFields({
    driver,
    url,
    file,
    options,
    origin: text.cell(['source']),
    queries,
  });
}

function missing({ text, problems }: Reading, path: KeyPath): void {
  const detail = `The key ${String(path.at(-1))} is required here.`;
  problems.push(mappingProblem('missing_key', text.cell(path), detail));
}

/** The file of a table: the one that is named, or the one of its query's rows in a snapshot. */
function fileOf(
  reading: Reading,
  { source }: TopLevel,
  name: string,
  { file, query }: { readonly file?: string | undefined; readonly query?: string | undefined },
): string {
  const path = ['tables', name];
  if (source === undefined) {
    if (query !== undefined)
      fault(reading, [...path, 'query'], 'A query needs a database. Add source with its driver.');
    else if (file === undefined) missing(reading, [...path, 'file']);
    return file ?? '';
  }
  if (file !== undefined)
    fault(reading, [...path, 'file'], 'A mapping with a source reads all tables by query. Write a query.');
  else if (query === undefined) missing(reading, [...path, 'query']);
  else if (!isQueriedName(name))
    fault(
      reading,
      path,
      'The name of a table with a query consists of letters, digits and _, and must not end in _ and a number. Rename it.',
    );
  return `${name}.ndjson`;
}

export function readLookups({ text, problems }: Reading, top: TopLevel): ReadonlyMap<string, LookupSpec> {
  const lookups = new Map<string, LookupSpec>();
  for (const [name, said] of Object.entries(top.lookups ?? {})) {
    const path = ['lookups', name];
    // A faulty table is still known, so that references to it are not reported too.
    const entry = readKeys(text, path, lookupEntry, said, problems) ?? { file: '', key: [], value: '' };
    const { file, key: keys, value, encoding, delimiter } = entry;
    lookups.set(
      name,
      definedFields({
        name,
        file,
        keys,
        value,
        encoding,
        delimiter,
        origin: text.cell(path),
      }),
    );
  }
  return lookups;
}

/** The tables, each with `format` as the default. */
export function readTables(reading: Reading, top: TopLevel): ReadonlyMap<string, ReadTable> {
  const { text, problems } = reading;
  const shared = readKeys(text, ['format'], formatSection, top.format ?? {}, problems) ?? {};
  const tables = new Map<string, ReadTable>();
  for (const [name, said] of Object.entries(top.tables)) {
    const entry = readKeys(text, ['tables', name], tableEntry, said, problems);
    const {
      file: named,
      sheet,
      query,
      key,
      via,
      ignore = [],
      orphans,
      columns: names,
      ...own
    } = entry ?? { key: { of: '' } };
    const file = entry === null ? '' : fileOf(reading, top, name, { file: named, query });
    const keyShape = shapeIn(key);
    const link = linkOf(via, key);
    const format = { ...shared, ...own };
    checkMarks(reading, [
      { keys: own, path: ['tables', name] },
      { keys: shared, path: ['format'] },
    ]);
    if (format.quote === (format.delimiter ?? ','))
      fault(reading, [...(own.quote === undefined ? ['format'] : ['tables', name]), 'quote'], 'The quote is the delimiter too. Choose another character.'); // prettier-ignore
    const { delimiter, encoding, quote, escape, comment, trim } = format;
    const spec: TableSpec = definedFields({
      name,
      file,
      sheet,
      key: key.of,
      keyShape,
      via: link,
      orphans,
      names,
      role: name === accountsTable ? 'accounts' : 'child',
      origin: text.cell(['tables', name, query === undefined ? 'file' : 'query']),
      delimiter,
      encoding,
      quote: quote === '"' ? undefined : quote,
      // A doubled quote is always read.
      escape: escape === (quote ?? '"') ? undefined : escape,
      comment,
      trim,
    });
    if (names !== undefined && (query !== undefined || !isCsvName(file)))
      fault(reading, ['tables', name, 'columns'], 'Only a CSV file can be without a header. Remove the key.');
    if (name === accountsTable && orphans !== undefined)
      fault(reading, ['tables', name, 'orphans'], 'The rows of this table are the accounts. Remove the key.');
    tables.set(name, { spec, format, ignore });
  }
  if (!Object.hasOwn(top.tables, accountsTable))
    fault(reading, ['tables'], `Name the table whose rows are accounts ${accountsTable}.`);
  for (const name of tables.keys()) checkLink(reading, tables, name);
  return tables;
}

/** Whether a file may be CSV by its name; one that is not listed by its ending is a text. */
function isCsvName(file: string): boolean {
  return !/\.(?:json|ndjson|jsonl|xls[xm]|parquet)(?:\.(?:gz|zst))?$/i.test(file);
}

/** How the rows of a table find their account through another; without a column, it is named as this table's key is. */
function linkOf(via: TableEntry['via'], key: KeyEntry): TableSpec['via'] {
  if (via === undefined) return undefined;
  const column = via.column ?? key;
  const shape = shapeIn(column);
  return definedFields({
    table: via.table,
    column: column.of,
    shape,
    several: via.several === true || undefined,
  });
}

/** A link names another table, and the links from there lead to one that names the accounts. */
function checkLink(reading: Reading, tables: ReadonlyMap<string, ReadTable>, name: string): void {
  const via = tables.get(name)?.spec.via;
  const at = ['tables', name, 'via'];
  if (via === undefined) return;
  if (name === accountsTable) {
    fault(reading, at, 'The rows of this table are the accounts. Remove the key.');
  } else if (!tables.has(via.table)) {
    const remedy = `${remedyFor(via.table, [...tables.keys()])} Tables are declared under tables.`;
    reading.problems.push(
      mappingProblem('unknown_table', reading.text.cell(at), `There is no table ${via.table}. ${remedy}`),
    );
  } else {
    const passed = [name];
    for (
      let next: string | undefined = via.table;
      next !== undefined;
      next = tables.get(next)?.spec.via?.table
    ) {
      const isSeen = passed.includes(next);
      passed.push(next);
      if (!isSeen) continue;
      if (next === name)
        fault(
          reading,
          at,
          `The tables refer to one another in a circle (${passed.join(', ')}), so no account is found. Let one of them name the account.`,
        );
      return;
    }
  }
}

/** The conditions of each table's `ignore`. */
export function readIgnored(reading: Reading): MappingSpec['ignore'] {
  return new Map(
    [...reading.tables].map(([name, { ignore }]) => [
      name,
      ignore.map((asked) => readConditions(reading, asked, ['tables', name, 'ignore'], name)),
    ]),
  );
}

/** The key of a table as a value that is made in the same way. */
export function shapedKey(table: JsonValue | undefined): JsonValue | undefined {
  const key = isJsonObject(table) ? table['key'] : undefined;
  if (!isJsonObject(key)) return key;
  const { of, ...shape } = key;
  return { trim: 'true', ...shape, column: of ?? '' };
}

/** The specs of these tables, each with the rows that it leaves out. */
export function leavingOut(
  tables: ReadonlyMap<string, ReadTable>,
  names: readonly string[],
  ignored: MappingSpec['ignore'],
): readonly TableSpec[] {
  const empty = new Map([...tables].map(([name, { format }]) => [name, emptyTexts(format.empty)]));
  return [...tables].flatMap(([name, { spec, ignore }]) => {
    if (!names.includes(name)) return [];
    const cases = ignored.get(name) ?? [];
    return cases.length === 0 ? spec : { ...spec, ignore: ignoreRule(cases, empty, ignore) };
  });
}
