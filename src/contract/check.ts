import type { z } from 'zod';
import type { PayloadProblem } from '../domain/problem.ts';

type Issue = z.core.$ZodIssue;

/** A payload that fits its schema, or all problems of its shape. */
export type Shape<Payload> =
  { readonly ok: true; readonly data: Payload } | { readonly ok: false; readonly problems: PayloadProblem[] };

/**
 * Parses a request payload with its schema. Only documented fields are allowed (section 9, rule 4): an unknown one is
 * a problem. Each problem has a stable code and a dotted path.
 */
export function readShape<Payload>(schema: z.ZodType<Payload>, payload: unknown): Shape<Payload> {
  const result = schema.safeParse(payload);
  if (result.success) return { ok: true, data: result.data };
  return { ok: false, problems: result.error.issues.flatMap((issue) => problemsOf(issue, payload)) };
}

function problemsOf(issue: Issue, payload: unknown): PayloadProblem[] {
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) =>
      problem(
        'unknown_field',
        [...path, key],
        'The interface does not document this field. Remove it from the mapping or the export.',
      ),
    );
  const value = at(payload, issue.path);
  if (value === undefined) return [problem('required', path, 'This field is required.')];
  if (value === null) return [problem('null', path, 'This field may not be null; omit it instead.')];
  return [problem(codeOf(issue), path, detailOf(issue))];
}

function codeOf(issue: Issue): string {
  if (issue.code === 'custom' && typeof issue.params?.['code'] === 'string') return issue.params['code'];
  if (issue.code === 'too_big') return 'max_length';
  if (issue.code === 'invalid_format') return 'blank';
  if (issue.code === 'invalid_value') return 'invalid_choice';
  return 'invalid';
}

/** The library's messages for its own checks give no remedy. */
function detailOf(issue: Issue): string {
  if (issue.code === 'invalid_value') return `Must be one of ${issue.values.map(String).join(', ')}.`;
  if (issue.code === 'too_big') return `Must have at most ${issue.maximum} characters.`;
  if ('expected' in issue) return `Must be of the type ${issue.expected}.`;
  return issue.message;
}

function problem(code: string, path: readonly string[], detail: string): PayloadProblem {
  return { code, path: path.join('.'), detail, severity: 'error' };
}

function at(payload: unknown, path: readonly PropertyKey[]): unknown {
  let value = payload;
  for (const key of path)
    value = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
  return value;
}
