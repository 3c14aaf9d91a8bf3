import type { MappingPrint } from '../mapping-print.ts';
import type { PlatformClient } from '../../client/platform-client.ts';
import type { AccountKey } from '../../domain/account-key.ts';
import type { Clock, Random } from '../../domain/clock.ts';
import type { AccountEntry, Journal } from '../../journal/journal.ts';
import type { AnswerWatch } from './answer-watch.ts';
import type { ByReading } from '../account/by-reading.ts';
import type { BodySizes } from '../request/body-sizes.ts';
import type { NeededItems } from '../added/needed-items.ts';
import type { Contradictions } from './contradictions.ts';
import type { CredentialWatch } from './credential-watch.ts';
import type { FailingSteps } from './failing-steps.ts';
import type { Flow } from '../flow/flow.ts';
import type { QuietPeriod } from '../request/quiet-period.ts';
import type { NumberClaims } from '../numbers/number-claims.ts';
import type { ReadyPlan } from '../account/ready-plan.ts';
import type { RunEvent } from './run-events.ts';
import type { Settings } from '../settings.ts';
import type { PendingTasks } from '../steps/pending-tasks.ts';
import type { StopControl } from './stop-control.ts';

/** What every step of a run uses. */
export interface RunContext {
  readonly run: number;
  /** Progress belongs to one platform: its origin, its configured id, or the embedded platform's own id. */
  readonly platform: string;
  /** The export's location, as an absolute path. */
  readonly place: string;
  /** How rows are mapped; undefined if that is not known. */
  readonly mapping: MappingPrint | undefined;
  readonly settings: Settings;
  readonly client: PlatformClient;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly random: Random;
  readonly stop: StopControl;
  readonly tally: RequestTally;
  /** How long to wait for lost requests. */
  readonly quiet: QuietPeriod;
  /** Sends every request to the platform. */
  readonly flow: Flow;
  /** Learns how large a body may be. */
  readonly sizes: BodySizes;
  /** Steps that are held because their answers are not recognised. */
  readonly answers: AnswerWatch;
  /** Tells failures of one step from those of the platform. */
  readonly failingSteps: FailingSteps;
  /** Decides when refused credentials are believed. */
  readonly credentials: CredentialWatch;
  readonly numbers: NumberClaims;
  /** The platform's tasks that will create accounts (import v2). */
  readonly tasks: PendingTasks;
  /** Items that accounts need, and that are not on the platform. */
  readonly needed: NeededItems;
  /** Accounts whose answers contradict the journal. */
  readonly contradictions: Contradictions;
  /** Asks what became of requests whose effect is unknown; absent if accounts cannot be read back. */
  readonly byReading?: ByReading | undefined;
  readonly emit: (event: RunEvent) => void;
  /** Takes a journal write that nobody waits for: a later write that is waited for includes it. */
  readonly record: (write: Promise<void>) => void;
  /** The import supplier accepts no accounts now: none of its other accounts is run. */
  readonly closeSupplier: (supplier: string, detail: string) => void;
  /** The entry of an account that is run; `pending` if there was none. */
  readonly open: (plan: ReadyPlan) => Promise<AccountEntry>;
  /**
   * Holds an account for this run, whether it drives it or not, until the function that is returned is called; undefined if another run
   * has it.
   */
  readonly hold: (key: AccountKey) => Promise<(() => void) | undefined>;
  /** Called before an account with work is run; false if the run has reached its limit of accounts. */
  readonly admit: () => boolean;
}

/** What sending a request needs of it. */
export type RequestContext = Pick<
  RunContext,
  | 'settings'
  | 'client'
  | 'clock'
  | 'random'
  | 'stop'
  | 'tally'
  | 'quiet'
  | 'flow'
  | 'sizes'
  | 'answers'
  | 'credentials'
  | 'emit'
>;

export interface RequestTally {
  requests: number;
  retries: number;
  /** Requests whose answers show that the platform is available and accepts the token. */
  answered: number;
}
