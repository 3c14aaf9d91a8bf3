import type { ExtraStepName } from '../../../src/domain/steps.ts';
import type { Fault } from './schedule.ts';

/**
 * What befalls all requests of a run for a while, or those of one account or step for the rest of it.
 *
 * - `token-lag`: a server does not know the token
 * - `page-200`: a maintenance page with the status of success
 * - `no-connections`: no connection can be opened, and open ones are answered
 * - `deny-one`, `deny-step`: an account, or a step's endpoint, is denied access
 */
export type Stretch = { readonly from: number } & (
  | { readonly what: 'token-lag' | 'page-200' | 'no-connections'; readonly ms: number }
  | { readonly what: 'deny-one'; readonly account: string }
  | { readonly what: 'deny-step'; readonly step: ExtraStepName }
);

/** A request as far as a stretch looks at it. */
interface Looked {
  readonly n: number;
  /** Time that has passed, in ms. */
  readonly now: number;
  readonly account: string;
  readonly step: ExtraStepName | undefined;
  readonly isConnecting: boolean;
}

/** One stretch of a run, which begins with its `from`-th request. */
export class Stretches {
  readonly #stretch: Stretch | undefined;
  #since: number | undefined;

  constructor(stretch: Stretch | undefined) {
    this.#stretch = stretch;
  }

  /** What becomes of a request, if it is within the stretch. */
  faultOf({ n, now, account, step, isConnecting }: Looked): Fault | undefined {
    const stretch = this.#stretch;
    if (stretch === undefined || n < stretch.from) return undefined;
    switch (stretch.what) {
      case 'deny-one':
        return account === stretch.account ? 'denied' : undefined;
      case 'deny-step':
        return step === stretch.step ? 'denied' : undefined;
    }
    this.#since ??= now;
    if (now >= this.#since + stretch.ms) return undefined;
    switch (stretch.what) {
      case 'token-lag':
        return 'unauthorized';
      case 'page-200':
        return 'page html before';
      case 'no-connections':
        return isConnecting ? 'not-sent' : undefined;
    }
  }
}
