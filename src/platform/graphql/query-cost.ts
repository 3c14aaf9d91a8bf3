import {
  Kind,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import type { JsonObject } from '../../domain/json.ts';

/** What a query costs before it is answered. */
export interface QueryCost {
  /** One for each field, and one for each item of a page. */
  readonly complexity: number;
  /** The items that its pages can have, pages within pages multiplied. */
  readonly nodes: number;
}

/** Deeper nesting, and more fields, are not counted: they are beyond every limit. */
const deepest = 30;
const mostFields = 5000;

/** Counts the fields of an operation, with those of its fragments. Fields of the introspection cost nothing. */
export function costOf(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: JsonObject,
): QueryCost {
  const given = { ...defaultsOf(operation), ...variables };
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const node of document.definitions)
    if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node);
  let [complexity, nodes] = [0, 0];
  const walk = (set: SelectionSetNode, times: number, depth: number): void => {
    if (depth > deepest) complexity = Infinity;
    for (const selection of set.selections) {
      if (complexity > mostFields) return;
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        const fragment = fragments.get(selection.name.value);
        if (fragment !== undefined) walk(fragment.selectionSet, times, depth + 1);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) walk(selection.selectionSet, times, depth + 1);
      else if (!selection.name.value.startsWith('__')) {
        const first = pageSize(selection, given);
        complexity += 1 + first;
        nodes += times * first;
        if (selection.selectionSet !== undefined)
          walk(selection.selectionSet, times * Math.max(1, first), depth + 1);
      }
    }
  };
  walk(operation.selectionSet, 1, 0);
  return { complexity, nodes };
}

function pageSize(field: FieldNode, variables: JsonObject): number {
  const value = field.arguments?.find(({ name }) => name.value === 'first')?.value;
  const given =
    value?.kind === Kind.INT
      ? Number(value.value)
      : value?.kind === Kind.VARIABLE
        ? variables[value.name.value]
        : undefined;
  return typeof given === 'number' && given > 0 ? given : 0;
}

function defaultsOf({ variableDefinitions = [] }: OperationDefinitionNode): JsonObject {
  return Object.fromEntries(
    variableDefinitions.flatMap(({ variable, defaultValue }) =>
      defaultValue?.kind === Kind.INT ? [[variable.name.value, Number(defaultValue.value)]] : [],
    ),
  );
}
