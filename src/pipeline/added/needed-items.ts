import type { NamedItems } from '../../domain/added-step.ts';
import { isJsonObject, parseJson, type JsonValue } from '../../domain/json.ts';
import type { PayloadProblem } from '../../domain/problem.ts';
import type { ReadyPlan } from '../account/ready-plan.ts';

/** The code of an account that names an item which was refused. */
export const itemRefused = 'item_refused';

/** An item that is not on the platform. */
interface Lack {
  readonly step: string;
  readonly item: string;
  readonly isRefused: boolean;
}

/**
 * What an account lacks.
 *
 * - `nothing`: it can be sent
 * - `later`: an item that it names is not done yet, and may be
 * - a problem: the platform, or a local check, refused an item that it names
 */
export type Lacking = 'nothing' | 'later' | PayloadProblem;

/** Items that accounts name and that are not done. Few: those that are done need not be known. */
export class NeededItems {
  /** By the field of the account's payload, and the name there. */
  readonly #lacks = new Map<string, Map<string, Lack>>();
  /** The names of the items that are done, by the field of the account's payload: nothing is known of all others. */
  readonly #held = new Map<string, ReadonlySet<string>>();

  add({ account }: NamedItems, names: readonly string[], lack: Lack): void {
    const lacks = this.#lacks.get(account) ?? new Map<string, Lack>();
    this.#lacks.set(account, lacks);
    for (const name of names) lacks.set(name, lack);
  }

  /** Holds the accounts that name any other item than those that are done, as the step's files are not fully read. */
  hold({ account }: NamedItems, done: ReadonlySet<string>): void {
    this.#held.set(account, new Set([...done, ...(this.#held.get(account) ?? [])]));
  }

  /** What an account lacks; its payload is read only where some item is not done. */
  of({ print }: Pick<ReadyPlan, 'print'>): Lacking {
    if (this.#lacks.size === 0 && this.#held.size === 0) return 'nothing';
    const found = [...this.#found(parseJson(print.payloadBody.toString()), '')];
    const refused = found.flatMap(({ path, lack }) =>
      lack !== 'unread' && lack.isRefused ? [{ path, lack }] : [],
    )[0];
    if (refused === undefined) return found.length === 0 ? 'nothing' : 'later';
    const { path, lack } = refused;
    const detail = `The account needs ${lack.item} (${lack.step}), which was refused. Correct that, run again, and put the account back in line with \`migrate retry --code item_refused\`.`;
    return { code: itemRefused, path, detail, severity: 'error' };
  }

  *#found(
    value: JsonValue,
    at: string,
  ): Generator<{ readonly path: string; readonly lack: Lack | 'unread' }> {
    const under = (name: string | number): string => (at === '' ? String(name) : `${at}.${name}`);
    if (Array.isArray(value))
      for (const [index, one] of value.entries()) yield* this.#found(one, under(index));
    if (!isJsonObject(value)) return;
    for (const [name, inner] of Object.entries(value)) {
      if (!this.#lacks.has(name) && !this.#held.has(name)) yield* this.#found(inner, under(name));
      else
        for (const [index, one] of [inner].flat().entries()) {
          const lack = typeof one === 'string' ? this.#lackOf(name, one) : undefined;
          if (lack !== undefined)
            yield { path: Array.isArray(inner) ? `${under(name)}.${index}` : under(name), lack };
        }
    }
  }

  #lackOf(field: string, name: string): Lack | 'unread' | undefined {
    const lack = this.#lacks.get(field)?.get(name);
    return lack ?? (this.#held.get(field)?.has(name) === false ? 'unread' : undefined);
  }
}
