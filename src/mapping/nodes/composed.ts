import type { Cell } from '../../domain/cell.ts';
import type { CellValue } from '../../domain/typed-value.ts';
import type { SourceRecord, Table } from '../../source/export.ts';
import { columnNode, type Read, type ValuePlan } from './value.ts';
import { cellAt, isGap, withBehind, type Node, type Scope } from './run.ts';

/** A value from columns of a record and from parts, such as a value of another table's row. */
export function composedNode(plan: ValuePlan, parts: ReadonlyMap<string, Node>): Node {
  const whole = columnNode(plan);
  return {
    build(scope) {
      const { findings } = scope.run;
      const before = findings.length;
      const record = new RecordWithParts(scope, parts);
      const isFaulty = findings.slice(before).some((found) => isGap(found) || found.severity === 'error');
      if (!isFaulty) return whole.build({ ...scope, record });
      // The part's own fault is told, so the whole is unknown.
      findings.push({ isList: false, path: '' });
      return undefined;
    },
    locate(scope, path) {
      const { findings } = scope.run;
      const before = findings.length;
      const record = new RecordWithParts(scope, parts);
      findings.splice(before);
      const cell = whole.locate({ ...scope, record }, path);
      return cell === plan.fallback?.origin ? cell : withPlaces(cell, plan, record, scope);
    },
  };
}

/** The reader of a part. */
export function readPart(name: string): Read {
  return (record) => (record instanceof RecordWithParts ? record.part(name) : undefined);
}

/** The cell that leads, with the places of the others. */
function withPlaces(
  cell: Cell | undefined,
  { sources }: ValuePlan,
  record: RecordWithParts,
  { record: own }: Scope,
): Cell | undefined {
  if (cell === undefined) return undefined;
  const { beside = [], ...bare } = cell;
  const places = record.places();
  const first = sources.find(({ read }) => read(record) !== undefined) ?? sources[0];
  if (first !== undefined && places.has(first.column))
    return withBehind(bare, [
      ...places.values(),
      ...beside.filter((name) => !places.has(name)).map((name) => cellAt(own, name)),
    ]);
  const columns = beside.filter((name) => !places.has(name));
  return withBehind(columns.length === 0 ? bare : { ...bare, beside: columns }, [...places.values()]);
}

/** A record that also has the parts of a value, by their names. */
class RecordWithParts implements SourceRecord {
  readonly #scope: Scope;
  readonly #parts: ReadonlyMap<string, Node>;
  readonly #values: ReadonlyMap<string, CellValue | undefined>;

  constructor(scope: Scope, parts: ReadonlyMap<string, Node>) {
    this.#scope = scope;
    this.#parts = parts;
    this.#values = new Map([...parts].map(([name, node]) => [name, node.build(scope)]));
  }

  get table(): Table {
    return this.#scope.record.table;
  }

  get line(): number {
    return this.#scope.record.line;
  }

  get fields(): SourceRecord['fields'] {
    return this.#scope.record.fields;
  }

  get unreadable(): readonly string[] {
    return this.#scope.record.unreadable ?? [];
  }

  part(name: string): CellValue | undefined {
    return this.#values.get(name);
  }

  /** Where its parts were read. */
  places(): ReadonlyMap<string, Cell> {
    const places = [...this.#parts].map(([name, node]) => [name, node.locate(this.#scope, [])] as const);
    return new Map(places.flatMap(([name, cell]) => (cell === undefined ? [] : [[name, cell] as const])));
  }

  value(name: string): CellValue | undefined {
    return this.#scope.record.value(name);
  }

  cell(path: string): Cell {
    const part = this.#parts.get(path);
    return part?.locate(this.#scope, []) ?? this.#scope.record.cell(path);
  }

  release(): void {
    this.#scope.record.release();
  }
}
