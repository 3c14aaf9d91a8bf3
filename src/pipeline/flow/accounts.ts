import { setMaxListeners } from 'node:events';
import type { AccountKey } from '../../domain/account-key.ts';
import { isExtraStep, type RequestStep } from '../../domain/steps.ts';
import { AccountSlot } from './account-slot.ts';
import { WaitQueue } from './wait-queue.ts';

/** The most memory of all accounts that stand aside, and the overhead of each beyond its data; in bytes. */
const mostBytesAside = 64 * 1024 * 1024;
const bytesEach = 4096;

/** The accounts that are running. A new one starts only if a request of it could leave soon. */
export class Accounts {
  readonly #hasRoom: (beginning: number) => boolean;
  readonly #draining: AbortSignal;
  readonly #hasLeft: (isAside: boolean) => void;
  readonly #line = new WaitQueue();
  readonly #places = new Map<string, AccountSlot>();
  readonly #suppliers = new Map<string, AbortController>();
  /** The most accounts that may run at the same time. */
  #most = Infinity;
  #running = 0;
  /** Of these, the ones that have read their plan. */
  #driven = 0;
  /** They have read their plan, and fewer accounts may run by now. */
  readonly #ready = new WaitQueue();
  #beginning = 0;
  #bytesAside = 0;

  /**
   * `hasRoom`: whether a request of one more account would find a place, beside the accounts that have started and have
   * not asked for one yet. `hasLeft` is called when an account gives up its place
   * (true), and when it takes it again (false).
   */
  constructor(
    hasRoom: (beginning: number) => boolean,
    draining: AbortSignal,
    hasLeft: (isAside: boolean) => void,
  ) {
    this.#hasRoom = hasRoom;
    this.#hasLeft = hasLeft;
    this.#draining = draining;
    draining.addEventListener('abort', () => this.#suppliers.forEach((supplier) => supplier.abort()));
  }

  /** Waits until one more account may start; undefined if the run drains first. */
  async begin(): Promise<AccountSlot | undefined> {
    const isFree = !this.#draining.aborted && this.#line.length === 0 && this.#mayBegin();
    if (isFree) this.#start();
    else if (!(await this.#line.wait(this.#draining))) return undefined;
    return new AccountSlot();
  }

  /**
   * Allows at most this many running accounts from now on, which may be none; those that run continue to
   * their end.
   */
  limitTo(most: number): void {
    this.#most = most;
    this.letIn();
  }

  /** The most accounts that may run until `limitTo` is called again: one that waits for its plan has sent nothing. */
  get uses(): number {
    return Math.max(this.#most, this.#driven);
  }

  /**
   * Its plan was read. If the limit has fallen since it began, it waits until it may run, or the run drains; undefined: it does not
   * wait.
   */
  hasPlan(place: AccountSlot): Promise<unknown> | undefined {
    if (this.#driven < this.#most) {
      place.isDriven = true;
      this.#driven += 1;
      return undefined;
    }
    return this.#ready.wait(this.#draining).then((isLetIn) => (place.isDriven = isLetIn));
  }

  #start(): void {
    this.#beginning += 1;
    this.#running += 1;
  }

  /** Sets which account it is, and how much memory it takes, in bytes. */
  drives(place: AccountSlot, key: AccountKey, bytes = 0): void {
    place.key = key;
    place.bytes = bytes;
    this.#places.set(key.account, place);
  }

  /** The place of a running account, which asks for a request of this step. */
  asks(account: string, step: RequestStep, now: number): AccountSlot {
    const place = this.#places.get(account);
    if (place === undefined) throw new Error('a request of an account that is not driven');
    if (!place.hasAsked) this.#beginning -= 1;
    place.asks(step, now);
    return place;
  }

  /** Gives up its place, to take it again later; false if the memory for such accounts is used up. */
  standAside(place: AccountSlot): boolean {
    const bytes = place.bytes + bytesEach;
    if (this.#bytesAside + bytes > mostBytesAside) return false;
    this.#bytesAside += bytes;
    this.#running -= 1;
    this.#driven -= 1;
    if (place.key !== undefined) this.#places.delete(place.key.account);
    this.#hasLeft(true);
    this.letIn();
    return true;
  }

  /** Whether accounts stand aside, and no other is running or about to start. */
  get areAllAside(): boolean {
    return this.#bytesAside > 0 && this.#places.size === 0 && this.#beginning === 0;
  }

  /** Takes its place again. */
  comeBack(place: AccountSlot): void {
    this.#bytesAside -= place.bytes + bytesEach;
    this.#running += 1;
    this.#driven += 1;
    if (place.key !== undefined) this.#places.set(place.key.account, place);
    this.#hasLeft(false);
  }

  /** The account has ended in this run. */
  leave(place: AccountSlot): void {
    this.#running -= 1;
    if (place.isDriven) this.#driven -= 1;
    if (!place.hasAsked) this.#beginning -= 1;
    if (place.key !== undefined) this.#places.delete(place.key.account);
    this.letIn();
  }

  /** Starts as many accounts as allowed. */
  letIn(): void {
    while (this.#driven < this.#most && this.#ready.next()) this.#driven += 1;
    while (this.#mayBegin() && this.#line.next()) this.#start();
  }

  /** The import supplier accepts no accounts: ends the waits of those that would create one. */
  closeSupplier(supplier: string): void {
    this.#controllerOf(supplier).abort();
  }

  /** Ends the waits of a step of an account. */
  signal({ key }: AccountSlot, step: RequestStep): AbortSignal {
    return key === undefined || isExtraStep(step) ? this.#draining : this.#controllerOf(key.supplier).signal;
  }

  #mayBegin(): boolean {
    if (this.#running >= this.#most) return false;
    // One is always allowed, so that a run at its end does not wait for nothing.
    if (this.#beginning === 0 && this.#places.size === 0) return true;
    return this.#hasRoom(this.#beginning);
  }

  /** Aborted when the run drains, and when the supplier is closed. */
  #controllerOf(supplier: string): AbortController {
    let controller = this.#suppliers.get(supplier);
    if (controller === undefined) {
      controller = new AbortController();
      setMaxListeners(0, controller.signal);
      if (this.#draining.aborted) controller.abort();
      this.#suppliers.set(supplier, controller);
    }
    return controller;
  }
}
