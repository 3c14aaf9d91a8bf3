import type { ContractField } from '../../contract/tenancy/contract-field.ts';
import type { TenancyContract } from '../../contract/tenancy/contract.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';
import { joinPath } from '../../domain/paths.ts';
import { anyValidate, type ConformanceCheck } from '../check.ts';
import type { Payloads } from '../payloads.ts';

/** An account that the contract refuses for one reason. */
interface Spoilt {
  readonly path: string;
  readonly sentence: string;
  readonly spoil: (account: JsonObject) => JsonObject;
}

const mostChecks = 100;

/**
 * Checks the platform against what a contract says about the account payload: the fields that it requires,
 * and the values that it lists. Only what the contract itself refuses is checked.
 */
export function contractChecks(contract: TenancyContract, payloads: Payloads): readonly ConformanceCheck[] {
  const field = contract.field('validate');
  if (field === undefined) return [];
  const sample = payloads.account('CONF-SAMPLE');
  return [...spoiltBy(field, sample, '')]
    .filter(({ spoil }) => contract.check('validate', spoil(sample)).length > 0)
    .slice(0, mostChecks)
    .map(({ path, sentence, spoil }): ConformanceCheck => ({
      section: 'contract',
      sentence,
      asks: [anyValidate],
      account: 'new',
      run: async (trial) => {
        const payload = spoil(trial.payloads.account(trial.account));
        const answered = await trial.validate(payload);
        trial.expectStatus(answered, 400, `for an account with a wrong ${path}`);
      },
    }));
}

function* spoiltBy(field: ContractField, value: JsonValue, path: string): Generator<Spoilt> {
  if (Array.isArray(value)) {
    const [first] = value;
    if (field.element !== undefined && first !== undefined)
      yield* spoiltBy(field.element, first, joinPath(path, 0));
    return;
  }
  if (!isJsonObject(value)) {
    if (field.values !== undefined)
      yield {
        path,
        sentence: `The contract lists the values of ${path}.`,
        spoil: (account) => withValue(account, path.split('.'), '~no such value~'),
      };
    return;
  }
  for (const [name, inner] of Object.entries(value)) {
    const at = joinPath(path, name);
    const own = field.fields.get(name);
    if (own === undefined) continue;
    if (field.required.has(name))
      yield {
        path: at,
        sentence: `The contract requires ${at}.`,
        spoil: (account) => withValue(account, at.split('.'), undefined),
      };
    yield* spoiltBy(own, inner, at);
  }
}

/** A copy with another value at this place, or without one. */
function withValue(account: JsonObject, path: readonly string[], value: JsonValue | undefined): JsonObject {
  const changed = inside(account, path, value);
  return isJsonObject(changed) ? changed : account;
}

function inside(
  at: JsonValue | undefined,
  path: readonly string[],
  value: JsonValue | undefined,
): JsonValue | undefined {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  if (Array.isArray(at))
    return at.map((item, index) => (index === Number(name) ? (inside(item, rest, value) ?? null) : item));
  if (!isJsonObject(at)) return at;
  const { [name]: own, ...others } = at;
  const changed = inside(own, rest, value);
  return changed === undefined ? others : { ...others, [name]: changed };
}
