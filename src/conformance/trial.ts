import { knownEndpoints, type KnownEndpointName } from '../contract/endpoints.ts';
import { readRefusal } from '../contract/refusal.ts';
import { wrapsPayload } from '../contract/scheduled-import.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts';
import type { StepName } from '../domain/steps.ts';
import { joinPath } from '../domain/paths.ts';
import { offers, successesUnder, validateUnder } from './offered.ts';
import type { Payloads } from './payloads.ts';
import { inWords, type Answered, type Sandbox } from './sandbox.ts';

/** What one check works with; it collects what the platform does otherwise than its sentence says. */
export class Trial {
  readonly breaches: string[] = [];
  /** Why the check cannot be made on this platform. */
  notChecked: string | undefined;
  /** What the check needs, but the contract does not have. */
  notOffered: string | undefined;
  readonly platform: Sandbox;
  readonly payloads: Payloads;
  /** External account number of the account that the check begins with. */
  readonly account: string;

  constructor(platform: Sandbox, payloads: Payloads, account: string) {
    this.platform = platform;
    this.payloads = payloads;
    this.account = account;
  }

  /** Whether the platform has the endpoint. */
  offers(endpoint: KnownEndpointName): boolean {
    return offers(this.payloads.contract, endpoint);
  }

  /** The endpoint that `validate` asks. */
  get validates(): 'validate' | 'scheduleValidate' {
    return validateUnder(this.payloads.contract);
  }

  /** Validates an account. */
  validate(payload: JsonObject): Promise<Answered> {
    const { validates, platform } = this;
    return platform.post(validates, wrapsPayload(validates) ? { payload } : payload);
  }

  /** Whether the step's payload may have the field; if not, the check is not made. */
  needs(step: StepName, field: string): boolean {
    const has = this.payloads.has(step, field);
    if (!has) this.notOffered = `The contract has no ${field} in the payload of ${step}.`;
    return has;
  }

  /** Records a breach unless the condition holds; returns whether it does. */
  expect(holds: boolean, wanted: string, answered: Answered): boolean {
    if (!holds) this.breaches.push(`Expected ${wanted}; the answer was ${inWords(answered)}.`);
    return holds;
  }

  /** One of the endpoint's own statuses (section 4), or one that the contract names. */
  expectSuccess(endpoint: KnownEndpointName, answered: Answered): boolean {
    const statuses = successesUnder(this.payloads.contract, endpoint);
    const isWhole = answered.cause === '';
    return this.expect(
      isWhole && statuses.includes(answered.status),
      `${statuses.join(' or ')} from ${knownEndpoints[endpoint].path}`,
      answered,
    );
  }

  expectStatus(answered: Answered, status: number, why: string): boolean {
    return this.expect(answered.status === status, `${status} ${why}`, answered);
  }

  /** Any refusal: the interface does not say which. */
  expectNoSuccess(answered: Answered, why: string): boolean {
    return this.expect(answered.status >= 400 && answered.status < 500, `a refusal ${why}`, answered);
  }

  /** A field of the answer, with a value or with one that is true of it. */
  expectField(
    answered: Answered,
    name: string,
    wanted: JsonValue | ((value: JsonValue | undefined) => boolean),
    words = JSON.stringify(wanted),
  ): boolean {
    const value = isJsonObject(answered.body) ? answered.body[name] : undefined;
    const holds = typeof wanted === 'function' ? wanted(value) : value === wanted;
    return this.expect(holds, `${name} to be ${words}`, answered);
  }

  /**
   * A validation error (section 7): 400, in either of the two forms that platforms write. `path`: where the
   * only fault of the payload is.
   */
  expectInvalid(answered: Answered, path?: string): void {
    if (!this.expectStatus(answered, 400, 'for invalid data')) return;
    const { body } = answered;
    if (!isJsonObject(body)) {
      this.expect(false, 'a JSON object with the errors', answered);
      return;
    }
    if (isListed(body)) this.#expectListed(answered, body);
    const paths = new Set(readRefusal(body)?.problems.map((problem) => problem.path));
    this.expect(paths.size > 0, 'at least one error that names a field', answered);
    if (path !== undefined && paths.size > 0)
      this.expect(paths.has(path), `an error with the path ${path}`, answered);
  }

  #expectListed(answered: Answered, { detail, code, errors }: JsonObject): void {
    this.expect(typeof detail === 'string', 'detail to be text', answered);
    this.expect(typeof code === 'string', 'code to be text', answered);
    if (!this.expect(Array.isArray(errors), 'errors to be a list', answered)) return;
    for (const [index, item] of (errors as readonly JsonValue[]).entries())
      for (const name of ['detail', 'code', 'attr'])
        this.expect(
          isJsonObject(item) && typeof item[name] === 'string',
          `errors.${joinPath(String(index), name)} to be text`,
          answered,
        );
  }
}

/** The form with `detail`, `code` and `errors`; the other one is shaped like the payload. */
function isListed(body: JsonObject): boolean {
  return 'errors' in body || (typeof body['detail'] === 'string' && typeof body['code'] === 'string');
}

export function fieldOf(body: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(body) ? body[name] : undefined;
}

export function isFilled(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && value.trim() !== '';
}
