import { parse } from 'yaml';
import { z } from 'zod';
import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts';
import type { Problem } from '../domain/problem.ts';
import type { Cell } from '../domain/cell.ts';
import { readKeys } from './read-keys.ts';
import { mappingProblem } from './mapping-problem.ts';
import { parseMappingText } from './mapping-text.ts';

const anything = z.custom<JsonValue>((content) => content !== undefined);
const text = z
  .string({ error: 'A single text is required here.' })
  .min(1, { error: 'This may not be empty.' });

/** A problem that a case expects. */
export const expectedProblemEntry = z.strictObject({
  code: text,
  /** A table of the mapping, and one of its rows in the case, from 1. */
  table: text.optional(),
  row: text.optional(),
  column: text.optional(),
});
export type ExpectedProblem = z.infer<typeof expectedProblemEntry>;

/** A case of a mapping. */
export const testCaseEntry = z.strictObject({
  name: text,
  rows: z.record(z.string(), z.array(z.record(z.string(), anything)), {
    error: 'Tables of the mapping, each with a list of rows.',
  }),
  account: text.optional(),
  fields: z.record(z.string(), anything).optional(),
  payloads: z.record(z.string(), anything).optional(),
  problems: z
    .array(z.union([text.transform((code): ExpectedProblem => ({ code })), expectedProblemEntry]), {
      error: 'A list of codes, or of code with table, row and column.',
    })
    .optional(),
});

/** A case: rows, and what the mapping must make from them. */
export interface TestCase {
  readonly name: string;
  /** The rows of each table; cells of CSV tables as text. */
  readonly rows: ReadonlyMap<string, readonly JsonObject[]>;
  /** The account that is compared; absent: the first. */
  readonly account?: string | undefined;
  /** Values by dotted path, the section first; null for a field that is not to exist. */
  readonly fields: ReadonlyMap<string, JsonValue>;
  /** Whole sections. */
  readonly payloads: ReadonlyMap<string, JsonValue>;
  readonly problems: readonly ExpectedProblem[];
  readonly origin: Cell;
}

/**
 * Reads the cases of a mapping (YAML, a list). `isJson` says which tables have rows that keep the types of
 * their values.
 */
export function readCases(
  file: string,
  source: string,
  isJson: (table: string) => boolean,
): readonly TestCase[] | { readonly problems: readonly Problem[] } {
  const parsed = parseMappingText(file, source);
  if ('problems' in parsed) return parsed;
  const { content } = parsed;
  if (!Array.isArray(content) || content.length === 0)
    return {
      problems: [mappingProblem('invalid_value', parsed.cell([]), 'A list of cases is required here.')],
    };
  // Cells stay as they are written, and what is expected has the types of YAML.
  const typed = parse(source) as unknown;
  const problems: Problem[] = [];
  const cases = content.flatMap((item, at): TestCase[] => {
    const entry = isJsonObject(item)
      ? readKeys(parsed, [at], testCaseEntry, item, problems)
      : readKeys(parsed, [at], testCaseEntry, {}, problems);
    if (entry === null) return [];
    const own: unknown = Array.isArray(typed) ? typed[at] : undefined;
    const values = (key: string): ReadonlyMap<string, JsonValue> =>
      new Map(Object.entries(objectIn(own, key)));
    const typedRows = objectIn(own, 'rows');
    const rows = Object.entries(entry.rows).map(([table, list]): [string, JsonObject[]] => {
      const values = typedRows[table];
      return [table, isJson(table) && Array.isArray(values) ? values.filter(isJsonObject) : list];
    });
    return [
      {
        name: entry.name,
        rows: new Map(rows),
        account: entry.account,
        fields: values('fields'),
        payloads: values('payloads'),
        problems: entry.problems ?? [],
        origin: parsed.cell([at, 'name']),
      },
    ];
  });
  return problems.length > 0 ? { problems } : cases;
}

function objectIn(value: unknown, key: string): JsonObject {
  const inner = isJsonObject(value) ? value[key] : undefined;
  return inner !== undefined && isJsonObject(inner) ? inner : {};
}
