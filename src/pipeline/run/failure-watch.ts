import { isOfConnection } from '../../domain/connection-causes.ts';
import { requestTooLarge } from '../../domain/request-too-large.ts';
import { changedAfterImport } from '../../domain/shared-codes.ts';
import type { FailingSteps } from './failing-steps.ts';
import type { AccountEnded } from './run-events.ts';
import type { Settings } from '../settings.ts';
import type { StopControl } from './stop-control.ts';

/** Accounts in a row that must fail, with no success between them, before the platform counts as broken. */
const inARow = 20;
/**
 * Accounts at the start that must all be refused for one reason before the mapping is considered wrong instead of the
 * accounts.
 */
const atTheStart = 20;
/** Accounts that must have ended before a share of them is meaningful. */
const smallestSample = 20;

/** Watches how accounts end, and stops the run if continuing would only fail more of them. */
export class FailureWatch {
  #ended = 0;
  #bad = 0;
  #hasPassedLimit = false;
  #failedInARow = 0;
  /** Accounts that the platform refused for one reason; undefined after another one ended differently. */
  // Stryker disable next-line StringLiteral: the first code is compared with none
  #refusedAlike: { readonly code: string; readonly count: number } | undefined = { code: '', count: 0 };
  #lastFailure = '';
  readonly #limit: Settings['maxFailures'];
  readonly #stop: StopControl;

  readonly #steps: Pick<FailingSteps, 'isOneStep'>;

  constructor(limit: Settings['maxFailures'], stop: StopControl, steps: Pick<FailingSteps, 'isOneStep'>) {
    this.#steps = steps;
    this.#limit = limit;
    this.#stop = stop;
  }

  /** `wasAsked`: a request of the account was sent, so the refusal is the platform's. */
  see(account: AccountEnded, wasAsked: boolean): void {
    if (!account.driven) return;
    if (wasAsked) this.#seeAnswered(account);
    this.#ended += 1;
    if (account.state === 'rejected' || account.state === 'failed') this.#bad += 1;
    if (this.#isPastLimit()) {
      this.#hasPassedLimit = true;
      this.#stop.stop('max-failures', this.#failures);
    }
    // It says nothing about the platform.
    if (account.code === requestTooLarge) return;
    this.#failedInARow = account.state === 'failed' ? this.#failedInARow + 1 : 0;
    if (account.state === 'failed') this.#lastFailure = account.code;
    // While connections fail, the breaker decides, which waits as long as is configured.
    const isSilent = !isOfConnection(account.code) && !this.#steps.isOneStep;
    if (this.#failedInARow >= inARow && isSilent) this.#stop.stop('unavailable', account.code);
  }

  get #failures(): string {
    return `${this.#bad} of ${this.#ended} accounts`;
  }

  /** At the end of the run: what was in flight at its stop has ended too. If accounts failed and no request was ever answered, the platform is not reachable. */
  finish(answered: number): void {
    if (this.#hasPassedLimit) this.#stop.complete('max-failures', this.#failures);
    if (answered === 0 && this.#lastFailure !== '') this.#stop.stop('unavailable', this.#lastFailure);
  }

  /** A user who sets a limit has stated how many refusals to expect. */
  #seeAnswered({ state, code }: AccountEnded): void {
    if (this.#refusedAlike === undefined || this.#limit !== undefined) return;
    const { count, code: before } = this.#refusedAlike;
    const isAlike = state === 'rejected' && code !== changedAfterImport && (count === 0 || code === before);
    this.#refusedAlike = isAlike ? { code, count: count + 1 } : undefined;
    if (this.#refusedAlike?.count === atTheStart) this.#stop.stop('same-refusal', code);
  }

  #isPastLimit(): boolean {
    if (this.#limit === undefined) return false;
    if ('count' in this.#limit) return this.#bad >= this.#limit.count;
    return this.#ended >= smallestSample && (this.#bad / this.#ended) * 100 >= this.#limit.percent;
  }
}
