import type { AccountKey } from '../domain/account-key.ts';
import { utcDate, utcDatetime, type Clock } from '../domain/clock.ts';
import type { ContractAnswers } from '../contract/tenancy/contract-answers.ts';
import type { ImportKind } from '../domain/import-kind.ts';
import type { JsonObject } from '../domain/json.ts';
import type { StepName } from '../domain/steps.ts';
import type { OperatorProblem } from './read-operator.ts';
import type { OperatorConfig } from './operator.ts';
import type { PayloadRules } from './payload-rules.ts';
import type { Store } from './store/open-store.ts';

/** What an endpoint works with. */
export interface PlatformContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly rules: PayloadRules;
  /** The ways in which accounts can be imported. */
  readonly imports: ReadonlySet<ImportKind>;
  /** Whether meter points can be registered. */
  readonly registers: boolean;
  /** Whether the tenancy has the step's endpoint. */
  readonly offers: (step: StepName) => boolean;
  /** How the tenancy's contract describes its answers; absent: the interface's. */
  readonly answers: ContractAnswers | undefined;
  /** The tenancy's own OpenAPI document; absent: the interface's. */
  readonly document: JsonObject | undefined;
  /** Accounts being created, by their key; how many requests are at it. */
  readonly inProgress: Map<string, number>;
  /** References of payment instructions that failed once. */
  readonly vendorFailures: Set<string>;
  /** The operator's current settings. */
  readonly operator: () => OperatorConfig;
  /** Changes them; gives what is wrong with the change, and then nothing is changed. */
  readonly change: (patch: JsonObject) => readonly OperatorProblem[];
  /** Ends waiting when the platform goes away. */
  readonly closing: () => AbortSignal;
  /** Drops every connection, and listens again after this many milliseconds. */
  readonly restart: (downMs: number) => void;
  /** Accepts no new connection for this many milliseconds; open ones stay. */
  readonly refuseConnections: (forMs: number) => void;
}

/** The platform's time, in milliseconds since the epoch: the operator's, or the real one. */
export function platformTime({ clock, operator }: Pick<PlatformContext, 'clock' | 'operator'>): number {
  const { now } = operator();
  return now === undefined ? clock.now() : Date.parse(now);
}

/** The last returned second: thousands of requests may share one. */
let told = { second: NaN, text: '' };

export function platformDatetime(context: PlatformContext): string {
  const second = Math.floor(platformTime(context) / 1000);
  if (second !== told.second) told = { second, text: utcDatetime(second * 1000) };
  return told.text;
}

export function platformDate(context: PlatformContext): string {
  return utcDate(platformTime(context));
}

/** One text for a pair; a line feed keeps two pairs from meeting. */
export function keyText(key: AccountKey): string {
  return `${key.supplier}\n${key.account}`;
}
