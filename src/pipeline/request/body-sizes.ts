import type { Answer } from '../../client/platform-client.ts';
import type { PayloadProblem } from '../../domain/problem.ts';
import { requestTooLarge, type BodyLimit, type LearntBodyLimit } from '../../domain/request-too-large.ts';
import type { RequestStep } from '../../domain/steps.ts';

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
  readonly #steps = new Map<RequestStep, Sizes>();
  /** Of an earlier run: only for what would be in doubt after a 413, so that a limit that was raised is noticed. */
  #earlier: LearntBodyLimit | undefined;

  /** `most`: the most bytes of a body, by the setting `bytesPerRequest`. */
  constructor(most = Infinity, earlier?: LearntBodyLimit) {
    this.#most = most;
    this.#earlier = earlier;
  }

  /** A body reached the platform. Whether that disproves what was known of the limit. */
  passed(step: RequestStep, bytes: number): boolean {
    const sizes = this.#of(step);
    if (bytes <= sizes.passed) return false;
    sizes.passed = bytes;
    // Behind one address there may be several gateways, or somebody has raised the limit.
    const isDisproved = bytes >= sizes.refused;
    if (isDisproved) sizes.refused = Infinity;
    if (this.#earlier === undefined || bytes < this.#earlier.refusedBytes) return isDisproved;
    this.#earlier = undefined;
    return true;
  }

  /** A body was answered with 413. Whether its size is the cause. */
  refused(step: RequestStep, bytes: number): boolean {
    const sizes = this.#of(step);
    if (bytes <= Math.max(alwaysAllowed, sizes.passed)) return false;
    sizes.refused = Math.min(sizes.refused, bytes);
    return true;
  }

  /** The most bytes of a request that can be divided. */
  targetOf(step: RequestStep): number {
    const { passed, refused } = this.#of(step);
    // Halves find the limit within a few requests, and the next list is divided right at once.
    const learnt = refused === Infinity ? Infinity : Math.max(passed, refused / 2);
    return Math.min(this.#most, learnt);
  }

  /**
   * Whether a request must not leave. `isHarmless`: it may be repeated whatever became of it, so only the setting forbids it. Another
   * one would be in doubt after a 413, so what other endpoints refused counts too, unless there is a setting.
   */
  forbids(step: RequestStep, bytes: number, isHarmless: boolean): boolean {
    if (bytes > this.#most) return true;
    if (isHarmless) return false;
    if (bytes >= this.#of(step).refused) return true;
    return this.#most === Infinity && (isBeyond(this.limit, bytes) || isBeyond(this.#earlier, bytes));
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
    const { run, refusedBytes } = this.#earlier ?? {};
    if (run !== undefined && refusedBytes !== undefined && this.limit === undefined)
      return `${has}, and in run ${run}, a gateway refused one of ${refusedBytes.toLocaleString('en')} bytes for its size (413). If its limit was raised since, set bytesPerRequest to it; otherwise ask its operator to raise it (nginx: client_max_body_size), or shorten the data.`;
    return `${has}, and a gateway refuses it for its size (413). Ask its operator to raise the limit (nginx: client_max_body_size), or shorten the data.`;
  }

  #of(step: RequestStep): Sizes {
    const sizes = this.#steps.get(step) ?? { passed: 0, refused: Infinity };
    this.#steps.set(step, sizes);
    return sizes;
  }
}

function isBeyond(limit: BodyLimit | undefined, bytes: number): boolean {
  return limit !== undefined && bytes >= limit.refusedBytes && bytes > limit.acceptedBytes;
}
