import type { AccountKey } from '../domain/account-key.ts';
import { utcDate, utcDatetime, type Clock } from '../domain/clock.ts';
import type { OperatorConfig } from './operator.ts';
import type { Store } from './store/open-store.ts';

/** What an endpoint works with. */
export interface Desk {
  readonly store: Store;
  readonly clock: Clock;
  /** The operator's decisions as they are now. */
  operator(): OperatorConfig;
  /** Accounts being created, by their key; how many requests are at it. */
  readonly inProgress: Map<string, number>;
  /** References of payment instructions that failed once. */
  readonly vendorFailures: Set<string>;
  /** Ends waiting when the platform closes. */
  readonly closing: AbortSignal;
}

/** The platform's time, in milliseconds since the epoch: the operator's, or the real one. */
export function platformTime(desk: Desk): number {
  const { now } = desk.operator();
  return now === undefined ? desk.clock.now() : Date.parse(now);
}

export function platformDatetime(desk: Desk): string {
  return utcDatetime(platformTime(desk));
}

export function platformDate(desk: Desk): string {
  return utcDate(platformTime(desk));
}

/** One text for a pair; a line feed keeps two pairs from meeting. */
export function keyText(key: AccountKey): string {
  return `${key.supplier}\n${key.account}`;
}
