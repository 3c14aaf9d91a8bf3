import { definedFields } from '../domain/defined-fields.ts';
import { isJsonObject } from '../domain/json.ts';
import type { Problem } from '../domain/problem.ts';
import type { ExtraStepName } from '../domain/steps.ts';
import { withOrders } from './ordered-tables.ts';
import { bindMapping, columnsRead } from './bind.ts';
import { tablesOfItems } from './mapped-items.ts';
import { readKeys } from './read-keys.ts';
import { eachOnce, mappingProblem } from './mapping-problem.ts';
import { parseMappingText } from './mapping-text.ts';
import type { Mapping, MappingOptions, MappingProblems } from './plan.ts';
import { FieldReader } from './read-fields.ts';
import {
  leavingOut,
  moduleSpec,
  readIgnored,
  readLookups,
  readSource,
  readTables,
  shapedKey,
} from './read-tables.ts';
import { emptyTexts, fault, type Reading, type ReadTable } from './reading.ts';
import { interfaceShape, type PayloadShape } from './payload-shape.ts';
import { accountsTable, withSupplier, type ObjectSpec, type SectionSpec } from './spec.ts';
import { topLevel, type TopLevel } from './top-level.ts';

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
  const ofItems = tablesOfItems(top, tables, fields.used);
  const names = [...tables.keys()].filter((name) => !ofItems.has(name));
  const empty = new Map([...tables].map(([name, { format }]) => [name, emptyTexts(format.empty)]));
  const spec = {
    tables: leavingOut(tables, names, ignored),
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
    items: Object.keys(top.items ?? {}),
    itemTables: [...tables].flatMap(([name, { spec: table }]) => (ofItems.has(name) ? table : [])),
    bind: (found, codes = new Map(), functions = {}, watch) =>
      bindMapping(spec, found, codes, functions, watch),
    columns: () => columnsRead(spec),
  };
}

/** The files that a mapping reads, whatever its fields are; undefined if it cannot be read. */
export function mappedFiles(
  file: string,
  text: string,
): Pick<Mapping, 'tables' | 'lookups' | 'module' | 'source' | 'items'> | undefined {
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
    items: Object.keys(top.items ?? {}),
  });
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
