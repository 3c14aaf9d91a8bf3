import type { RunEvent } from '../pipeline/run/run-events.ts';
import { counted, formatCount, formatDuration } from './format.ts';

/** Accounts that must have ended before the requests of one are estimated, and requests at a rate before it is told. */
const enoughEnded = 5;
const enoughRequests = 60;

/** Says once how many requests per second a platform takes, and how long the accounts need at that rate. */
export class PaceNotice {
  readonly #accounts: number | undefined;
  /** Requests of the accounts under way. */
  readonly #underWay = new Map<string, number>();
  #ended = 0;
  #ofEnded = 0;
  #perSecond: number | undefined;
  #since = 0;
  #isTold = false;

  /** `accounts`: how many the run takes, if that is known. */
  constructor(accounts: number | undefined) {
    this.#accounts = accounts;
  }

  /** The sentence, once enough is known for it. */
  hear(event: RunEvent): string | undefined {
    if (this.#isTold) return undefined;
    if (event.type === 'flow') this.#found(event.pace?.perSecond);
    else if (event.type === 'account') this.#end(event.account);
    else if (event.type === 'request') {
      this.#underWay.set(event.account, (this.#underWay.get(event.account) ?? 0) + 1);
      if (this.#perSecond !== undefined) this.#since += 1;
    }
    if (this.#perSecond === undefined || this.#since < enoughRequests || this.#ended < enoughEnded)
      return undefined;
    this.#isTold = true;
    this.#underWay.clear();
    return this.#sentence(this.#perSecond);
  }

  #found(perSecond: number | undefined): void {
    if (perSecond === undefined) this.#since = 0;
    this.#perSecond = perSecond;
  }

  #end(account: string): void {
    const requests = this.#underWay.get(account);
    this.#underWay.delete(account);
    if (requests === undefined) return;
    this.#ended += 1;
    this.#ofEnded += requests;
  }

  #sentence(perSecond: number): string {
    const rate =
      perSecond >= 10 ? formatCount(Math.round(perSecond)) : String(Number(perSecond.toPrecision(2)));
    const takes = `The platform takes about ${rate} requests a second`;
    if (this.#accounts === undefined) return `${takes}.`;
    const seconds = (this.#accounts * this.#ofEnded) / this.#ended / perSecond;
    const need = this.#accounts === 1 ? 'needs' : 'need';
    return `${takes}; ${counted(this.#accounts, 'account')} ${need} ${formatDuration(seconds * 1000)}.`;
  }
}
