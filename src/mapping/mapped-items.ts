import { isJsonObject, type JsonValue } from '../domain/json.ts';
import { remedyFor } from '../domain/nearest.ts';
import type { Problem } from '../domain/problem.ts';
import { bindMapping } from './bind.ts';
import type { ItemMapping } from './item-mapping.ts';
import { eachOnce, mappingProblem } from './mapping-problem.ts';
import { parseMappingText } from './mapping-text.ts';
import { withOrders } from './ordered-tables.ts';
import type { Fields } from './payload-shape.ts';
import type { MappingProblems } from './plan.ts';
import { FieldReader } from './read-fields.ts';
import { readKeys } from './read-keys.ts';
import { leavingOut, moduleSpec, readIgnored, readLookups, readTables, shapedKey } from './read-tables.ts';
import { emptyTexts, fault, type Reading, type ReadTable } from './reading.ts';
import { accountsTable, type MappingSpec } from './spec.ts';
import { topLevel, type TopLevel } from './top-level.ts';

/** The tables that only `items` reads, directly or through another table. `used`: those that the account's fields read. */
export function tablesOfItems(
  { items = {} }: TopLevel,
  tables: ReadonlyMap<string, ReadTable>,
  used: ReadonlySet<string>,
): ReadonlySet<string> {
  const ofAccounts = withLinked(tables, [accountsTable, ...used]);
  const ofItems = withLinked(tables, fromsIn(items));
  return new Set([...ofItems].filter((name) => !ofAccounts.has(name)));
}

/** Each table, and those through which its rows find what they belong to. */
function withLinked(tables: ReadonlyMap<string, ReadTable>, names: Iterable<string>): ReadonlySet<string> {
  const found = new Set<string>();
  for (const name of names)
    for (
      let next: string | undefined = name;
      next !== undefined && !found.has(next);
      next = tables.get(next)?.spec.via?.table
    )
      found.add(next);
  return found;
}

function fromsIn(value: JsonValue): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(fromsIn);
  if (!isJsonObject(value)) return [];
  const { from, each } = value;
  const own = typeof from === 'string' && each !== undefined ? [from] : [];
  return [...own, ...Object.values(value).flatMap(fromsIn)];
}

/**
 * Reads the items of a step from the `items` of a mapping file, whose names are those of the steps' tables; undefined if it has none
 * of this step. `fields`: those of the step's requests.
 */
export function readMappedItems(
  file: string,
  text: string,
  { table, identity }: { readonly table: string; readonly identity: string },
  fields: Fields,
): ItemMapping | MappingProblems | undefined {
  const parsed = parseMappingText(file, text);
  if ('problems' in parsed) return parsed;
  if (!isJsonObject(parsed.content)) return undefined;
  const problems: Problem[] = [];
  const start: Reading = { text: parsed, tables: new Map(), lookups: new Map(), problems, amounts: [] };
  const top = readKeys(parsed, [], topLevel, parsed.content, problems);
  if (top === null) return { problems: eachOnce(problems) };
  const entry = top.items?.[table];
  if (entry === undefined) return undefined;
  const { from, each } = entry;
  const at = ['items', table];
  const tables = belowItems(readTables(start, top), from);
  if (tables === undefined) {
    const remedy = `${remedyFor(from, Object.keys(top.tables))} Tables are declared under tables.`;
    const detail = `There is no table ${from}. ${remedy}`;
    return { problems: [mappingProblem('unknown_table', parsed.cell([...at, 'from']), detail)] };
  }
  const lookups = readLookups(start, top);
  const module = top.module === undefined ? undefined : moduleSpec(parsed, top.module);
  const whole: Reading = { ...start, tables, lookups, module };
  if (Object.hasOwn(each, identity))
    fault(whole, [...at, 'each', identity], `The key of ${from} gives it. Remove this line.`);
  const said = top.tables[from];
  const { key, keyShape } = tables.get(accountsTable)?.spec ?? {};
  const identified = { ...each, [identity]: (keyShape === undefined ? key : shapedKey(said)) ?? '' };
  const reader = new FieldReader(whole);
  const ignored = readIgnored(whole);
  const item = reader.object(fields, identified, [...at, 'each'], accountsTable);
  if (item === null || problems.length > 0) return { problems: eachOnce(problems) };
  const names = withLinked(tables, [accountsTable, ...reader.used]);
  const spec: MappingSpec = {
    tables: leavingOut(tables, [...names], ignored),
    lookups: [...lookups.values()],
    module,
    columns: 'stated',
    ignore: ignored,
    empty: new Map([...tables].map(([name, { format }]) => [name, emptyTexts(format.empty)])),
    account: item,
    sections: new Map(),
  };
  return {
    tables: withOrders(spec),
    lookups: spec.lookups,
    module,
    bind: (found, codes = new Map(), functions = {}) => bindMapping(spec, found, codes, functions),
  };
}

/** The tables as the items see them: the one that they are read from is in the place of the accounts. */
function belowItems(
  tables: ReadonlyMap<string, ReadTable>,
  from: string,
): ReadonlyMap<string, ReadTable> | undefined {
  const main = tables.get(from);
  if (main === undefined || from === accountsTable) return main && tables;
  const others = [...tables].filter(([name]) => name !== from && name !== accountsTable);
  return new Map<string, ReadTable>([
    [accountsTable, { ...main, spec: { ...main.spec, name: accountsTable, role: 'accounts' } }],
    ...others.map(([name, { spec, ...rest }]): [string, ReadTable] => {
      const { via } = spec;
      const linked = via?.table === from ? { ...spec, via: { ...via, table: accountsTable } } : spec;
      return [name, { ...rest, spec: linked }];
    }),
  ]);
}
