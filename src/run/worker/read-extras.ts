import type { JsonObject } from '../../domain/json.ts';
import { extraStepNames, type ExtraStepName } from '../../domain/steps.ts';
import type { AccountPlan } from '../../mapping/plan.ts';

type Read = (step: ExtraStepName) => readonly JsonObject[];

/** The payloads of an account's further steps, of which each step's are read when they are first used: many never are. */
export function extrasOf(read: Read): AccountPlan['extras'] {
  return new ReadExtras(read) as ReadExtras & AccountPlan['extras'];
}

/** It has a getter for each step. */
class ReadExtras {
  readonly #readStep: Read;
  readonly #read = new Map<ExtraStepName, readonly JsonObject[]>();

  static {
    for (const step of extraStepNames)
      Object.defineProperty(this.prototype, step, {
        get(this: ReadExtras) {
          return this.#payloads(step);
        },
      });
  }

  constructor(read: Read) {
    this.#readStep = read;
  }

  #payloads(step: ExtraStepName): readonly JsonObject[] {
    let known = this.#read.get(step);
    if (known === undefined) {
      known = this.#readStep(step);
      this.#read.set(step, known);
    }
    return known;
  }
}
