import { isExtraStep, type ExtraStepName, type StepName } from '../../domain/steps.ts';
import type { PartEntry } from '../../journal/journal.ts';
import type { ItemPlace, SentItems } from '../account/by-reading.ts';
import { wholeRequest } from '../request/ready-request.ts';
import type { Cutting } from '../settings.ts';
import { ItemList } from './item-list.ts';
import type { PlanToSend } from './recorded-parts.ts';
import { itemsStepOf } from './step-table.ts';

/** Of several entries with an item, the first of these states counts. */
const precedence: readonly PartEntry['state'][] = ['done', 'sent', 'uncertain', 'failed', 'refused'];

/** Which entry of the journal each item of an account's further steps was sent with, by fingerprint. */
export class SentBy implements SentItems {
  readonly #plan: PlanToSend;
  readonly #cutting: Cutting;
  readonly #parts: readonly PartEntry[];
  readonly #entries = new Map<string, PartEntry>();
  readonly #places = new Map<PartEntry, ItemPlace>();

  /** `parts`: everything that was sent of the account. */
  constructor(plan: PlanToSend, parts: readonly PartEntry[], cutting: Cutting) {
    this.#plan = plan;
    this.#cutting = cutting;
    this.#parts = parts.filter(({ step }) => isExtraStep(step));
    const rank = ({ state }: PartEntry): number => precedence.indexOf(state);
    for (const entry of [...this.#parts].sort((a, b) => rank(a) - rank(b)))
      if (isExtraStep(entry.step)) this.#place(entry, entry.step);
  }

  of({ step, path, request }: ItemPlace & { readonly step: StepName }): PartEntry | undefined {
    const array = isExtraStep(step) ? itemsStepOf(step, this.#cutting)?.array : undefined;
    if (array === undefined || !isExtraStep(step)) return this.#entries.get(`${step} ${request}`);
    const index = Number(path.slice(array.length + 1).split('.')[0]);
    return this.#entries.get(`${step} ${this.#before(step, array, request) + index}`);
  }

  /** The items of a step in the payloads before one: entries count them through all. */
  #before(step: ExtraStepName, array: string, request: number): number {
    return this.#plan.extras[step].slice(0, request).reduce((count, payload) => {
      const items = payload[array];
      return count + (Array.isArray(items) ? items.length : 0);
    }, 0);
  }

  placeOf(entry: PartEntry): ItemPlace | undefined {
    return this.#places.get(entry);
  }

  isWhole(step: ExtraStepName): boolean {
    return this.#parts.every(
      (entry) =>
        entry.step !== step ||
        entry.state === 'failed' ||
        entry.state === 'refused' ||
        this.#places.has(entry),
    );
  }

  #place(entry: PartEntry, step: ExtraStepName): void {
    const items = itemsStepOf(step, this.#cutting);
    if (items === undefined) {
      const request = this.#plan.extras[step].findIndex(
        (payload, at) =>
          !this.#entries.has(`${step} ${at}`) && wholeRequest(step, payload).hash === entry.hash,
      );
      if (request < 0) return;
      this.#entries.set(`${step} ${request}`, entry);
      this.#places.set(entry, { path: '', request });
      return;
    }
    const range = new ItemList(items, this.#plan, []).rangeOf(entry);
    if (range === undefined) return;
    for (let at = range.from; at < range.to; at += 1)
      if (!this.#entries.has(`${step} ${at}`)) this.#entries.set(`${step} ${at}`, entry);
    this.#places.set(entry, { path: `${items.array}.${range.from}`, request: 0 });
  }
}
