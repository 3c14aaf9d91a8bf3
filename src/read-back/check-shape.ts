import {
  buildClientSchema,
  buildSchema,
  FieldsOnCorrectTypeRule,
  getIntrospectionQuery,
  GraphQLError,
  KnownArgumentNamesRule,
  specifiedRules,
  TypeInfo,
  validate,
  visit,
  visitWithTypeInfo,
  type DocumentNode,
  type GraphQLSchema,
  type IntrospectionQuery,
} from 'graphql';
import { z } from 'zod';
import { isJsonObject, parseJson, type JsonObject } from '../domain/json.ts';
import { nearest } from '../domain/nearest.ts';
import { notAskedFor } from './asked-paths.ts';
import { readQueryText } from './query-text.ts';
import { partNames, type ReadShape } from './read-shape.ts';
import type { ShapeFault } from './shape-fault.ts';

/** The request for a platform's schema, without descriptions. */
export const schemaRequest: string = getIntrospectionQuery({ descriptions: false });

/** The library looks at the rest. */
const introspection = z.custom<IntrospectionQuery>(
  (data) => z.object({ __schema: z.object({ types: z.array(z.unknown()) }) }).safeParse(data).success,
);

/** The schema of the data that answers the request; undefined if it is none. */
export function schemaIn(data: JsonObject): GraphQLSchema | undefined {
  const read = introspection.safeParse(data);
  if (!read.success) return undefined;
  try {
    const schema = buildClientSchema(read.data, { assumeValid: true });
    return schema.getQueryType() == null ? undefined : schema;
  } catch {
    // The library throws for anything that is not a whole introspection.
    return undefined;
  }
}

/** The schema of a file: in GraphQL's own language, or the answer to an introspection. A text says what is wrong with it, and where. */
export function schemaOfText(text: string): GraphQLSchema | { readonly fault: string } {
  if (/^\s*\{/.test(text)) {
    const answer = objectIn(text);
    const data = answer?.['data'] ?? answer;
    const schema = isJsonObject(data) ? schemaIn(data) : undefined;
    return schema ?? { fault: ' has no answer to an introspection of a GraphQL schema' };
  }
  try {
    const schema = buildSchema(text, { assumeValid: true });
    return schema.getQueryType() == null ? { fault: ' has no type Query' } : schema;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // Of a type that is named and not declared, the library tells no place.
    const [at] = error instanceof GraphQLError ? (error.locations ?? []) : [];
    const where = at === undefined ? '' : `:${at.line}:${at.column}`;
    return { fault: `${where} is no GraphQL schema (${error.message})` };
  }
}

function objectIn(text: string): JsonObject | undefined {
  try {
    const value = parseJson(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Checks the queries in use and the places of the values; against a schema, if there is one. Sends nothing. */
export function checkShape(shape: ReadShape, schema: GraphQLSchema | undefined): readonly ShapeFault[] {
  const used = new Set(partNames.flatMap((part) => shape.parts[part]?.query ?? []));
  return [...used].flatMap((name): readonly ShapeFault[] => {
    const setting = `readBack.queries.${name}`;
    const query = shape.queries[name];
    if (query === undefined) return [{ setting, detail: `${setting} does not exist, and a value names it.` }];
    const read = readQueryText(query.text);
    if ('fault' in read) return [{ setting, detail: `${setting} ${read.fault}` }];
    const unknown = schema === undefined ? [] : unknownIn(setting, read.document, schema);
    const other =
      schema === undefined
        ? []
        : validate(schema, read.document, otherRules).map(({ message }) => ({
            setting,
            detail: `${setting}: ${message}`,
          }));
    // A misspelt field in the query is the cause, if a value names the right one.
    const meant = new Set(unknown.flatMap(meantPath));
    const unasked = notAskedFor(shape, name, read.document).filter(({ field = '' }) => !meant.has(field));
    return [...unknown, ...other, ...unasked];
  });
}

/** The path of the value that a misspelt field would have, as values name it. */
function meantPath({ field = '', near }: ShapeFault): readonly string[] {
  if (near === undefined) return [];
  return [[...field.split('.').slice(0, -1), near].filter((name) => !connection.has(name)).join('.')];
}

const connection: ReadonlySet<string> = new Set(['edges', 'node', 'nodes']);

/** The faults that are told by their path are not told twice. */
const otherRules = specifiedRules.filter(
  (rule) => rule !== FieldsOnCorrectTypeRule && rule !== KnownArgumentNamesRule,
);

/** The fields and arguments that the schema does not have. */
function unknownIn(setting: string, document: DocumentNode, schema: GraphQLSchema): readonly ShapeFault[] {
  const faults: ShapeFault[] = [];
  const types = new TypeInfo(schema);
  const path: string[] = [];
  visit(
    document,
    visitWithTypeInfo(types, {
      Field: {
        enter: (node) => {
          const field = [...path, node.alias?.value ?? node.name.value].join('.');
          const parent = types.getParentType();
          if (parent != null && types.getFieldDef() == null) {
            const known = 'getFields' in parent ? Object.keys(parent.getFields()) : [];
            const detail = `${setting} asks for ${field}, and ${parent.name} has no field ${node.name.value}.`;
            faults.push({ setting, field, detail, near: nearest(node.name.value, known) });
            return false;
          }
          path.push(node.alias?.value ?? node.name.value);
          return undefined;
        },
        leave: () => void path.pop(),
      },
      Argument: ({ name }) => {
        const field = types.getFieldDef();
        if (field == null || field.args.some((known) => known.name === name.value)) return;
        const known = field.args.map((argument) => argument.name);
        const detail = `${setting} gives ${path.join('.')} the argument ${name.value}, which ${field.name} does not take.`;
        faults.push({
          setting,
          field: `${path.join('.')}(${name.value})`,
          detail,
          near: nearest(name.value, known),
        });
      },
    }),
  );
  return faults;
}
