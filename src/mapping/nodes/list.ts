import type { JsonValue } from '../../domain/json.ts';
import type { SourceRecord } from '../../source/export.ts';
import { cellAt, isGap, prefixFindings, type Node, type ArrayPart, type Run, type Scope } from './run.ts';

/** An array of the elements of its parts, in order; nothing if there are none. */
export interface ListNode extends Node {
  build(scope: Scope): JsonValue[] | undefined;
}

export function listNode(parts: readonly ArrayPart[]): ListNode {
  const counted = parts.map((part) => ({ part, count: counter(part) }));
  return {
    build(scope) {
      const elements: JsonValue[] = [];
      for (const part of parts) part.push(scope, elements);
      return elements.length === 0 ? undefined : elements;
    },
    locate(scope, [position, ...rest]) {
      let index = Number(position ?? '0');
      for (const { part, count } of counted) {
        const elements = count(scope);
        if (index < elements) return part.locate(scope, index, rest);
        index -= elements;
      }
      return cellAt(scope.record, '');
    },
  };
}

/** The number of elements that a part gives for a record: computed once, however many of them are traced. */
function counter(part: ArrayPart): (scope: Scope) => number {
  const known = new WeakMap<SourceRecord, number>();
  return (scope) => {
    const before = known.get(scope.record);
    if (before !== undefined) return before;
    const elements: JsonValue[] = [];
    part.push(scope, elements);
    known.set(scope.record, elements.length);
    return elements.length;
  };
}

/** One element made from the current record. */
export function onePart(node: Node): ArrayPart {
  return {
    push: (scope, out) => void pushElement(node, scope, out),
    locate: (scope, _index, path) => node.locate(scope, path),
  };
}

/** Builds one element onto the end of an array; returns whether there was anything to add. */
export function pushElement(node: Node, scope: Scope, out: JsonValue[]): boolean {
  const { run } = scope;
  const before = run.findings.length;
  const value = node.build(scope);
  if (run.findings.length > before) {
    const isMissing = value === undefined && leftOutGaps(run, before);
    prefixFindings(run, before, out.length);
    if (isMissing) run.findings.push({ isList: true, path: '' });
  }
  if (value === undefined) return false;
  out.push(value);
  return true;
}

/** Removes the gaps of an element that was not built; returns whether it may be missing because of one. */
function leftOutGaps(run: Run, before: number): boolean {
  const found = run.findings.splice(before);
  const kept = found.filter((one) => !isGap(one) || one.isList);
  run.findings.push(...kept);
  return kept.length < found.length;
}
