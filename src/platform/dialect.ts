import type { JsonObject, JsonValue } from '../domain/json.ts';
import { stringifyJson } from '../domain/json.ts';
import type { PayloadProblem } from '../domain/problem.ts';
import type { Refused, PlatformReply } from './reply.ts';

export type Dialect = 'dotted' | 'fields';

/** Writes a refusal: section 7's own form, or the form shaped like the payload. */
export function writeRefusal(refused: Refused, dialect: Dialect): PlatformReply {
  const body = dialect === 'dotted' ? dotted(refused) : fieldShaped(refused);
  return {
    status: refused.status,
    body: stringifyJson({ ...body, ...refused.more }),
    headers: refused.headers,
  };
}

function dotted({ detail, code, problems = [] }: Refused): JsonObject {
  return {
    detail,
    code,
    errors: problems.map((problem) => ({ detail: problem.detail, code: problem.code, attr: problem.path })),
  };
}

function fieldShaped({ detail, code, problems }: Refused): JsonObject {
  if (problems === undefined) return { detail, code };
  const body: JsonObject = Object.create(null) as JsonObject;
  const whole = problems.filter((problem) => problem.path === '');
  for (const problem of problems) if (problem.path !== '') place(body, problem);
  const [first] = whole;
  if (first !== undefined)
    body['non_field_errors'] =
      whole.length === 1
        ? { detail: first.detail, code: first.code }
        : whole.map((problem) => problem.detail);
  return body;
}

/** Array positions are string keys; messages are lists at the leaves. */
function place(body: JsonObject, problem: PayloadProblem): void {
  const names = problem.path.split('.');
  const last = names.pop() ?? '';
  let at = body;
  for (const name of names) at = branch(at, name);
  const there = at[last];
  if (Array.isArray(there)) there.push(problem.detail);
  else if (there === undefined) at[last] = [problem.detail];
  else list(there, 'non_field_errors').push(problem.detail);
}

function branch(at: JsonObject, name: string): JsonObject {
  const there = at[name];
  if (there !== undefined && !Array.isArray(there)) return there as JsonObject;
  const made: JsonObject = Object.create(null) as JsonObject;
  // A message about the whole already replaces the messages about its parts.
  if (there !== undefined) made['non_field_errors'] = there;
  at[name] = made;
  return made;
}

function list(at: JsonValue, name: string): JsonValue[] {
  const object = at as JsonObject;
  const there = object[name];
  if (Array.isArray(there)) return there;
  const made: JsonValue[] = [];
  object[name] = made;
  return made;
}
