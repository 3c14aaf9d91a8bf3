import type { Cell } from '../../domain/cell.ts';
import type { JsonValue } from '../../domain/json.ts';
import { withoutType, type CellValue } from '../../domain/typed-value.ts';
import type { SourceRecord } from '../../source/export.ts';
import { textOf } from '../condition.ts';
import { Fault, type Convert } from '../convert.ts';
import type { ConstantSpec, Gather, Stated } from '../spec.ts';
import { cellAt, isUnreadable, withBehind, type Node, type ArrayPart, type Scope } from './run.ts';

/** Reads one column of a record; undefined if it is missing or empty. */
export type Read = (record: SourceRecord) => CellValue | undefined;

/** A column spec with its columns resolved. */
export interface ValuePlan {
  /** In the order in which they are tried. */
  readonly sources: readonly { readonly column: string; readonly read: Read }[];
  /** The sources that are no columns of the record, by name. */
  readonly parts?: ReadonlyMap<string, Node>;
  readonly gather?: Gather | undefined;
  readonly shape?: ((raw: CellValue) => CellValue | Fault) | undefined;
  readonly convert: Convert;
  /** Where a code table in a file has the value of a code. */
  readonly codeCell?: ((raw: CellValue) => Cell | undefined) | undefined;
  readonly fallback?: Stated | undefined;
  /** What happens to a value that cannot be converted, if it is not a problem. */
  readonly onInvalid?: 'next' | 'omit' | undefined;
}

/** How to split one cell into the elements of an array. */
export interface Items {
  readonly split?: string | undefined;
  readonly wrap?: string | undefined;
}

/**
 * A value from columns, or its default. A value that cannot be converted is a finding, and stays in the payload
 * unconverted.
 */
export function columnNode(plan: ValuePlan): Node {
  const { convert, fallback, onInvalid } = plan;
  if (onInvalid === 'next') return nextNode(plan);
  const take = taking(plan);
  const otherwise = fallback?.value;
  return {
    build(scope) {
      if (isUnknown(plan, scope.record)) return unknownValue(scope, sourceOf(plan, scope.record)?.read);
      const raw = take(scope.record);
      if (raw === undefined) return otherwise;
      const value = raw instanceof Fault ? raw : convert(raw);
      if (!(value instanceof Fault)) return value;
      report(scope, value, plan, '');
      if (onInvalid === 'omit') return undefined;
      const kept = raw instanceof Fault ? sourceOf(plan, scope.record, raw)?.read(scope.record) : raw;
      return kept === undefined ? undefined : withoutType(kept);
    },
    locate: ({ record }) => locateValue(record, plan, take),
  };
}

/** The first column that can be converted, otherwise the default; a problem only if there is neither. */
function nextNode(plan: ValuePlan): Node {
  const { fallback, sources, onInvalid: _onInvalid, ...rest } = plan;
  const otherwise = fallback === undefined ? undefined : constantNode({ type: 'constant', ...fallback });
  const each = plan.gather === undefined ? sources.map((source) => [source]) : [sources];
  const tries = each.map((some) => {
    const one: ValuePlan = { ...rest, sources: some };
    const columns = some.map(({ column }) => column);
    return { node: columnNode(one), take: taking(one), convert: one.convert, columns };
  });
  type Try = (typeof tries)[number];
  /** The value of a column; undefined if it is empty. */
  const valueOf = ({ take, convert }: Try, { record }: Scope): JsonValue | Fault | undefined => {
    const raw = take(record);
    return raw === undefined || raw instanceof Fault ? raw : convert(raw);
  };
  type Tried = { readonly one: Try; readonly value: JsonValue | Fault | undefined };
  const tried = (scope: Scope): readonly Tried[] => tries.map((one) => ({ one, value: valueOf(one, scope) }));
  const chosen = (values: readonly Tried[]): Node | undefined => {
    const valid = values.find(({ value }) => value !== undefined && !(value instanceof Fault));
    if (valid !== undefined) return valid.one.node;
    return otherwise ?? values.find(({ value }) => value instanceof Fault)?.one.node ?? tries[0]?.node;
  };
  return {
    build: (scope) =>
      isUnknown(plan, scope.record)
        ? unknownValue(scope, sourceOf(plan, scope.record)?.read)
        : chosen(tried(scope))?.build(scope),
    locate(scope, path) {
      const values = tried(scope);
      const node = chosen(values);
      const cell = node?.locate(scope, path);
      const at = values.findIndex(({ one }) => one.node === node);
      const passed = (at < 0 ? values : values.slice(0, at)).filter(({ value }) => value instanceof Fault);
      const cells = passed.flatMap(({ one }) => one.columns.map((column) => cellAt(scope.record, column)));
      return cell && withBehind(cell, cells);
    },
  };
}

/** Whether the columns of a value cannot be read: of several that are tried, one before the first that is filled. */
function isUnknown({ sources, gather, onInvalid }: ValuePlan, record: SourceRecord): boolean {
  if (record.unreadable === undefined) return false;
  const isOneTaken = gather === undefined && onInvalid !== 'next';
  const filled = isOneTaken
    ? sources.findIndex(({ column, read }) => !isUnreadable(record, column) && read(record) !== undefined)
    : -1;
  const tried = filled === -1 ? sources : sources.slice(0, filled);
  return tried.some(({ column }) => isUnreadable(record, column));
}

