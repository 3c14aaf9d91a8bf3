import { joinPath } from '../domain/paths.ts';
import { mappingProblem } from './mapping-problem.ts';
import { planBuilder, type Program } from './build-plan.ts';
import { Columns } from './columns.ts';
import { listNode, onePart, type ListNode } from './nodes/list.ts';
import { objectNode } from './nodes/object.ts';
import { recordNode } from './nodes/record.ts';
import { rowsPart, type RowsPart, type RowsPlan } from './nodes/rows.ts';
import type { Node, Part, Scope } from './nodes/run.ts';
import { listSection, recordSection } from './nodes/section.ts';
import { columnNode, constantNode, itemsPart } from './nodes/value.ts';
import { openColumns } from './open-columns.ts';
import type { BoundMapping, MappingProblems } from './plan.ts';
import type { Table } from '../source/export.ts';
import {
  position,
  type ListSpec,
  type MappingSpec,
  type ColumnRef,
  type PartSpec,
  type RowsSpec,
  type Spec,
} from './spec.ts';

/** Fits a mapping to an export's tables: every name is resolved here, once, and none while accounts are built. */
export function bindMapping(spec: MappingSpec, tables: readonly Table[]): BoundMapping | MappingProblems {
  const binder = new Binder(new Columns(tables, spec.columns));
  const program = binder.program(spec);
  const missing = spec.tables.filter(({ name }) => !tables.some((table) => table.name === name));
  const problems = [
    ...missing.map(({ name, file }) =>
      mappingProblem(
        'missing_file',
        spec.origins.get(name),
        `The export has no file ${file}. Add it, or correct the name.`,
      ),
    ),
    ...binder.columns.problems,
  ];
  return problems.length > 0 ? { problems } : planBuilder(program);
}

class Binder {
  readonly columns: Columns;
  private readonly rowsParts = new Map<string, RowsPart[]>();
  private rowsCount = 0;

  constructor(columns: Columns) {
    this.columns = columns;
  }

  program(spec: MappingSpec): Program {
    const { account } = spec;
    const program: Program = {
      supplier: supplierWithoutData(account),
      account: account.type === 'record' ? recordNode(account.supplier) : this.node(account, 'accounts'),
      sections: new Map(
        [...spec.sections].map(([step, section]) => [
          step,
          section.type === 'list'
            ? listSection(this.list(section.list, 'accounts'), section.field)
            : recordSection(section.table, section.field),
        ]),
      ),
      rowsParts: this.rowsParts,
    };
    this.columns.reportUnknown();
    return program;
  }

  private node(spec: Spec, table: string): Node {
    switch (spec.type) {
      case 'column':
        return columnNode(spec, this.columns.read(table, spec.column, spec.origin));
      case 'constant':
        return constantNode(spec);
      case 'object':
        return objectNode(
          spec.fields.map(([name, field]) => ({
            name,
            node: this.node(field, table),
            isConstant: isConstant(field),
          })),
        );
      case 'open-columns':
        return this.node(openColumns(spec, table, this.columns), table);
      case 'list':
        return this.list(spec, table);
    }
  }

  private list(spec: ListSpec, table: string): ListNode {
    return listNode(spec.parts.map((part) => this.part(part, table)));
  }

  private part(spec: PartSpec, table: string): Part {
    if (spec.type === 'rows') return this.rows(spec, table);
    if (spec.type !== 'items') return onePart(this.node(spec, table));
    return itemsPart(spec, this.columns.read(table, spec.value.column, spec.value.origin));
  }

  private rows(spec: RowsSpec, parentTable: string): RowsPart {
    const { table } = spec;
    const read = ({ column, origin }: ColumnRef) => this.columns.read(table, column, origin);
    const plan: RowsPlan = {
      number: this.rowsCount++,
      table,
      where: spec.where.map((ref) => ({ read: read(ref), texts: ref.texts })),
      match: spec.match.map((ref) => ({
        column: ref.column,
        read: read(ref),
        parent: this.parent(ref, parentTable),
      })),
      distinct: spec.distinct.map(read),
      agree:
        spec.distinct.length === 0
          ? []
          : directColumns(spec.each, '').map((found) => ({
              ...found,
              read: this.columns.reader(table, found.column),
            })),
      onlyParent: spec.onlyParent,
      each: this.node(spec.each, table),
    };
    const part = rowsPart(plan);
    const parts = this.rowsParts.get(table) ?? [];
    this.rowsParts.set(table, [...parts, part]);
    return part;
  }

  private parent(
    { parent, origin }: RowsSpec['match'][number],
    table: string,
  ): RowsPlan['match'][number]['parent'] {
    if (parent === position) return (scope: Scope) => String(scope.position);
    const read = this.columns.read(table, parent, origin);
    return ({ record }) => read(record);
  }
}

function isConstant(spec: PartSpec): boolean {
  if (spec.type === 'object') return spec.fields.every(([, field]) => isConstant(field));
  return spec.type === 'list' ? spec.parts.every(isConstant) : spec.type === 'constant';
}

/** The columns that an object reads from its own record, its arrays aside. */
function directColumns(
  spec: Spec,
  path: string,
): readonly { readonly path: string; readonly column: string }[] {
  if (spec.type === 'column') return [{ path, column: spec.column }];
  if (spec.type !== 'object') return [];
  return spec.fields.flatMap(([name, field]) => directColumns(field, joinPath(path, name)));
}

/** The supplier that an account has whatever its data says, or where it says nothing. */
function supplierWithoutData(account: MappingSpec['account']): string {
  if (account.type === 'record') return account.supplier ?? '';
  const spec = account.fields.find(([name]) => name === 'import_supplier')?.[1];
  const stated = spec?.type === 'column' ? spec.fallback : spec?.type === 'constant' ? spec : undefined;
  return typeof stated?.value === 'string' ? stated.value : '';
}
