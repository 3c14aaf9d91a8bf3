import type { Condition } from '../condition.ts';
import { cellAt } from './cell-at.ts';
import type { Node, Scope } from './run.ts';
import type { Read } from './value.ts';

/** One of several cases, with its columns resolved. */
export interface CasePlan {
  readonly when: readonly { readonly column: string; readonly read: Read; readonly holds: Condition }[];
  readonly then: Node;
}

/** The value of the first case whose conditions all match; nothing if none does. */
export function casesNode(cases: readonly CasePlan[]): Node {
  const chosen = ({ record }: Scope): CasePlan | undefined =>
    cases.find(({ when }) => when.every(({ read, holds }) => holds(read(record))));
  return {
    build: (scope) => chosen(scope)?.then.build(scope),
    locate: (scope, path) =>
      chosen(scope)?.then.locate(scope, path) ?? cellAt(scope.record, cases[0]?.when[0]?.column ?? ''),
  };
}
