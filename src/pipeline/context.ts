import type { PlatformClient } from '../client/platform-client.ts';
import type { Clock, Random } from '../domain/clock.ts';
import type { AccountEntry, Journal } from '../journal/journal.ts';
import type { AnswerWatch } from './answer-watch.ts';
import type { Flow } from './flow/flow.ts';
import type { QuietPeriod } from './quiet-period.ts';
import type { NumberClaims } from './numbers/number-claims.ts';
import type { ReadyPlan } from './ready-plan.ts';
import type { RunEvent } from './run-events.ts';
import type { Settings } from './settings.ts';
import type { StopControl } from './stop-control.ts';

/** What every step of a run works with. */
export interface RunContext {
  readonly run: number;
  /** Progress belongs to one platform: its origin, its configured id, or the embedded platform's own id. */
  readonly platform: string;
  /** Where the export lies, as an absolute path. */
  readonly place: string;
  readonly settings: Settings;
  readonly client: PlatformClient;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly random: Random;
  readonly stop: StopControl;
  readonly tally: RequestTally;
  /** How long lost requests are waited for. */
  readonly quiet: QuietPeriod;
  /** The way of every request to the platform. */
  readonly flow: Flow;
  /** Steps that are held, as nothing explains their answers. */
  readonly answers: AnswerWatch;
  readonly numbers: NumberClaims;
  readonly emit: (event: RunEvent) => void;
  /** Takes a journal write that nobody waits for: the next one that is waited for comes after it. */
  readonly record: (write: Promise<void>) => void;
  /** The import supplier takes no accounts now: none of its others is driven in this run. */
  readonly closeSupplier: (supplier: string, detail: string) => void;
  /** The entry of an account that is driven; `pending` where there was none. */
  readonly open: (plan: ReadyPlan) => Promise<AccountEntry>;
  /** Takes an import supplier's lease for this run, where no other run holds it; false where one does. */
  readonly holds: (supplier: string) => Promise<boolean>;
  /** Asked before an account with work is driven; false when the run has driven as many as it may. */
  readonly admit: () => boolean;
}

export interface RequestTally {
  requests: number;
  retries: number;
  /** Requests whose answer is the platform's own: it is there, and takes the token. */
  answered: number;
}
