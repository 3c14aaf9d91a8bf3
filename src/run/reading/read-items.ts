import type { Config } from '../../config/load-config.ts';
import type { AddedRequest, TenancyContract } from '../../contract/tenancy/contract.ts';
import { publishedSteps, withPublished, type AddedStep } from '../../domain/added-step.ts';
import { oneCell } from '../../domain/cell.ts';
import { definedFields } from '../../domain/defined-fields.ts';
import { exitCodes } from '../../domain/exit-codes.ts';
import {
  isJsonObject,
  numberText,
  stringifyJson,
  type JsonObject,
  type JsonValue,
} from '../../domain/json.ts';
import type { PayloadProblem, Problem } from '../../domain/problem.ts';
import { CannotStart } from '../../host/cannot-start.ts';
import type { Environment } from '../../host/environment.ts';
import { remedyFor } from '../../domain/nearest.ts';
import { itemFile, itemMapping } from '../../mapping/item-mapping.ts';
import type { AccountPlan, BoundMapping } from '../../mapping/plan.ts';
import type { AddedItem, AddedItems } from '../../pipeline/added/added-item.ts';
import type { Bundle } from '../../source/export.ts';
import { parseFileName, tableNames } from '../../source/file-name.ts';
import { listExport } from '../../source/list-export.ts';
import { addressOf } from '../../source/places/address.ts';
import { cannotRead } from './cannot-read.ts';
import {
  flatFiles,
  itemSource,
  openItems,
  writtenMapping,
  type ItemSettings,
  type ItemSource,
} from './item-source.ts';

/** The fields that name an item's import supplier, if it has one. */
const supplierFields = ['import_supplier_code', 'import_supplier'] as const;

/**
 * The steps that the profile adds, each with its items in the export; a step without a table there has none. Throws CannotStart if the
 * contract does not describe a step, or its files or its part of the mapping cannot be read.
 */
export async function readAddedSteps(
  environment: Pick<Environment, 'cwd'>,
  path: string,
  settings: ItemSettings,
  tenancyOf: () => Promise<TenancyContract | undefined>,
): Promise<readonly AddedItems[]> {
  const { steps, contract } = settings;
  const written = await writtenMapping(environment, settings);
  const mapped = written?.items ?? [];
  if (steps === undefined && contract === undefined && mapped.length === 0) return [];
  const all = withPublished(steps);
  refuseUnknown(mapped, all);
  const listing = await listExport(addressOf(environment.cwd, path), { texts: true });
  if ('problems' in listing) throw cannotRead(listing.problems);
  const tables = tableNames(listing.files);
  const isMapped = ({ table }: AddedStep): boolean => mapped.includes(table);
  const having = all.filter((step) => isMapped(step) || itemFile(step.table, tables) !== undefined);
  // Without items, the contract need not be read.
  if (having.length === 0) return [];
  const tenancy = await tenancyOf();
  const place = { ...listing, tables, taken: flatFiles(tables, tenancy), written };
  const read: AddedItems[] = [];
  for (const step of having) {
    if (!isMapped(step) && !isOffered(step, tenancy)) continue;
    const request = requestOf(step, tenancy);
    const source = await itemSource(step, request, settings, place);
    if (source === undefined) continue;
    // Files that cannot be read are told before a run begins.
    const { opened, faults } = await openItems(source, asItem(step));
    opened.close();
    read.push({ step, faults, items: () => itemsOf(step, request, source, settings.supplier) });
  }
  return read;
}

/** Items of a mapping that no step sends would be left behind unseen. */
function refuseUnknown(mapped: readonly string[], steps: readonly AddedStep[]): void {
  const tables = steps.map(({ table }) => table);
  const [unknown] = mapped.filter((table) => !tables.includes(table));
  if (unknown !== undefined)
    throw new CannotStart(
      exitCodes.usage,
      `The mapping has items of ${unknown}, and no step has this table. ${remedyFor(unknown, tables)} Steps of a profile are under steps.`,
    );
}

/** Throws CannotStart if the contract does not describe what the step sends. */
export function requestOf(
  { name, path, check, ask }: AddedStep,
  tenancy: TenancyContract | undefined,
): AddedRequest {
  const lacking = (what: string) =>
    new CannotStart(
      exitCodes.usage,
      `steps: the contract has no request ${what}, to which the step ${name} belongs. Correct the path, or name the contract that has it.`,
    );
  if (check !== undefined && tenancy?.added(check) === undefined) throw lacking(`POST ${check}`);
  // At a path that is not there, every item would seem to be absent.
  if (ask !== undefined && tenancy?.asks(ask) !== true) throw lacking(`GET ${ask}`);
  const request = tenancy?.added(path);
  if (request === undefined) throw lacking(`POST ${path}`);
  return request;
}

/** Whether the contract has a published step; those of the profile have to be there. */
function isOffered(step: AddedStep, tenancy: TenancyContract | undefined): boolean {
  return !publishedSteps.includes(step) || tenancy?.added(step.path) !== undefined;
}

