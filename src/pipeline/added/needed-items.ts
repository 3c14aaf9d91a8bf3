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

  add({ account }: NamedItems, names: readonly string[], lack: Lack): void {
    const lacks = this.#lacks.get(account) ?? new Map<string, Lack>();
    this.#lacks.set(account, lacks);
    for (const name of names) lacks.set(name, lack);
  }

  /** What an account lacks; its payload is read only where some item is not done. */
  of({ print }: Pick<ReadyPlan, 'print'>): Lacking {
    if (this.#lacks.size === 0) return 'nothing';
    const found = [...this.#found(parseJson(print.payloadBody.toString()), '')];
    const refused = found.find(({ lack }) => lack.isRefused);
    if (refused === undefined) return found.length === 0 ? 'nothing' : 'later';
    const { path, lack } = refused;
    const detail = `The account needs ${lack.item} (${lack.step}), which was refused. Correct that, run again, and put the account back in line with \`migrate retry --code item_refused\`.`;
    return { code: itemRefused, path, detail, severity: 'error' };
  }

  *#found(value: JsonValue, at: string): Generator<{ readonly path: string; readonly lack: Lack }> {
    const under = (name: string | number): string => (at === '' ? String(name) : `${at}.${name}`);
    if (Array.isArray(value))
      for (const [index, one] of value.entries()) yield* this.#found(one, under(index));
    if (!isJsonObject(value)) return;
    for (const [name, inner] of Object.entries(value)) {
      const lacks = this.#lacks.get(name);
      if (lacks === undefined) yield* this.#found(inner, under(name));
      else
        for (const [index, one] of [inner].flat().entries()) {
          const lack = typeof one === 'string' ? lacks.get(one) : undefined;
          if (lack !== undefined)
            yield { path: Array.isArray(inner) ? `${under(name)}.${index}` : under(name), lack };
        }
    }
  }
}
