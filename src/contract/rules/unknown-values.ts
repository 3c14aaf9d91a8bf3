import { isJsonObject, type JsonValue } from '../../domain/json.ts';
import type { PayloadProblem } from '../../domain/problem.ts';
import type { RuleCode } from '../rule-codes.ts';
import { transactionType } from '../schemas/transaction.ts';
import { levelOf, type RuleContext } from './rule.ts';

export const unknownValueCode = 'unknown_value' satisfies RuleCode;

type Trail = (string | number)[];

/** Visits a well-formed value; `trail` is the path to it, and is restored afterwards. */
type Visit = (
  value: unknown,
  trail: Trail,
  found: (trail: Trail, seen: Iterable<string>, value: string) => void,
) => void;

/**
 * For enumerations that the interface shows only by example, in a payload that fits the schema: adds a warning for
 * each value that is not among the examples. Built once from the schema; parts without such a field are skipped.
 */
export function unknownValuesOf(schema: JsonValue) {
  const visit = visitorOf(schema);
  return (payload: unknown, context: RuleContext, found: PayloadProblem[]): void => {
    const severity = levelOf(unknownValueCode, context.levels);
    if (visit === undefined || severity === 'off') return;
    visit(payload, [], (trail, seen, value) => {
      const detail = `The interface shows ${[...seen].join(', ')} here; make sure that the platform knows this one.`;
      found.push({ code: unknownValueCode, path: trail.join('.'), detail, severity, value });
    });
  };
}

/** A separate rule handles values that these do not show. */
const ruled: ReadonlySet<JsonValue> = new Set([transactionType]);

/** undefined: nothing below this schema has to be checked. */
function visitorOf(schema: JsonValue): Visit | undefined {
  if (!isJsonObject(schema)) return undefined;
  const { items, properties, examples } = schema;
  if (items !== undefined) return arrayVisitor(items);
  if (isJsonObject(properties)) return objectVisitor(properties);
  return Array.isArray(examples) && !ruled.has(schema) ? valueVisitor(examples.map(String)) : undefined;
}

function valueVisitor(examples: readonly string[]): Visit {
  const seen = new Set(examples);
  return (value, trail, found) => {
    if (typeof value === 'string' && !seen.has(value)) found(trail, seen, value);
  };
}

function arrayVisitor(items: JsonValue): Visit | undefined {
  const visit = visitorOf(items);
  if (visit === undefined) return undefined;
  return (value, trail, found) => {
    if (!Array.isArray(value)) return;
    for (let index = 0; index < value.length; index += 1) {
      trail.push(index);
      visit(value[index], trail, found);
      trail.pop();
    }
  };
}

function objectVisitor(properties: Readonly<Record<string, JsonValue>>): Visit | undefined {
  const fields = Object.entries(properties).flatMap(([name, inner]) => {
    const visit = visitorOf(inner);
    return visit === undefined ? [] : [{ name, visit }];
  });
  if (fields.length === 0) return undefined;
  return (value, trail, found) => {
    if (typeof value !== 'object' || value === null) return;
    for (const { name, visit } of fields) {
      trail.push(name);
      visit(Reflect.get(value, name), trail, found);
      trail.pop();
    }
  };
}
