import type { Cell } from '../domain/cell.ts';
import type { CellValue } from '../domain/typed-value.ts';
import { remedyFor } from '../domain/nearest.ts';
import { joinPath } from '../domain/paths.ts';
import type { Problem } from '../domain/problem.ts';
import { callOf, isFunction } from './call.ts';
import { eachOnce, mappingProblem } from './mapping-problem.ts';
import { planBuilder, type Program } from './build-plan.ts';
import { textOf } from './condition.ts';
import { Columns, openColumns, textColumns, without } from './columns.ts';
import { aggregateNode } from './nodes/aggregate.ts';
import { composedNode, readPart } from './nodes/composed.ts';
import { listNode, onePart, type ListNode } from './nodes/list.ts';
import { leftOverMembers, objectNode, recordNode, wildcard } from './nodes/object.ts';
import { rowNode } from './nodes/row.ts';
import { rowsPart, type RowsPlan } from './nodes/rows.ts';
import type { Node, ArrayPart, Scope } from './nodes/run.ts';
import { listSection, recordSection } from './nodes/section.ts';
import { casesNode, type CasePlan } from './nodes/cases.ts';
import { columnNode, constantNode, itemsPart, type ValuePlan } from './nodes/value.ts';
import { watchedChanges, watchedCondition, watchedValue } from './watch.ts';
import type { CodeValue } from './code-value.ts';
import { codeOf } from './convert.ts';
import type { BoundMapping, Functions, Lookups, MappingProblems, Watch } from './plan.ts';
import type { Table, TableLink } from '../source/export.ts';
import {
  accountsTable,
  position,
  type ColumnSpec,
  type ConditionSpec,
  type Gather,
  type LeftOverSpec,
  type ListSpec,
  type MappingSpec,
  type ColumnRef,
  type PartSpec,
  type RowSpec,
  type RowsSpec,
  type Spec,
} from './spec.ts';

/** Binds a mapping to an export's tables. Every name is resolved here, once, and none while accounts are built. */
export function bindMapping(
  spec: MappingSpec,
  tables: readonly Table[],
  lookups: Lookups,
  functions: Functions,
  watch?: Watch,
): BoundMapping | MappingProblems {
  const binder = new Binder(new Columns(tables, spec), lookups, functions, watch);
  const program = binder.program(spec);
  if (watch !== undefined) for (const { name } of spec.tables) watch.read(name, binder.columns.asked(name));
  const missing = spec.tables.filter(({ name }) => !tables.some((table) => table.name === name));
  const problems = [
    ...missing.map(({ file, origin }) =>
      mappingProblem('missing_file', origin, `The export has no file ${file}. Add it, or correct the name.`),
    ),
    ...binder.columns.problems,
    ...binder.problems,
  ];
  return problems.length > 0 ? { problems: eachOnce(problems) } : planBuilder(program);
}

/** The columns that a mapping reads of each table, found without the tables. */
export function columnsRead(spec: MappingSpec): ReadonlyMap<string, ReadonlySet<string>> {
  // A table without a header takes any column.
  const tables = spec.tables.map((table): Table => ({ ...table, format: 'ndjson', isFlat: false }));
  const columns = new Columns(tables, spec);
  new Binder(columns, new Map(), {}).program(spec);
  return new Map(spec.tables.map(({ name }) => [name, columns.asked(name)]));
}

const noCodes: ReadonlyMap<string, CodeValue> = new Map();

class Binder {
  readonly columns: Columns;
  readonly #rowsPlans = new Map<string, RowsPlan[]>();
  readonly problems: Problem[] = [];
  readonly #lookups: Lookups;
  readonly #functions: Functions;
  readonly #leftOver: (() => void)[] = [];
  #rowsCount = 0;
  #ignore: ReadonlyMap<string, RowsPlan['ignore']> = new Map();
  #vias: ReadonlyMap<string, TableLink | undefined> = new Map();

  readonly #watch: Watch | undefined;

  constructor(columns: Columns, lookups: Lookups, functions: Functions, watch?: Watch) {
    this.#watch = watch;
    this.columns = columns;
    this.#functions = functions;
    this.#lookups = lookups;
  }

