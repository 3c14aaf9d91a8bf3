import type { Answer } from '../../client/platform-client.ts';
import type { PayloadProblem } from '../../domain/problem.ts';
import { requestTooLarge, type BodyLimit } from '../../domain/request-too-large.ts';
import type { StepName } from '../../domain/steps.ts';

/** Smaller bodies come through every gateway: a 413 to one has another cause. In bytes. */
const alwaysAllowed = 4096;

/** The sizes of bodies, in bytes, that came through to one endpoint, and that a gateway refused. */
interface Sizes {
  passed: number;
  refused: number;
}

/**
 * Whether an answer says that the body is too large (413). A gateway says so before it delivers a request, but its answer does
 * not prove that.
 */
export function saysTooLarge(answer: Answer<unknown>): boolean {
  return 'status' in answer && answer.status === 413;
}

/** Learns how large a body may be. Gateways may set a limit for each endpoint. */
export class BodySizes {
  readonly #most: number;
  readonly #steps = new Map<StepName, Sizes>();

  /** `most`: the most bytes of a body, by the setting `bytesPerRequest`. */
  constructor(most = Infinity) {
    this.#most = most;
  }

  /** A body reached the platform. */
  passed(step: StepName, bytes: number): void {
    const sizes = this.#of(step);
    if (bytes <= sizes.passed) return;
    sizes.passed = bytes;
    // Behind one address there may be several gateways, or somebody has raised the limit.
    if (bytes >= sizes.refused) sizes.refused = Infinity;
  }

  /** A body was answered with 413. Whether its size is the cause. */
  refused(step: StepName, bytes: number): boolean {
    const sizes = this.#of(step);
    if (bytes <= Math.max(alwaysAllowed, sizes.passed)) return false;
    sizes.refused = Math.min(sizes.refused, bytes);
    return true;
  }

  /** The most bytes of a request that can be divided. */
  targetOf(step: StepName): number {
    const { passed, refused } = this.#of(step);
    // Halves find the limit within a few requests, and the next list is divided right at once.
    const learnt = refused === Infinity ? Infinity : Math.max(passed, refused / 2);
    return Math.min(this.#most, learnt);
  }

  /**
   * Whether a request must not leave. `isHarmless`: it may be repeated whatever became of it, so only the setting forbids it. Another
   * one would be in doubt after a 413, so what other endpoints refused counts too, unless there is a setting.
   */
  forbids(step: StepName, bytes: number, isHarmless: boolean): boolean {
    if (bytes > this.#most) return true;
    if (isHarmless) return false;
    const { refusedBytes = Infinity, acceptedBytes = 0 } = this.limit ?? {};
    const isRefusedElsewhere = this.#most === Infinity && bytes >= refusedBytes && bytes > acceptedBytes;
    return isRefusedElsewhere || bytes >= this.#of(step).refused;
  }

  /** What was learnt from refused bodies; undefined if none was refused for its size. */
  get limit(): BodyLimit | undefined {
    const sizes = [...this.#steps.values()];
    const refusedBytes = Math.min(...sizes.map(({ refused }) => refused));
    if (refusedBytes === Infinity) return undefined;
    return { refusedBytes, acceptedBytes: Math.max(...sizes.map(({ passed }) => passed)) };
  }

  /** The problem of a request that cannot be divided. */
  problem(bytes: number): PayloadProblem {
    return { code: requestTooLarge, path: '', detail: this.#detail(bytes), severity: 'error' };
  }

  #detail(bytes: number): string {
    const has = `The request has ${bytes.toLocaleString('en')} bytes`;
    if (bytes > this.#most)
      return `${has}, and bytesPerRequest allows ${this.#most.toLocaleString('en')}. If the gateways on the way take more, raise it; otherwise shorten the data.`;
    return `${has}, and a gateway refuses it for its size (413). Ask its operator to raise the limit (nginx: client_max_body_size), or shorten the data.`;
  }

  #of(step: StepName): Sizes {
    const sizes = this.#steps.get(step) ?? { passed: 0, refused: Infinity };
    this.#steps.set(step, sizes);
    return sizes;
  }
}
