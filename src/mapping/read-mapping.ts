import { definedFields } from '../domain/defined-fields.ts';
import { z } from 'zod';
import { isJsonObject, type JsonValue } from '../domain/json.ts';
import type { Problem } from '../domain/problem.ts';
import type { ExtraStepName, SectionName } from '../domain/steps.ts';
import { remedyFor } from '../domain/nearest.ts';
import type { TableSpec } from '../source/export.ts';
import { ignoreRule } from './ignore-rule.ts';
import { withOrders } from './ordered-tables.ts';
import { bindMapping, columnsRead } from './bind.ts';
import {
  filled,
  formatSection,
  isQueriedName,
  lookupEntry,
  shapeIn,
  sourceEntry,
  tableEntry,
  type KeyEntry,
  type TableEntry,
} from './mapping-keys.ts';
import { readKeys } from './read-keys.ts';
import { eachOnce, mappingProblem } from './mapping-problem.ts';
import { parseMappingText, type KeyPath, type MappingText } from './mapping-text.ts';
import type { Mapping, MappingOptions, MappingProblems, SourceSpec } from './plan.ts';
import { FieldReader } from './read-fields.ts';
import { checkMarks, emptyTexts, fault, readConditions, type Reading, type ReadTable } from './reading.ts';
import { interfaceShape, sections, type PayloadShape } from './payload-shape.ts';
import {
  accountsTable,
  withSupplier,
  type LookupSpec,
  type MappingSpec,
  type ModuleSpec,
  type ObjectSpec,
  type SectionSpec,
} from './spec.ts';

const content = z.custom<JsonValue>((value) => value !== undefined);
const entries = z.record(z.string(), content, { error: 'Keys are required here.' });

const section = content.optional();
const sectionKeys = Object.fromEntries(sections.map(({ name }) => [name, section])) as Readonly<
  Record<SectionName, typeof section>
>;
/** A mapping file's own keys. */
export const topLevel = z.strictObject({
  version: z.literal('1', { error: 'This tool reads version 1 of the mapping language.' }),
  source: content.optional(),
  format: entries.optional(),
  tables: entries,
  lookups: entries.optional(),
  module: filled.optional(),
  // With comments only, it is empty.
  account: entries.nullable().transform((said) => said ?? {}),
  ...sectionKeys,
});
type TopLevel = z.infer<typeof topLevel>;

/**
 * Reads a mapping file (YAML; docs/mapping.md lists every key). `file` is its name in problems. Each problem has the
 * line and the key in its cell, and the remedy in its detail.
 */
export function readMapping(file: string, text: string, options: MappingOptions): Mapping | MappingProblems {
  const parsed = parseMappingText(file, text);
  if ('problems' in parsed) return parsed;
  const problems: Problem[] = [];
  const start: Reading = { text: parsed, tables: new Map(), lookups: new Map(), problems, amounts: [] };
  const top = isJsonObject(parsed.content)
    ? readKeys(parsed, [], topLevel, parsed.content, problems)
    : fault(start, [], 'A mapping file has at least the keys version, tables and account.');
  if (top === null) return { problems: eachOnce(problems) };
  const source = readSource(start, top);
  const tables = readTables(start, top);
  const lookups = readLookups(start, top);
  const module = top.module === undefined ? undefined : moduleSpec(parsed, top.module);
  const whole: Reading = { ...start, tables, lookups, module };
  const fields = new FieldReader(whole);
  const ignored = readIgnored(whole);
  const { shape = interfaceShape() } = options;
  const account = readAccount(start, fields, top, { tables, shape });
  const chosen = readSections(fields, top, shape);
  if (account === null || problems.length > 0) return { problems: eachOnce(problems) };
  const names = [...tables.keys()];
  const empty = new Map([...tables].map(([name, { format }]) => [name, emptyTexts(format.empty)]));
  const spec = {
    tables: [...tables].map(([name, { spec: table, ignore }]) => {
      const cases = ignored.get(name) ?? [];
      return cases.length === 0 ? table : { ...table, ignore: ignoreRule(cases, empty, ignore) };
    }),
    lookups: [...lookups.values()],
    module,
    columns: 'stated' as const,
    ignore: ignored,
    empty,
    account: withSupplier(account, options.supplier, shape.account),
    sections: chosen,
  };
  const linked = new Set([...tables.values()].map((table) => table.spec.via?.table));
  const unused = names.filter(
    (name) => name !== accountsTable && !fields.used.has(name) && !linked.has(name),
  );
  const warnings = unused.map((name) =>
    mappingProblem(
      'unused_table',
      parsed.cell(['tables', name]),
      `Nothing is read from ${name}. Remove it, or read it with from.`,
      'warning',
    ),
  );
  return {
    tables: withOrders(spec),
    lookups: spec.lookups,
    module,
    amounts: whole.amounts,
    ...definedFields({ source }),
    warnings,
    bind: (found, codes = new Map(), functions = {}, watch) =>
      bindMapping(spec, found, codes, functions, watch),
    columns: () => columnsRead(spec),
  };
}