  program(spec: MappingSpec): Program {
    const { account } = spec;
    this.#vias = new Map(spec.tables.map(({ name, via }) => [name, via]));
    this.#ignore = new Map(
      [...spec.ignore].map(([table, asked]) => [
        table,
        asked.map((conditions) => conditions.map((condition) => this.#condition(condition, table))),
      ]),
    );
    const program: Program = {
      supplier: supplierWithoutData(account),
      account: account.type === 'record' ? recordNode(account.supplier) : this.#node(account, 'accounts'),
      sections: new Map(
        [...spec.sections].map(([step, section]) => [
          step,
          section.type === 'list'
            ? listSection(this.#list(section.list, 'accounts'), section.field)
            : recordSection(section.table, section.field),
        ]),
      ),
      rowsPlans: this.#rowsPlans,
    };
    for (const bindRest of this.#leftOver) bindRest();
    this.columns.reportUnknown();
    return program;
  }

  #node(spec: Spec, table: string): Node {
    switch (spec.type) {
      case 'column': {
        const value = this.#value(spec, table);
        const node = value.parts === undefined ? columnNode(value) : composedNode(value, value.parts);
        return this.#watch === undefined ? node : watchedValue(node, spec, this.#watch);
      }
      case 'constant':
        return constantNode(spec);
      case 'object':
        return objectNode(
          spec.fields.map(([name, field]) => ({
            name,
            node: this.#node(field, table),
            isConstant: isConstant(field),
            constants: field.type === 'list' ? field.parts.filter(isConstant).length : 0,
          })),
          spec.origin,
        );
      case 'cases':
        return casesNode(
          spec.cases.map(({ when, then }) => ({
            when: when.map((condition) => this.#condition(condition, table)),
            then: this.#node(then, table),
          })),
        );
      case 'left-over':
        return this.#leftOverColumns(spec, table);
      case 'open-columns':
        return this.#node(openColumns(spec, table, this.columns), table);
      case 'list':
        return this.#list(spec, table);
      case 'row':
        return spec.aggregate === undefined
          ? rowNode(this.#rowsPlan(spec, table))
          : aggregateNode(this.#rowsPlan(spec, table), spec.aggregate);
    }
  }

  #list(spec: ListSpec, table: string): ListNode {
    return listNode(spec.parts.map((part) => this.#part(part, table)));
  }

  #part(spec: PartSpec, table: string): ArrayPart {
    if (spec.type === 'rows') return rowsPart(this.#rowsPlan(spec, table));
    if (spec.type !== 'items') return onePart(this.#node(spec, table));
    return itemsPart(this.#value(spec.value, table), spec);
  }

  #value(spec: ColumnSpec, table: string): ValuePlan {
    const { columns, empty, convert: stated, origin, call, type: _type, parts: given, ...rest } = spec;
    const parts = new Map([...(given ?? [])].map(([name, part]) => [name, this.#node(part, table)]));
    const codes = typeof stated === 'function' ? undefined : (this.#lookups.get(stated.lookup) ?? noCodes);
    const found = typeof stated === 'function' ? stated : stated.by(codes ?? noCodes);
    return {
      ...rest,
      gather: call === undefined ? spec.gather : this.#called(call, columns, origin),
      ...(parts.size > 0 && { parts }),
      sources: columns.map((column) => {
        if (parts.has(column)) return { column, read: readPart(column) };
        const read = this.columns.read(table, column, origin);
        return { column, read: without(empty, read) };
      }),
      convert: found,
      ...(codes && { codeCell: (raw: CellValue) => codeOf(raw, codes)?.cell }),
      ...(this.#watch && watchedChanges(spec, found, this.#watch)),
    };
  }

  #called(name: string, columns: readonly string[], origin: Cell | undefined): Gather {
    const called = Object.hasOwn(this.#functions, name) ? this.#functions[name] : undefined;
    if (isFunction(called)) return callOf(name, called, columns);
    const known = Object.keys(this.#functions).filter((other) => isFunction(this.#functions[other]));
    const detail = `The module exports no function ${name}. ${remedyFor(name, known)}`;
    this.problems.push(mappingProblem('unknown_function', origin, detail));
    return () => undefined;
  }

  #condition({ column, holds, origin, isOfAccount }: ConditionSpec, table: string): CasePlan['when'][number] {
    const owner = isOfAccount === true ? accountsTable : table;
    const read = this.columns.read(owner, column, origin);
    const watched = this.#watch === undefined ? holds : watchedCondition(holds, origin, this.#watch);
    return { column, holds: watched, read, isOfAccount };
  }

  /** The columns that nothing else reads are known only after everything else is bound. */
  #leftOverColumns({ pattern }: LeftOverSpec, table: string): Node {
    let bound: Node | undefined;
    this.#leftOver.push(() => {
      const fits = wildcard(pattern);
      bound = this.columns.isJson(table)
        ? leftOverMembers(this.columns.asked(table), fits)
        : this.#node(textColumns(this.columns.notAsked(table).filter((column) => fits(column))), table);
    });
    return {
      build: (scope) => bound?.build(scope),
      locate: (scope, path) => bound?.locate(scope, path),
    };
  }

  /** The tables with rows to ignore among those through which the rows of a table find their account. */
  #ignoreThrough(table: string): RowsPlan['ignoreThrough'] {
    const through: { table: string; column: string; ignore: RowsPlan['ignore'] }[] = [];
    for (let via = this.#vias.get(table); via !== undefined; via = this.#vias.get(via.table)) {
      const ignore = this.#ignore.get(via.table) ?? [];
      if (ignore.length > 0) through.push({ table: via.table, column: via.column, ignore });
    }
    return through;
  }

  #rowsPlan(spec: RowsSpec | RowSpec, parentTable: string): RowsPlan {
    const { table } = spec;
    const read = ({ column, origin }: ColumnRef) => this.columns.read(table, column, origin);
    const plan: RowsPlan = {
      number: this.#rowsCount++,
      table,
      parentTable,
      when: (spec.when ?? []).map((condition) => this.#condition(condition, parentTable)),
      where: spec.where.map((condition) => this.#condition(condition, table)),
      take: spec.type === 'row' ? spec.take : undefined,
      ignore: this.#ignore.get(table) ?? [],
      ignoreThrough: this.#ignoreThrough(table),
      match: spec.match.map((ref) => ({
        column: ref.column,
        read: shapedBy(ref.shape, read(ref)),
        parent: shapedBy(ref.shape, this.#parent(ref, parentTable)),
        parentColumn: ref.parent === position ? '' : ref.parent,
      })),
      distinct: spec.distinct.map((ref) => ({ column: ref.column, read: read(ref) })),
      order: spec.order.map((ref) => ({
        column: ref.column,
        read: read(ref),
        convert: ref.convert,
        descending: ref.descending,
      })),
      agree:
        spec.distinct.length === 0
          ? []
          : directColumns(spec.each, '').map((found) => ({
              ...found,
              read: this.columns.reader(table, found.column),
            })),
      onlyParent: spec.onlyParent,
      each: this.#node(spec.each, table),
    };
    const plans = this.#rowsPlans.get(table) ?? [];
    this.#rowsPlans.set(table, [...plans, plan]);
    return plan;
  }

  #parent({ parent, origin }: RowsSpec['match'][number], table: string): RowsPlan['match'][number]['parent'] {
    if (parent === position) return (scope: Scope) => String(scope.position);
    const read = this.columns.read(table, parent, origin);
    return ({ record }) => read(record);
  }
}

/** A value of a join, changed before it is compared. */
function shapedBy<From>(
  shape: ((text: string) => string) | undefined,
  read: (from: From) => CellValue | undefined,
): (from: From) => CellValue | undefined {
  return shape === undefined ? read : (from) => shape(textOf(read(from)).trim());
}

function isConstant(spec: PartSpec): boolean {
  if (spec.type === 'object') return spec.fields.every(([, field]) => isConstant(field));
  return spec.type === 'list' ? spec.parts.every(isConstant) : spec.type === 'constant';
}

/** The columns that an object reads from its own record, without its arrays. */
function directColumns(
  spec: Spec,
  path: string,
): readonly { readonly path: string; readonly column: string }[] {
  if (spec.type === 'column')
    return spec.columns.flatMap((column) => (spec.parts?.has(column) === true ? [] : { path, column }));
  if (spec.type === 'cases')
    return spec.cases.flatMap(({ when, then }) => [
      ...when.map(({ column }) => ({ path, column })),
      ...directColumns(then, path),
    ]);
  if (spec.type !== 'object') return [];
  return spec.fields.flatMap(([name, field]) => directColumns(field, joinPath(path, name)));
}

/** The supplier of an account: forced, or the default if its data gives none. */
function supplierWithoutData(account: MappingSpec['account']): string {
  if (account.type === 'record') return account.supplier ?? '';
  const spec = account.fields.find(([name]) => name === 'import_supplier')?.[1];
  const stated = spec?.type === 'column' ? spec.fallback : spec?.type === 'constant' ? spec : undefined;
  return typeof stated?.value === 'string' ? stated.value : '';
}
