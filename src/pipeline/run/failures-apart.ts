import type { AccountState } from '../../domain/account-state.ts';
import { parseJson, type JsonValue } from '../../domain/json.ts';
import type { SharedByFailures } from '../../domain/shared-by-failures.ts';
import { extraStepNames } from '../../domain/steps.ts';
import type { ReadyPlan } from '../account/ready-plan.ts';
import type { AccountEnded } from './run-events.ts';
import { factsOf, TellingApart } from './telling-apart.ts';

/** A value that fewer accounts have may be that of a person, and what fewer have in common is a coincidence. */
const fewest = 5;
/** The most groups, and the most accounts of each, that are compared. */
const mostGroups = 20;
const mostOfGroup = 500;
/** The first accounts that end well are compared, then one of so many; after a failure, all until there are enough. */
const firstCompared = 32;
const comparedEach = 64;
const enoughCompared = 200;

interface Group extends Pick<SharedByFailures, 'state' | 'code'> {
  readonly apart: TellingApart;
  accounts: number;
}

/** Tells what the rejected and failed accounts of each code share, and the accounts that ended well have not. */
export class FailuresApart {
  readonly #groups = new Map<string, Group>();
  readonly #passed: ReadonlySet<string>[] = [];
  #passes = 0;

  /** An account has ended. */
  see({ state, code }: Pick<AccountEnded, 'state' | 'code'>, plan: ReadyPlan): void {
    if (state === 'completed') this.#pass(plan);
    else if (isTold(state)) this.#fail({ state, code }, plan);
  }

  /** The largest group first. Call once, after the last account. */
  conclude(): readonly SharedByFailures[] {
    return [...this.#groups.values()]
      .flatMap(({ apart, accounts, ...group }) => {
        for (const facts of this.#passed) apart.passed(facts);
        const differences = accounts < fewest || apart.compared < fewest ? [] : apart.differences();
        return differences.length === 0
          ? []
          : [{ ...group, accounts, compared: apart.compared, differences }];
      })
      .sort((one, other) => other.accounts - one.accounts);
  }

  #pass(plan: ReadyPlan): void {
    this.#passes += 1;
    if (this.#passed.length >= enoughCompared) return;
    const isNeeded = this.#groups.size > 0;
    if (isNeeded || this.#passes <= firstCompared || this.#passes % comparedEach === 0)
      this.#passed.push(factsOf(payloadsOf(plan)));
  }

  #fail({ state, code }: Pick<AccountEnded, 'state' | 'code'>, plan: ReadyPlan): void {
    const name = `${state} ${code}`;
    let group = this.#groups.get(name);
    if (group === undefined) {
      if (this.#groups.size === mostGroups) return;
      this.#groups.set(name, (group = { state, code, accounts: 0, apart: new TellingApart() }));
    }
    if (group.accounts === mostOfGroup) return;
    group.accounts += 1;
    group.apart.failed(factsOf(payloadsOf(plan)));
  }
}

function isTold(state: AccountState): boolean {
  return state === 'rejected' || state === 'failed';
}

function payloadsOf({ print, requests }: ReadyPlan): readonly JsonValue[] {
  const further = extraStepNames.flatMap((step) => requests(step).map(({ body }) => body.toString()));
  return [print.payloadBody.toString(), ...further].flatMap((text) => (text === '' ? [] : [parseJson(text)]));
}
