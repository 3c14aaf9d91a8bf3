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
import { itemFile, itemMapping } from '../../mapping/item-mapping.ts';
import type { AccountPlan, BoundMapping } from '../../mapping/plan.ts';
import type { AddedItem, AddedItems } from '../../pipeline/added/added-item.ts';
import type { Bundle } from '../../source/export.ts';
import { parseFileName, tableNames } from '../../source/file-name.ts';
import { listExport } from '../../source/list-export.ts';
import { openExport } from '../../source/open-export.ts';
import { addressOf } from '../../source/places/address.ts';
import { cannotRead } from './cannot-read.ts';

/** The settings that decide which items an export has. */
export type ItemSettings = Pick<
  Config,
  'steps' | 'contract' | 'supplier' | 'encoding' | 'delimiter' | 'followLinks'
>;

/** The fields that name an item's import supplier, if it has one. */
const supplierFields = ['import_supplier_code', 'import_supplier'] as const;

/**
 * The steps that the profile adds, each with its items in the export; a step without a table there has none. Throws CannotStart if the
 * contract does not describe a step.
 */
export async function readAddedSteps(
  environment: Pick<Environment, 'cwd'>,
  path: string,
  settings: ItemSettings,
  tenancyOf: () => Promise<TenancyContract | undefined>,
): Promise<readonly AddedItems[]> {
  const { steps, contract } = settings;
  if (steps === undefined && contract === undefined) return [];
  const listing = await listExport(addressOf(environment.cwd, path), { texts: true });
  if ('problems' in listing) throw cannotRead(listing.problems);
  const tables = tableNames(listing.files);
  const having = withPublished(steps).filter(({ table }) => itemFile(table, tables) !== undefined);
  // Without items, the contract need not be read.
  if (having.length === 0) return [];
  const tenancy = await tenancyOf();
  return offered(having, tenancy).flatMap((step) => {
    const request = requestOf(step, tenancy);
    const mapping = itemMapping(step, request.field, tables);
    if (mapping === undefined) return [];
    const read = () => itemsOf(step, request, settings, listing.root, listing.files, mapping);
    return [{ step, items: read }];
  });
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

/** Without the published steps that the contract does not have. */
function offered(steps: readonly AddedStep[], tenancy: TenancyContract | undefined): readonly AddedStep[] {
  return steps.filter((step) => !publishedSteps.includes(step) || tenancy?.added(step.path) !== undefined);
}

/** The files of an export that hold items, and no data of accounts. Throws CannotStart if the contract does not describe a step. */
export function filesOfSteps(
  { steps }: { readonly steps?: Config['steps'] | undefined },
  tenancy: TenancyContract | undefined,
  files: readonly string[],
): ReadonlySet<string> {
  const tables = tableNames(files);
  const read = new Set(
    offered(withPublished(steps), tenancy).flatMap((step) => {
      const mapping = itemMapping(step, requestOf(step, tenancy).field, tables);
      return mapping?.tables.map(({ file }) => file) ?? [];
    }),
  );
  return new Set(files.filter((file) => read.has(parseFileName(file).table)));
}

type Mapping = NonNullable<ReturnType<typeof itemMapping>>;

async function* itemsOf(
  step: AddedStep,
  request: AddedRequest,
  { supplier, encoding, delimiter, followLinks }: ItemSettings,
  root: string,
  files: readonly string[],
  mapping: Mapping,
): AsyncGenerator<AddedItem> {
  const tables = mapping.tables.map((table) => ({ ...table, encoding, delimiter }));
  const opened = await openExport(root, tables, { files, isWithin: !followLinks });
  if ('problems' in opened) throw cannotRead(opened.problems);
  try {
    const bound = mapping.bind(opened.tables);
    if ('problems' in bound) throw cannotRead(bound.problems);
    const faults = opened.faults.filter(({ severity }) => severity === 'error');
    // A row that names no item may be one that the accounts need.
    if (faults.length > 0) throw cannotRead(faults);
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
