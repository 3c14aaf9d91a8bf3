import { minorUnitsUnder } from '../../contract/money.ts';
import type { TenancyContract } from '../../contract/tenancy/contract.ts';
import { definedFields } from '../../domain/defined-fields.ts';
import { extraStepNames, ofEachExtraStep } from '../../domain/steps.ts';
import { builtInMapping } from '../../mapping/built-in.ts';
import { interfaceShape, shapeUnder, type PayloadShape } from '../../mapping/payload-shape.ts';
import type {
  AccountPlan,
  BoundMapping,
  Functions,
  Lookups,
  Mapping,
  MappingProblems,
  Watch,
} from '../../mapping/plan.ts';
import type { Table } from '../../source/export.ts';
import { tablesOf } from '../../source/open-export.ts';
import type { FileTable } from '../../source/table.ts';
import { loadModule } from './read-lookups.ts';

/** What a mapping is made of, in a form that can be given to another thread. */
export interface MappingSource {
  /** The mapping's file as a user would name it, and its text; absent for the two built-in shapes. */
  readonly written?: { readonly file: string; readonly text: string };
  /** The names of the export's files, or of a single file's tables. */
  readonly files: readonly string[];
  readonly isSingleFile: boolean;
  /** The supplier of accounts whose data names none. */
  readonly supplier: string | undefined;
}

/** What a thread binds a mapping to: that of another one, in a form that it can be given. */
export interface Binding {
  readonly text: MappingSource;
  /** What the mapping's own files are relative to. */
  readonly directory: string;
  readonly lookups: Lookups;
  /** The export's files, whose rows are given. */
  readonly files: readonly FileTable[];
}

/** A mapping that was bound before in another thread. */
export interface BoundAgain {
  readonly bound: BoundMapping;
  /** The files with what no thread can be given: which of their rows are left out. */
  readonly files: readonly FileTable[];
}

/** Binds a mapping that was bound before, in another thread. */
export async function bindAgain(
  { text, directory, lookups, files }: Binding,
  tenancy: TenancyContract | undefined,
): Promise<BoundAgain> {
  const mapping = await readMappingText(text, tenancy);
  if ('problems' in mapping) throw new Error('the mapping could be read before');
  const functions = await loadModule(directory, mapping.module);
  const bound = bindMapping(mapping, { tables: tablesOf(files), lookups, functions }, tenancy);
  if ('problems' in bound) throw new Error('the mapping could be bound before');
  const rules = new Map(mapping.tables.map(({ name, ignore }) => [name, ignore]));
  return {
    bound,
    files: files.map((file) => ({ ...file, ...definedFields({ ignore: rules.get(file.name) }) })),
  };
}

export async function readMappingText(
  { written, files, ...of }: MappingSource,
  tenancy: TenancyContract | undefined,
): Promise<Mapping | MappingProblems> {
  const options = { supplier: of.supplier, shape: shapeOf(tenancy) };
  if (written === undefined) return builtInMapping(files, { ...options, isSingleFile: of.isSingleFile });
  const { readMapping } = await import('../../mapping/read-mapping.ts');
  return readMapping(written.file, written.text, options);
}

export function shapeOf(tenancy: TenancyContract | undefined): PayloadShape {
  return tenancy === undefined ? interfaceShape() : shapeUnder(tenancy);
}

/** Binds a mapping to tables; its plans are as the tenancy's contract has them. */
export function bindMapping(
  mapping: Mapping,
  {
    tables,
    lookups,
    functions,
    watch,
  }: {
    readonly tables: readonly Table[];
    readonly lookups: Lookups;
    readonly functions: Functions;
    readonly watch?: Watch | undefined;
  },
  tenancy: TenancyContract | undefined,
): BoundMapping | MappingProblems {
  const bound = mapping.bind(tables, lookups, functions, watch);
  return 'problems' in bound || tenancy === undefined ? bound : formedBy(tenancy, bound);
}

/** The mapping with each plan as the tenancy's contract has it. */
function formedBy(tenancy: TenancyContract, bound: BoundMapping): BoundMapping {
  const minorUnits = minorUnitsUnder(tenancy);
  return (bundle) => ({ ...inForm(bound(bundle), tenancy), minorUnits });
}

/** The plan as the tenancy's contract has it: its numbers in their form, and nothing for steps that are not offered. */
function inForm(plan: AccountPlan, tenancy: TenancyContract): AccountPlan {
  const notOffered = extraStepNames.filter((step) => !tenancy.offers(step) && plan.extras[step].length > 0);
  const extras = ofEachExtraStep((step) =>
    tenancy.offers(step) ? plan.extras[step].map((payload) => tenancy.formed(step, payload)) : [],
  );
  return {
    ...plan,
    payload: tenancy.formed('stage', plan.payload),
    extras,
    ...(notOffered.length === 0
      ? {}
      : { notOffered: new Map(notOffered.map((step) => [step, plan.extras[step].length])) }),
  };
}
