import { cellKey, type Cell } from '../../domain/cell.ts';
import type { SourceRecord } from '../../source/export.ts';
import { textOf, type Condition } from '../condition.ts';
import { Fault } from '../convert.ts';
import { accountsTable } from '../spec.ts';
import {
  buildForRows,
  cellAt,
  isGap,
  isUnreadable,
  withBehind,
  type Node,
  type Run,
  type Scope,
} from './run.ts';
import type { Read } from './value.ts';

/** A test on a column, with the column resolved. */
export interface ConditionPlan {
  readonly column: string;
  readonly read: Read;
  readonly holds: Condition;
  /** Whether the column is one of the account's own record, instead of the current one. */
  readonly isOfAccount?: true | undefined;
}

/** One of several cases, with its columns resolved. */
export interface CasePlan {
  readonly when: readonly ConditionPlan[];
  readonly then: Node;
}

/** Whether all conditions match; undefined if that depends on a value that cannot be read. */
export function allHold(conditions: readonly ConditionPlan[], scope: Scope): boolean | undefined {
  return allMatch(conditions, (condition) => recordOf(condition, scope));
}

/** Whether all conditions on one record match; undefined if that depends on a value that cannot be read. */
export function allHoldOf(conditions: readonly ConditionPlan[], record: SourceRecord): boolean | undefined {
  return allMatch(conditions, () => record);
}

function allMatch(
  conditions: readonly ConditionPlan[],
  recordFor: (condition: ConditionPlan) => SourceRecord,
): boolean | undefined {
  let isKnown = true;
  for (const condition of conditions) {
    const record = recordFor(condition);
    if (isUnreadable(record, condition.column)) {
      isKnown = false;
      continue;
    }
    const answer = condition.holds(condition.read(record));
    if (answer === false) return false;
    if (answer !== true) isKnown = false;
  }
  return isKnown ? true : undefined;
}

/** Reports the cells that conditions cannot compare. Call where their result is unknown and decides something. */
export function reportUncompared(conditions: readonly ConditionPlan[], { run, record }: Scope): void {
  for (const condition of conditions) {
    const asked = recordOf(condition, { run, record });
    if (isUnreadable(asked, condition.column)) continue;
    const raw = condition.read(asked);
    const answer = condition.holds(raw);
    if (!(answer instanceof Fault)) continue;
    const { code, detail } = answer;
    const cell = cellAt(asked, condition.column);
    // Several parts may ask for the same cell.
    if (!isReported(run, code, cell))
      run.findings.push({ code, detail, path: '', severity: 'error', cell, value: textOf(raw) });
  }
}

function isReported({ findings }: Run, code: string, cell: Cell): boolean {
  return findings.some(
    (found) =>
      !isGap(found) &&
      found.code === code &&
      found.cell !== undefined &&
      cellKey(found.cell) === cellKey(cell),
  );
}

function recordOf(
  { isOfAccount }: ConditionPlan,
  { run, record }: Pick<Scope, 'run' | 'record'>,
): Scope['record'] {
  return isOfAccount === true ? (run.bundle.records(accountsTable)[0] ?? record) : record;
}

/** The value of the first case whose conditions all match; nothing if none does. */
export function casesNode(cases: readonly CasePlan[]): Node {
  /** The first case that matches, or that may match. */
  const chosen = (scope: Scope): CasePlan | undefined =>
    cases.find(({ when }) => allHold(when, scope) !== false);
  return {
    build(scope) {
      const found = chosen(scope);
      if (found === undefined || allHold(found.when, scope) === true) return found?.then.build(scope);
      for (const { then } of cases) buildForRows(then, scope);
      reportUncompared(found.when, scope);
      scope.run.findings.push({ isList: false, path: '' });
      return undefined;
    },
    locate(scope, path) {
      const first = cases[0]?.when[0];
      const asked = first === undefined ? scope.record : recordOf(first, scope);
      const found = chosen(scope);
      const cell = found?.then.locate(scope, path) ?? cellAt(asked, first?.column ?? '');
      const tried = cases.slice(0, found === undefined ? 0 : cases.indexOf(found) + 1);
      return withConditions(
        cell,
        tried.flatMap(({ when }) => when),
        scope,
      );
    },
  };
}

/** The cell of a value, and the cells of the conditions that chose it. */
export function withConditions(cell: Cell, asked: readonly ConditionPlan[], scope: Scope): Cell {
  return withBehind(
    cell,
    asked.map((condition) => cellAt(recordOf(condition, scope), condition.column)),
  );
}
