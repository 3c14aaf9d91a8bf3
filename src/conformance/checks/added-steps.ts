import { namedIn } from '../../client/added-requests.ts';
import type { ContractField } from '../../contract/tenancy/contract-field.ts';
import type { AddedRequest, TenancyContract } from '../../contract/tenancy/contract.ts';
import { identityParameter, type AddedStep } from '../../domain/added-step.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';
import type { ConformanceCheck } from '../check.ts';
import type { KnownValues } from '../payloads.ts';
import type { Answered } from '../sandbox.ts';
import type { Trial } from '../trial.ts';

/** Items that the platform took, by the field that identifies them: a later step may be about the same. */
type TakenItems = Map<string, string>;

interface Item {
  readonly value: string;
  readonly payload: JsonObject;
}

const supplierFields = ['import_supplier_code', 'import_supplier'] as const;

/** The steps that a profile adds, and those that published contracts have: what a run relies on, of each that the contract has. */
export function addedStepChecks(
  contract: TenancyContract,
  steps: readonly AddedStep[],
  known: KnownValues,
): readonly ConformanceCheck[] {
  const taken: TakenItems = new Map();
  return steps.flatMap((step) => {
    const request = contract.added(step.path);
    return request === undefined ? [] : new StepChecks(step, request, taken, known[step.name]).all();
  });
}

/** The checks of one step. */
class StepChecks {
  readonly #step: AddedStep;
  readonly #request: AddedRequest;
  readonly #taken: TakenItems;
  readonly #known: JsonObject | undefined;

  constructor(step: AddedStep, request: AddedRequest, taken: TakenItems, known: JsonObject | undefined) {
    this.#step = step;
    this.#request = request;
    this.#taken = taken;
    this.#known = known;
  }

  all(): readonly ConformanceCheck[] {
    const { name, check, ask, whenLost, accounts } = this.#step;
    const of = { section: 'contract', subject: name, asks: [] } as const;
    return [
      {
        ...{ ...of, sentence: 'Added steps: an item without a field that the contract requires is refused.' },
        account: 'new',
        run: (trial) => this.#refuses(trial),
      },
      ...(check === undefined
        ? []
        : [
            {
              ...{ ...of, sentence: 'Added steps: a check accepts a valid item, and stores nothing.' },
              account: 'new' as const,
              run: (trial: Trial) => this.#checks(trial, check),
            },
          ]),
      {
        ...{
          ...of,
          sentence:
            'Added steps: an item is taken with 200 or 201, and an empty body, {} or JSON that names it' +
            (ask === undefined ? '.' : '; it is there afterwards, and not before.') +
            (whenLost === 'repeat' ? ' It is taken again as it is.' : ''),
        },
        account: accounts === undefined ? 'new' : 'shared',
        run: (trial) => this.#takes(trial),
      },
    ];
  }

  async #refuses(trial: Trial): Promise<void> {
    const item = this.#item(trial, true);
    if (item === undefined) return;
    const { field } = this.#request;
    const name = [...field.required].find(
      (one) => one !== this.#step.identity && this.#request.check(without(item.payload, one)).length > 0,
    );
    if (name === undefined) {
      trial.notOffered = 'The contract requires no further field of an item.';
      return;
    }
    const answered = await this.#post(
      trial,
      this.#step.check ?? this.#step.path,
      without(item.payload, name),
    );
    trial.expectNoSuccess(answered, `of an item without ${name}`);
  }

  async #checks(trial: Trial, path: string): Promise<void> {
    const item = this.#item(trial, true);
    if (item === undefined) return;
    const answered = await this.#post(trial, path, item.payload);
    if (trial.expect(isSuccess(answered), '200 or 201 from the check', answered))
      await this.#isThere(trial, item, false);
  }

  async #takes(trial: Trial): Promise<void> {
    const item = this.#item(trial, false);
    if (item === undefined) return;
    const { path, identity, whenLost } = this.#step;
    await this.#isThere(trial, item, false);
    for (const _time of whenLost === 'repeat' ? [1, 2] : [1]) {
      const answered = await this.#post(trial, path, item.payload);
      if (!trial.expect(isTaken(answered, this.#named(item)), `200 or 201 that names ${identity}`, answered))
        return;
    }
    this.#taken.set(identity, item.value);
    await this.#isThere(trial, item, true);
  }

  async #isThere(trial: Trial, item: Item, isThere: boolean): Promise<void> {
    const { ask } = this.#step;
    if (ask === undefined) return;
    const path = ask.replace(identityParameter, () => encodeURIComponent(item.value));
    const answered = await trial.platform.send('GET', path);
    const { body } = answered;
    if (!isThere)
      trial.expect(
        answered.status === 404 && isJsonObject(body),
        '404 with JSON for an item that is not there',
        answered,
      );
    else {
      const isNamed = body !== undefined && namedIn(body, this.#named(item)) === 'itself';
      trial.expect(answered.status === 200 && isNamed, '200 that names the item', answered);
    }
  }

  /** undefined, with the reason, if the contract allows no invented one. `isNew`: of a name that no other check has. */
  #item(trial: Trial, isNew: boolean): Item | undefined {
    const { identity, named, accounts, name } = this.#step;
    const { field } = this.#request;
    const taken = isNew ? undefined : this.#taken.get(identity);
    // Identifiers are short in some tenancies.
    const value = taken ?? trial.platform.newAccount().replace(/^CONF-/, '');
    const supplier = supplierFields.find((one) => field.fields.has(one));
    const invented = this.#request.fitted({
      ...(supplier === undefined ? {} : { [supplier]: trial.platform.supplier }),
      ...(named === undefined ? {} : at(field, named.item.split('.'), value)),
      ...(accounts === undefined ? {} : at(field, accounts.split('.'), trial.account)),
      [identity]: value,
    });
    const payload = this.#request.formed({ ...invented, ...this.#known, [identity]: value });
    const [problem] = this.#request.check(payload);
    if (problem === undefined) return { value, payload };
    trial.notChecked = `No item can be invented: ${problem.path} ${problem.detail} Name its values with --payloads, under ${name}.`;
    return undefined;
  }

  #post(trial: Trial, path: string, payload: JsonObject): Promise<Answered> {
    return trial.platform.send('POST', path, this.#request.isList ? [payload] : payload);
  }

  #named({ value }: Item): { readonly field: string; readonly value: string } {
    return { field: this.#step.identity, value };
  }
}

function isSuccess({ status, cause }: Answered): boolean {
  return (status === 200 || status === 201) && cause === '';
}

function isTaken(answered: Answered, named: Parameters<typeof namedIn>[1]): boolean {
  const { body, isEmpty } = answered;
  if (!isSuccess(answered)) return false;
  const isBare = isJsonObject(body) && Object.keys(body).length === 0;
  return isEmpty || isBare || (body !== undefined && namedIn(body, named) === 'itself');
}

function without(payload: JsonObject, name: string): JsonObject {
  const { [name]: _left, ...others } = payload;
  return others;
}

/** An object that has a value at this place, through the arrays that the contract has on the way. */
function at(field: ContractField, [name, ...rest]: readonly string[], value: JsonValue): JsonObject {
  const inner = name === undefined ? undefined : field.fields.get(name);
  if (name === undefined || inner === undefined) return {};
  const own = inner.element ?? inner;
  const held = rest.length === 0 ? value : at(own, rest, value);
  return { [name]: inner.element === undefined ? held : [held] };
}
