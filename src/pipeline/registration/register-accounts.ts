import type { PlatformClient } from '../../client/platform-client.ts';
import type { AccountKey } from '../../domain/account-key.ts';
import type { Random } from '../../domain/clock.ts';
import type { Journal } from '../../journal/journal.ts';
import { Flow } from '../flow/flow.ts';
import { BodySizes } from '../request/body-sizes.ts';
import { QuietPeriod } from '../request/quiet-period.ts';
import { AnswerWatch } from '../run/answer-watch.ts';
import { hasAnsweredBefore } from '../run/answered-before.ts';
import { BreakOff } from '../run/broken-run.ts';
import { CredentialWatch } from '../run/credential-watch.ts';
import type { RunClock } from '../run/run-clock.ts';
import type { RunEvent } from '../run/run-events.ts';
import type { StopControl } from '../run/stop-control.ts';
import type { Settings } from '../settings.ts';
import {
  registerAccount,
  statusesOf,
  type RegistrationContext,
  type RegistrationResult,
} from './register-account.ts';

export interface RegistrationInput extends Pick<
  RegistrationContext,
  'platform' | 'run' | 'restoredAt' | 'from' | 'isDryRun' | 'admit'
> {
  /** Accounts that exist on the platform. */
  readonly accounts: AsyncIterable<AccountKey>;
  readonly settings: Settings;
}

export interface RegistrationPorts {
  readonly client: PlatformClient;
  readonly journal: Journal;
  readonly clock: RunClock;
  readonly random: Random;
  readonly stop: StopControl;
  readonly emit: (event: RunEvent) => void;
}

/** Called once for each account that was not left out by the end of the command. */
export type HearRegistration = (key: AccountKey, result: RegistrationResult) => void;

/**
 * Registers accounts of one supplier, whose lease the caller holds, as many at a time as the platform takes. Ends when `stop` drains:
 * then what was begun is recorded. Throws what broke it off, such as a journal that cannot be written.
 */
export async function registerAccounts(
  input: RegistrationInput,
  ports: RegistrationPorts,
  hear: HearRegistration,
): Promise<void> {
  const first = new OneByOne(ports.stop);
  const inTurn = (mark: () => Promise<RegistrationResult>) => first.run(mark);
  await drive(input, ports, hear, (context, key) => registerAccount({ ...context, ...input, inTurn }, key));
}

/** Requests that have failed for one reason before any was done, after which no other leaves. */
const mostAlike = 5;

/** What cannot be undone is tried with one account at a time, until it is done for one. */
class OneByOne {
  readonly #stop: StopControl;
  #turn: Promise<unknown> = Promise.resolve();
  #isProven = false;
  #alike = { code: '', count: 0 };

  constructor(stop: StopControl) {
    this.#stop = stop;
  }

  run(work: () => Promise<RegistrationResult>): Promise<RegistrationResult> {
    if (this.#isProven) return work();
    const tried = this.#turn.then(() => this.#try(work));
    this.#turn = tried.catch(() => undefined);
    return tried;
  }

  async #try(work: () => Promise<RegistrationResult>): Promise<RegistrationResult> {
    if (this.#stop.draining.aborted) return { state: 'stopped', code: '' };
    const result = await work();
    this.#isProven ||= result.state === 'done';
    const { code } = result;
    this.#alike = { code, count: this.#alike.code === code ? this.#alike.count + 1 : 1 };
    if (!this.#isProven && this.#alike.count >= mostAlike) this.#stop.stop('same-refusal', code);
    return result;
  }
}

/** Only reads the meter points of accounts. */
export async function readMeterPoints(
  input: Pick<RegistrationInput, 'accounts' | 'settings' | 'platform' | 'run'>,
  ports: RegistrationPorts,
  hear: HearRegistration,
): Promise<void> {
  await drive(input, ports, hear, async (context, key) => {
    const { points, unread } = await statusesOf(context, key);
    return unread ?? { state: points.length === 0 ? 'none' : 'due', code: '', points };
  });
}

type Sending = Omit<
  RegistrationContext,
  'platform' | 'run' | 'restoredAt' | 'from' | 'isDryRun' | 'admit' | 'inTurn'
>;

async function drive(
  {
    accounts,
    settings,
    platform,
    run,
  }: Pick<RegistrationInput, 'accounts' | 'settings' | 'platform' | 'run'>,
  ports: RegistrationPorts,
  hear: HearRegistration,
  work: (context: Sending, key: AccountKey) => Promise<RegistrationResult>,
): Promise<void> {
  const { client, journal, clock, stop } = ports;
  const broken = new BreakOff(stop);
  const tally = { requests: 0, retries: 0, answered: 0 };
  const flow = new Flow(settings, {
    ...ports,
    sending: () => void (tally.requests += 1),
    // Nothing is sent twice, so no account waits for a lost request.
    stoodAside: () => undefined,
    hasAnsweredBefore: () => hasAnsweredBefore(journal, platform),
    fail: (error) => broken.by(error),
  });
  const context: Sending = {
    ...{ ...ports, settings, tally, flow },
    record: (write) => void write.catch((error: unknown) => broken.by(error)),
    quiet: new QuietPeriod(settings.patience, clock, run + 1, run + 1),
    sizes: new BodySizes(settings.bytesPerRequest, undefined),
    answers: new AnswerWatch(clock, ({ looks }) => stop.stop('unrecognised-answers', looks)),
    credentials: new CredentialWatch({
      clock,
      patienceMs: settings.patience.credentialsMs,
      discard: (tokenId) => client.discardToken(tokenId),
    }),
  };
  const source = accounts[Symbol.asyncIterator]();
  const worker = async (): Promise<void> => {
    for (;;) {
      const place = await flow.accounts.begin();
      if (place === undefined) return;
      try {
        const next = await source.next();
        if (next.done === true) return;
        await flow.accounts.hasPlan(place);
        flow.accounts.drives(place, next.value);
        hear(next.value, await work(context, next.value));
      } finally {
        flow.left(place);
      }
    }
  };
  const workers = Array.from({ length: settings.concurrency }, () =>
    worker().catch((error: unknown) => broken.by(error)),
  );
  try {
    await Promise.all(workers);
  } finally {
    flow.close();
    await source.return?.();
  }
  broken.rethrow();
}