/** A value that cannot be read stays in the payload as it was decoded, so that its object is there. */
function unknownValue({ run, record }: Scope, read: Read | undefined): JsonValue | undefined {
  run.findings.push({ isList: false, path: '' });
  const kept = read?.(record);
  return kept === undefined ? undefined : withoutType(kept);
}

export function constantNode({ value, origin }: ConstantSpec): Node {
  return { build: () => value, locate: () => origin };
}

/** The elements in one column: the items of a JSON array, or the pieces of a text. */
export function itemsPart(plan: ValuePlan, { split, wrap }: Items): ArrayPart {
  const { convert, fallback, onInvalid, shape = (raw) => raw } = plan;
  const { shape: _perItem, ...unshaped } = plan;
  const take = taking(unshaped);
  const wrapped = (value: JsonValue): JsonValue => (wrap === undefined ? value : { [wrap]: value });
  return {
    push(scope, out) {
      if (isUnknown(unshaped, scope.record)) {
        scope.run.findings.push({ isList: true, path: '' });
        return;
      }
      const raw = take(scope.record);
      if (raw === undefined) {
        if (fallback !== undefined) out.push(wrapped(fallback.value));
        return;
      }
      if (raw instanceof Fault) {
        report(scope, raw, plan, String(out.length));
        return;
      }
      for (const item of itemsOf(raw, split)) {
        const changed = shape(item);
        const value = changed instanceof Fault ? changed : convert(changed);
        const path = wrap === undefined ? String(out.length) : `${out.length}.${wrap}`;
        if (value instanceof Fault) report(scope, value, plan, path);
        if (value instanceof Fault && onInvalid === 'omit') continue;
        out.push(wrapped(value instanceof Fault ? withoutType(item) : value));
      }
    },
    locate({ record }) {
      const cell = locateValue(record, { ...plan, codeCell: undefined }, take);
      const raw = plan.codeCell === undefined ? undefined : take(record);
      const items = raw === undefined || raw instanceof Fault ? [] : itemsOf(raw, split).map(shape);
      return cell && byCodes(cell, plan, items);
    },
  };
}

function itemsOf(raw: CellValue, split: string | undefined): readonly CellValue[] {
  if (Array.isArray(raw)) return raw.filter((item) => item !== null && item !== '');
  const text = withoutType(raw);
  if (split === undefined || typeof text !== 'string') return [raw];
  if (raw !== text && !text.includes(split)) return [raw];
  return text
    .split(split)
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

type Take = (record: SourceRecord) => CellValue | Fault | undefined;

/** The combined value of the columns; undefined if empty. */
function taking({ sources, gather, shape }: ValuePlan): Take {
  const [first] = sources;
  const isPlain = sources.length === 1 && gather === undefined && shape === undefined;
  if (first !== undefined && isPlain) return first.read;
  const gathered: Take =
    gather === undefined
      ? (record) => {
          for (const { read } of sources) {
            const raw = read(record);
            if (raw !== undefined) return raw;
          }
          return undefined;
        }
      : (record) =>
          gather(
            sources.map(({ read }) => read(record)),
            record,
          );
  if (shape === undefined) return gathered;
  return (record) => {
    const raw = gathered(record);
    const shaped = raw === undefined || raw instanceof Fault ? raw : shape(raw);
    return shaped === '' ? undefined : shaped;
  };
}

function report(scope: Scope, fault: Fault, plan: ValuePlan, path: string): void {
  const isOmitted = plan.onInvalid === 'omit';
  const code = isOmitted ? 'value_omitted' : fault.code;
  const detail = isOmitted ? `${fault.detail} It is left out, as the mapping says.` : fault.detail;
  const { column = '', read } = sourceOf(plan, scope.record, fault) ?? {};
  const value = textOf(read?.(scope.record));
  const cell = cellAt(scope.record, column);
  scope.run.findings.push({
    code,
    detail,
    path,
    severity: isOmitted ? 'warning' : 'error',
    cell,
    value: value === '' ? undefined : value,
  });
}

/** The column at fault, otherwise the first that is not empty, otherwise the first. */
function sourceOf(
  { sources }: ValuePlan,
  record: SourceRecord,
  fault?: Fault,
): ValuePlan['sources'][number] | undefined {
  if (fault?.source !== undefined) return sources[fault.source];
  return sources.length === 1
    ? sources[0]
    : (sources.find(({ read }) => read(record) !== undefined) ?? sources[0]);
}

function locateValue(record: SourceRecord, plan: ValuePlan, take: Take): Cell | undefined {
  const { fallback } = plan;
  if (fallback !== undefined && take(record) === undefined) return fallback.origin;
  const own = cellAt(record, sourceOf(plan, record)?.column ?? '');
  const cell = byCodes(own, plan, plan.codeCell === undefined ? [] : [take(record)]);
  if (plan.gather === undefined) return cell;
  const beside = [...new Set(plan.sources.map(({ column }) => column))].filter(
    (name) => name !== cell.column,
  );
  return beside.length === 0 ? cell : { ...cell, beside };
}

/** The cell with those of the code table that gave the values. */
function byCodes(
  cell: Cell,
  { codeCell }: ValuePlan,
  values: readonly (CellValue | Fault | undefined)[],
): Cell {
  const cells = values.flatMap((raw) =>
    raw === undefined || raw instanceof Fault ? [] : (codeCell?.(raw) ?? []),
  );
  return cells.length === 0 ? cell : withBehind(cell, cells);
}
