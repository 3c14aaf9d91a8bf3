import { isJsonObject, type JsonValue } from '../../domain/json.ts';
import type { PayloadProblem } from '../../domain/problem.ts';
import type { StepName } from '../../domain/steps.ts';
import { unknownValueCode } from '../rules/unknown-values.ts';
import type { TenancyContract } from './tenancy-contract.ts';

/**
 * What is wrong with a payload by the interface (`check`) and by a tenancy's contract together: fields that the contract
 * documents are known, values that it lists too, and what both refuse is told once.
 */
export function checkWithContract(
  contract: TenancyContract,
  step: StepName,
  payload: JsonValue,
  check: (payload: JsonValue) => PayloadProblem[],
): PayloadProblem[] {
  const first = check(payload);
  const added = first
    .filter(({ code, path }) => code === 'unknown_field' && contract.documents(step, path).isField)
    .map(({ path }) => path);
  // The interface's own rules are kept by a payload of its own fields alone.
  const own = (added.length === 0 ? first : check(withoutFields(payload, added))).filter(
    ({ code, path }) => code !== unknownValueCode || !contract.documents(step, path).hasValues,
  );
  const told = new Set(own.flatMap(({ path, severity }) => (severity === 'error' ? [path] : [])));
  const others = contract.check(step, payload).filter(({ path }) => !told.has(path));
  return [...own, ...others];
}

function withoutFields(payload: JsonValue, paths: readonly string[]): JsonValue {
  const copy = structured(payload);
  for (const path of paths) {
    const names = path.split('.');
    const last = names.pop() ?? '';
    let at: JsonValue | undefined = copy;
    for (const name of names) {
      if (Array.isArray(at)) at = at[Number(name)];
      else at = isJsonObject(at) ? at[name] : undefined;
    }
    if (isJsonObject(at)) Reflect.deleteProperty(at, last);
  }
  return copy;
}

/** A copy as far as there are objects and arrays. */
function structured(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(structured);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, structured(inner)]));
}
