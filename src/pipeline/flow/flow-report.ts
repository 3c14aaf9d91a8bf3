import { definedFields } from '../../domain/defined-fields.ts';
import type { FoundPace } from '../../domain/found-pace.ts';
import type { LaneState, RunEvent } from '../run/run-events.ts';
import type { Limiter } from './limiter.ts';
import type { Paces } from './paces.ts';

type Pause = NonNullable<Extract<RunEvent, { type: 'flow' }>['pause']>;

/** What was reported last of the limits. */
interface Told {
  readonly requests: LaneState;
  readonly process: LaneState;
  readonly pace: FoundPace | undefined;
  readonly isDead: boolean;
  readonly waitsUntil: number | undefined;
  readonly pause: Pause | undefined;
}

export interface Reported {
  readonly requests: Limiter;
  readonly process: Limiter;
  readonly paces: Paces;
}

/** Reports the limits of a run when they have changed. */
export class FlowReport {
  /** While the platform refuses everything, and asked for this. */
  pause: Pause | undefined;
  readonly #limits: Reported;
  readonly #emit: (event: RunEvent) => void;
  #told: Told | undefined;

  constructor(limits: Reported, emit: (event: RunEvent) => void) {
    this.#limits = limits;
    this.#emit = emit;
  }

  /** `waitsUntil`: when the first account continues, if all wait. */
  changed(isDead: boolean, waitsUntil: number | undefined): void {
    const { requests, process, paces } = this.#limits;
    const [told, pace] = [this.#told, paces.settled];
    const isSame =
      told !== undefined &&
      told.isDead === isDead &&
      told.waitsUntil === waitsUntil &&
      told.pause === this.pause &&
      told.pace === pace &&
      requests.isAt(told.requests) &&
      process.isAt(told.process);
    if (isSame) return;
    const state = { requests: requests.state, process: process.state };
    this.#told = { ...state, pace, isDead, waitsUntil, pause: this.pause };
    this.#emit(definedFields({ type: 'flow', ...this.#told }));
  }
}