function moduleSpec(text: MappingText, file: string): ModuleSpec {
  return { file, origin: text.cell(['module']) };
}

/** The database, and the query of each table; what is wrong with a table is reported with it. */
function readSource(reading: Reading, top: TopLevel): SourceSpec | undefined {
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

/** The files that a mapping reads, whatever its fields are; undefined if it cannot be read. */
export function mappedFiles(
  file: string,
  text: string,
): Pick<Mapping, 'tables' | 'lookups' | 'module' | 'source'> | undefined {
  const parsed = parseMappingText(file, text);
  if ('problems' in parsed || !isJsonObject(parsed.content)) return undefined;
  const problems: Problem[] = [];
  const start: Reading = { text: parsed, tables: new Map(), lookups: new Map(), problems, amounts: [] };
  const top = readKeys(parsed, [], topLevel, parsed.content, problems);
  if (top === null) return undefined;
  const tables = [...readTables(start, top).values()].map(({ spec }) => spec);
  const lookups = [...readLookups(start, top).values()];
  const source = readSource(start, top);
  if (problems.length > 0) return undefined;
  const { module } = top;
  return definedFields({
    tables,
    lookups,
    module: module === undefined ? undefined : moduleSpec(parsed, module),
    source,
  });
}

function readLookups({ text, problems }: Reading, top: TopLevel): ReadonlyMap<string, LookupSpec> {
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
function readTables(reading: Reading, top: TopLevel): ReadonlyMap<string, ReadTable> {
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
function readIgnored(reading: Reading): MappingSpec['ignore'] {
  return new Map(
    [...reading.tables].map(([name, { ignore }]) => [
      name,
      ignore.map((asked) => readConditions(reading, asked, ['tables', name, 'ignore'], name)),
    ]),
  );
}

function readAccount(
  reading: Reading,
  fields: FieldReader,
  top: TopLevel,
  { tables, shape }: { readonly tables: ReadonlyMap<string, ReadTable>; readonly shape: PayloadShape },
): ObjectSpec | null {
  const { account } = top;
  const number = 'external_account_number';
  if (Object.hasOwn(account, number))
    return fault(reading, ['account', number], 'The key of the accounts table gives it. Remove this line.');
  const { key, keyShape } = tables.get(accountsTable)?.spec ?? {};
  const said = keyShape === undefined ? key : shapedKey(top.tables[accountsTable]);
  const whole = said === undefined ? account : { ...account, [number]: said };
  return fields.object(shape.account, whole, ['account'], accountsTable);
}

/** The key of a table as a value that is made in the same way. */
function shapedKey(table: JsonValue | undefined): JsonValue | undefined {
  const key = isJsonObject(table) ? table['key'] : undefined;
  if (!isJsonObject(key)) return key;
  const { of, ...shape } = key;
  return { trim: 'true', ...shape, column: of ?? '' };
}

function readSections(
  fields: FieldReader,
  top: TopLevel,
  { sections }: PayloadShape,
): ReadonlyMap<ExtraStepName, SectionSpec> {
  const chosen = new Map<ExtraStepName, SectionSpec>();
  for (const { name, step, element, field } of sections) {
    const said = top[name];
    if (said === undefined) continue;
    const list = fields.list(element, said, [name], accountsTable);
    if (list !== null) chosen.set(step, definedFields({ type: 'list', list, field }));
  }
  return chosen;
}
