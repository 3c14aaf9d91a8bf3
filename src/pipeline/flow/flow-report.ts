import { definedFields } from '../../domain/defined-fields.ts';
import type { FoundPace } from '../../domain/found-pace.ts';
import type { LaneState, RunEvent } from '../run/run-events.ts';
import type { Lanes } from './lanes.ts';
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

/** Reports the limits of a run when they have changed. */
export class FlowReport {
  /** While the platform refuses everything, and asked for this. */
  pause: Pause | undefined;
  readonly #lanes: Pick<Lanes, 'state'>;
  readonly #paces: Pick<Paces, 'settled'>;
  readonly #emit: (event: RunEvent) => void;
  #told: Told | undefined;

  constructor(lanes: Pick<Lanes, 'state'>, paces: Pick<Paces, 'settled'>, emit: (event: RunEvent) => void) {
    this.#lanes = lanes;
    this.#paces = paces;
    this.#emit = emit;
  }

  /** `waitsUntil`: when the first account continues, if all wait. */
  changed(isDead: boolean, waitsUntil: number | undefined): void {
    const { requests, process } = this.#lanes.state;
    const [told, pace] = [this.#told, this.#paces.settled];
    const isSame =
      told !== undefined &&
      told.isDead === isDead &&
      told.waitsUntil === waitsUntil &&
      told.pause === this.pause &&
      told.pace === pace &&
      isLike(requests, told.requests) &&
      isLike(process, told.process);
    if (isSame) return;
    this.#told = { requests, process, pace, isDead, waitsUntil, pause: this.pause };
    this.#emit(definedFields({ type: 'flow', ...this.#told }));
  }
}

function isLike(one: LaneState, other: LaneState): boolean {
  return one.limit === other.limit && one.reason === other.reason;
}
