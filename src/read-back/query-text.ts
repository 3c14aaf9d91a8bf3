import {
  getLocation,
  GraphQLError,
  Kind,
  OperationTypeNode,
  parse,
  print,
  visit,
  type ASTNode,
  type DocumentNode,
  type FieldNode,
  type SelectionSetNode,
} from 'graphql';
import type { JsonObject, JsonValue } from '../domain/json.ts';

/** What leads to the next page: a text, or a number as the answer has it. */
export type Cursor = string | Exclude<JsonValue, null | boolean | JsonValue[] | JsonObject>;

/** A query that is sent, and what had to be left out of it. */
export interface SentQuery {
  readonly text: string;
  readonly document: DocumentNode;
  /** Names of the variables that it declares. */
  readonly variables: ReadonlySet<string>;
  /** Paths in the answer that were left out, with the reason. */
  readonly leftOut: ReadonlyMap<string, string>;
  readonly fields: number;
}

/** The paths in the answer of a document's lists that are asked for by these variables, those of a page. */
export function pagedPaths(document: DocumentNode, variables: ReadonlySet<string>): readonly string[] {
  const fragments = new Map(
    document.definitions.flatMap((node) =>
      node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node.selectionSet] as const] : [],
    ),
  );
  const paths: string[] = [];
  const walk = (
    set: SelectionSetNode | undefined,
    path: readonly string[],
    within: readonly string[],
  ): void => {
    for (const node of set?.selections ?? []) {
      if (node.kind === Kind.FRAGMENT_SPREAD) {
        const name = node.name.value;
        if (!within.includes(name)) walk(fragments.get(name), path, [...within, name]);
        continue;
      }
      if (node.kind === Kind.INLINE_FRAGMENT) {
        walk(node.selectionSet, path, within);
        continue;
      }
      const own = [...path, node.alias?.value ?? node.name.value];
      if (node.arguments?.some((argument) => usesVariable(argument, (name) => variables.has(name))) === true)
        paths.push(own.join('.'));
      walk(node.selectionSet, own, within);
    }
  };
  for (const node of document.definitions)
    if (node.kind === Kind.OPERATION_DEFINITION) walk(node.selectionSet, [], []);
  return paths.map((path) =>
    path
      .split('.')
      .filter((name) => !steps.has(name))
      .join('.'),
  );
}

const steps: ReadonlySet<string> = new Set(['edges', 'nodes', 'node']);

/** The variables of a query that are the size of a page, or its cursor. */
export function pageVariables(template: JsonObject): ReadonlySet<string> {
  return new Set(
    Object.entries(template).flatMap(([name, value]) =>
      value === '{first}' || value === '{after}' ? [name] : [],
    ),
  );
}

/** Why a configured text cannot be sent: in one sentence, without the text. */
export interface TextFault {
  readonly fault: string;
}

/** Reads a text. Only queries are accepted: nothing that could change the platform is ever sent. */
export function readQueryText(text: string): SentQuery | TextFault {
  let document: DocumentNode;
  try {
    document = parse(text, { maxTokens: 20_000 });
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    const [at] = error.locations ?? [];
    return { fault: `is not a GraphQL document (line ${at?.line ?? 1}, column ${at?.column ?? 1}).` };
  }
  const operations = document.definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION);
  const other = operations.find(({ operation }) => operation !== OperationTypeNode.QUERY);
  if (other !== undefined)
    return { fault: `contains a ${other.operation}. Reading back only sends queries; remove it.` };
  if (operations.length !== 1) return { fault: 'must contain exactly one query.' };
  return sentQuery(document, new Map());
}

function sentQuery(document: DocumentNode, leftOut: ReadonlyMap<string, string>): SentQuery {
  let fields = 0;
  const variables = new Set<string>();
  visit(document, {
    Field: () => {
      fields += 1;
    },
    VariableDefinition: ({ variable }) => {
      variables.add(variable.name.value);
    },
  });
  return {
    text: print(document),
    document: parse(print(document)),
    variables,
    leftOut,
    fields,
  };
}

/** A place in a text, from 1. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
  readonly reason: string;
}

/**
 * The query without what the platform refused at these places: fields, arguments, and variables that nothing uses. undefined
 * if the places are none of these, or nothing would be left of the account.
 */
export function withoutPlaces(query: SentQuery, places: readonly TextPlace[]): SentQuery | undefined {
  const leftOut = new Map(query.leftOut);
  let removed = 0;
  const reasonOf = (node: ASTNode): string | undefined => {
    if (node.loc === undefined) return undefined;
    const { line, column } = getLocation(node.loc.source, node.loc.start);
    return places.find((place) => place.line === line && place.column === column)?.reason;
  };
  const path: string[] = [];
  const document = visit(query.document, {
    Argument: (node) => {
      if (reasonOf(node) === undefined || usesAccount(node)) return undefined;
      removed += 1;
      return null;
    },
    VariableDefinition: (node) => {
      if (reasonOf(node) === undefined) return undefined;
      removed += 1;
      return null;
    },
    Field: {
      enter: (node: FieldNode) => {
        const name = node.alias?.value ?? node.name.value;
        // A query's first field is the account: without it there is nothing to read.
        const reason = path.length === 0 ? undefined : (reasonOf(node) ?? reasonOf(node.name));
        if (reason !== undefined) {
          removed += 1;
          leftOut.set([...path, name].join('.'), reason);
          return null;
        }
        path.push(name);
        return undefined;
      },
      leave: (node: FieldNode) => {
        path.pop();
        return node.selectionSet?.selections.length === 0 ? null : undefined;
      },
    },
  });
  if (removed === 0) return undefined;
  const hasFields = document.definitions.every(
    (node) => node.kind !== Kind.OPERATION_DEFINITION || node.selectionSet.selections.length > 0,
  );
  return hasFields ? sentQuery(withoutUnused(document), leftOut) : undefined;
}

/** Servers refuse variables that nothing uses. */
function withoutUnused(document: DocumentNode): DocumentNode {
  const used = new Set<string>();
  visit(document, {
    VariableDefinition: () => false,
    Variable: ({ name }) => {
      used.add(name.value);
    },
  });
  return visit(document, {
    VariableDefinition: ({ variable }) => (used.has(variable.name.value) ? undefined : null),
  });
}

function usesAccount(argument: ASTNode): boolean {
  return usesVariable(argument, (name) => name.toLowerCase().includes('account'));
}

function usesVariable(node: ASTNode, isMeant: (name: string) => boolean): boolean {
  let uses = false;
  visit(node, {
    Variable: ({ name }) => {
      uses ||= isMeant(name.value);
    },
  });
  return uses;
}

/** Whether a query is sent the size of a page (`{first}`), or its cursor (`{after}`). */
export function takes(template: JsonObject, query: SentQuery, what: '{first}' | '{after}'): boolean {
  return Object.entries(template).some(([name, value]) => value === what && query.variables.has(name));
}

/** The variables of one request. */
export function variablesFor(
  template: JsonObject,
  query: SentQuery,
  values: { readonly account: string; readonly first: number; readonly after: Cursor | undefined },
): JsonObject {
  const filled: JsonObject = {};
  for (const [name, value] of Object.entries(template)) {
    if (!query.variables.has(name)) continue;
    if (value === '{account}') filled[name] = values.account;
    else if (value === '{first}') filled[name] = values.first;
    else if (value === '{after}') {
      if (values.after !== undefined) filled[name] = values.after;
    } else filled[name] = value;
  }
  return filled;
}
