import { z } from 'zod';
import { isJsonObject, type JsonValue } from '../domain/json.ts';
import { nearest, remedyFor } from '../domain/nearest.ts';
import { joinPath, valueAt } from '../domain/paths.ts';
import type { Problem } from '../domain/problem.ts';
import { mappingProblem } from './mapping-problem.ts';
import type { KeyPath, MappingText } from './mapping-text.ts';

/**
 * Parses one part of a mapping file with its schema; null if it does not fit, with a problem for each fault at its
 * line. The problem of a mistyped key names the nearest known one.
 */
export function readKeys<Shape extends z.ZodRawShape>(
  text: MappingText,
  path: KeyPath,
  schema: z.ZodObject<Shape>,
  content: JsonValue,
  problems: Problem[],
): z.output<z.ZodObject<Shape>> | null {
  const result = schema.safeParse(content);
  if (result.success) return result.data;
  const issues = result.error.issues.flatMap(inBranch);
  // A mistyped key is one problem: that the intended key is missing is not reported too.
  const meant = new Set(
    issues.flatMap((issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) =>
            joinPath(...issue.path.map(String), nearest(key, keysAt(schema, issue.path)) ?? ''),
          )
        : [],
    ),
  );
  for (const issue of issues) {
    const within = issue.path.map(String);
    const at = [...path, ...within];
    const isMissing = within.length > 0 && valueAt(content, joinPath(...within)) === undefined;
    if (issue.code === 'unrecognized_keys')
      for (const key of issue.keys) {
        const holder = within.length === 0 ? content : valueAt(content, joinPath(...within));
        const isBare = isJsonObject(holder) && holder[key] === null;
        problems.push(unknownKey(text, [...at, key], isBare ? undefined : keysAt(schema, issue.path)));
      }
    else if (isMissing && meant.has(joinPath(...within))) continue;
    else if (isMissing)
      problems.push(
        mappingProblem('missing_key', text.cell(at), `The key ${within.join('.')} is required here.`),
      );
    else problems.push(mappingProblem('invalid_value', text.cell(at), issue.message));
  }
  return null;
}

/** The issues of the only form of a value that was meant, where it has several. */
function inBranch(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const meant = issue.errors.filter(
    (branch) => !branch.some(({ code, path }) => code === 'invalid_type' && path.length === 0),
  );
  if (meant.length !== 1) return [issue];
  return (meant[0] ?? []).flatMap((inner) => inBranch({ ...inner, path: [...issue.path, ...inner.path] }));
}

/** The keys that an object at this path may have. */
function keysAt(schema: unknown, [first, ...rest]: readonly PropertyKey[]): readonly string[] {
  if (schema instanceof z.ZodOptional) return keysAt(schema.unwrap(), pathOf(first, rest));
  if (schema instanceof z.ZodPipe) return keysAt(schema.in, pathOf(first, rest));
  if (schema instanceof z.ZodUnion)
    return schema.options.flatMap((option) => keysAt(option, pathOf(first, rest)));
  if (schema instanceof z.ZodArray) return first === undefined ? [] : keysAt(schema.element, rest);
  if (schema instanceof z.ZodRecord) return first === undefined ? [] : keysAt(schema.valueType, rest);
  if (!(schema instanceof z.ZodObject)) return [];
  return first === undefined ? Object.keys(schema.shape) : keysAt(schema.shape[String(first)], rest);
}

function pathOf(first: PropertyKey | undefined, rest: readonly PropertyKey[]): readonly PropertyKey[] {
  return first === undefined ? [] : [first, ...rest];
}

const quoting =
  'If it belongs to a text that has a comma, put the whole text in quotes: within braces, a comma begins a new key.';

/**
 * A key that the mapping language does not have here. `known`: those that it has; undefined if the key has no value,
 * as the rest of a query after a comma.
 */
function unknownKey(text: MappingText, path: KeyPath, known: readonly string[] | undefined): Problem {
  const key = String(path.at(-1));
  return mappingProblem(
    'unknown_key',
    text.cell(path),
    `A mapping has no key ${key} here. ${known === undefined ? quoting : remedyFor(key, known)}`,
  );
}