/** The files of an export that hold items, and no data of accounts. Throws CannotStart if the contract does not describe a step. */
export function filesOfSteps(
  { steps }: { readonly steps?: Config['steps'] | undefined },
  tenancy: TenancyContract | undefined,
  files: readonly string[],
): ReadonlySet<string> {
  const tables = tableNames(files);
  const having = withPublished(steps).filter(
    (step) => itemFile(step.table, tables) !== undefined && isOffered(step, tenancy),
  );
  const taken = having.length === 0 ? new Set<string>() : flatFiles(tables, tenancy);
  const read = new Set(
    having.flatMap((step) => {
      const mapping = itemMapping(step, requestOf(step, tenancy).field, tables, taken);
      return mapping?.tables.map(({ file }) => file) ?? [];
    }),
  );
  return new Set(files.filter((file) => read.has(parseFileName(file).table)));
}

async function* itemsOf(
  step: AddedStep,
  request: AddedRequest,
  source: ItemSource,
  supplier: string | undefined,
): AsyncGenerator<AddedItem> {
  const { opened, bound } = await openItems(source, asItem(step));
  try {
    for await (const bundle of opened.bundles()) {
      const item = itemOf(step, request, bound, bundle, supplier);
      if (item !== undefined) yield item;
    }
  } finally {
    opened.close();
  }
}

/** undefined for an item of another import supplier than the run's. */
function itemOf(
  step: AddedStep,
  request: AddedRequest,
  bound: BoundMapping,
  bundle: Bundle,
  supplier: string | undefined,
): AddedItem | undefined {
  const plan = bound(bundle);
  const payload = request.formed(withSupplier(plan.payload, request, supplier));
  const own = supplierFields.map((name) => payload[name]).find((value) => typeof value === 'string');
  if (supplier !== undefined && own !== undefined && own !== supplier) return undefined;
  const name = own === undefined ? bundle.account : `${own}/${bundle.account}`;
  return {
    name,
    value: bundle.account,
    names: step.named === undefined ? [] : valuesAt(payload, step.named.item.split('.')),
    accounts:
      step.accounts === undefined
        ? []
        : valuesAt(payload, step.accounts.split('.')).map((account) => ({
            supplier: own ?? supplier ?? '',
            account,
          })),
    body: stringifyJson(request.isList ? [payload] : payload),
    problems: problemsOf(step, request, plan, payload),
    locate: (path) => plan.locate('stage', path),
  };
}

/** The texts at a path, through arrays. */
function valuesAt(value: JsonValue | undefined, [name, ...rest]: readonly string[]): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((one) => valuesAt(one, [name ?? [], ...rest].flat()));
  if (name === undefined) return [numberText(value) ?? []].flat();
  return isJsonObject(value) ? valuesAt(value[name], rest) : [];
}

/** The run's import supplier, where the contract wants one and the data names none. */
function withSupplier(
  payload: JsonObject,
  { field }: AddedRequest,
  supplier: string | undefined,
): JsonObject {
  const wanted = supplierFields.find((name) => field.fields.has(name));
  if (supplier === undefined || wanted === undefined || payload[wanted] !== undefined) return payload;
  return { [wanted]: supplier, ...payload };
}

function problemsOf(
  step: AddedStep,
  request: AddedRequest,
  plan: AccountPlan,
  payload: JsonObject,
): readonly Problem[] {
  // An item needs no import supplier, and is no account.
  const read = plan.problems.filter(({ code }) => code !== 'missing_import_supplier').map(asItem(step));
  const broken = new Set(read.filter(({ severity }) => severity === 'error').map(({ path }) => path));
  const checked = request.check(payload).filter(({ path }) => !broken.has(path));
  const name = identityOf(step, plan.key.account);
  return [...read, ...[...name, ...checked].map((problem) => located(plan, problem))];
}

/** What identifies an item is in the journal, in commands and in paths. */
function identityOf({ identity }: AddedStep, value: string): readonly PayloadProblem[] {
  // eslint-disable-next-line no-control-regex
  if (!/[\u0000-\u001f\u007f]/.test(value) && value.length <= 200) return [];
  const detail = `${identity} must have at most 200 characters, and no control characters.`;
  return [{ code: 'malformed_item', path: identity, detail, severity: 'error' }];
}

/** Items are read as accounts are, so what is said of an account's number is about what identifies them. */
function asItem({ name, table, identity }: AddedStep): (problem: Problem) => Problem {
  return ({ step: _step, ...problem }) => {
    const of = { ...problem, account: null };
    if (problem.code === 'duplicate_account')
      return {
        ...of,
        code: 'duplicate_item',
        detail: `The step ${name} has this item twice in ${table}. Remove one.`,
      };
    if (problem.code === 'orphan_row')
      return { ...of, detail: `${table} has no row of this item. Add it there, or remove the row.` };
    if (problem.code !== 'malformed_account_number') return of;
    return {
      ...of,
      code: 'malformed_item',
      path: identity,
      detail: `${identity} must be text. Put it in quotes.`,
    };
  };
}

function located(plan: AccountPlan, { value: _value, ...problem }: PayloadProblem): Problem {
  const cell = plan.locate('stage', problem.path);
  return definedFields({ ...problem, account: null, cell: cell && oneCell(cell) });
}
