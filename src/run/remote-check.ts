import type { Config } from '../config/load-config.ts';
import { SentValues } from '../contract/sent-values.ts';
import { exitCodes } from '../domain/exit-codes.ts';
import { needsPerson } from '../domain/lasting-causes.ts';
import { stringifyJson } from '../domain/json.ts';
import type { PayloadProblem, Problem } from '../domain/problem.ts';
import { extraStepNames } from '../domain/steps.ts';
import type { AccountPlan } from '../mapping/plan.ts';
import { BodySizes, saysTooLarge } from '../pipeline/request/body-sizes.ts';
import { refusedBy } from '../pipeline/request/part.ts';
import { inAccount } from '../pipeline/check/in-account.ts';
import { waitAfter } from '../pipeline/request/retry.ts';
import { inSentence } from '../report/format.ts';
import { CannotStart } from '../host/cannot-start.ts';
import { connect, type PlatformConnection } from './session/connect.ts';
import type { Environment } from '../host/environment.ts';
import { RefusedAccess } from './session/refused-access.ts';
import { stopDetail } from '../report/advice/stop-detail.ts';

/** The most requests at a time: a check must not hold up others who use the platform. */
const mostAtOnce = 8;
/** Accounts in a row without an answer after which the platform counts as unavailable. */
const mostUnanswered = 5;

/** Asks the platform to validate accounts (interface, section 4, endpoint 1). It stores nothing there. */
export class RemoteCheck {
  readonly #environment: Pick<Environment, 'clock' | 'random'>;
  readonly #config: Config;
  readonly #connection: PlatformConnection;
  readonly #access: RefusedAccess;
  readonly #sizes: BodySizes;
  readonly #underWay = new Set<Promise<void>>();
  /**
   * When the next request may leave, according to the rate and to the platform's Retry-After (ms, monotonic).
   */
  #nextAt = 0;
  #unanswered = 0;
  #failure: Error | undefined;
  readonly #over = new AbortController();
  #requests = 0;

  private constructor(environment: Environment, config: Config, connection: PlatformConnection) {
    this.#environment = environment;
    this.#config = config;
    this.#connection = connection;
    this.#sizes = new BodySizes(config.bytesPerRequest);
    this.#access = new RefusedAccess(environment.clock, config.patience.credentialsMs, connection.client);
  }

  /** Connects to the configured platform, or starts the embedded one. Throws CannotStart. */
  static async open(environment: Environment, config: Config): Promise<RemoteCheck> {
    // No account is created, so no operations team is required.
    const connection = await connect(environment, { ...config, team: config.team ?? '' });
    return new RemoteCheck(environment, config, connection);
  }

  get requests(): number {
    return this.#requests;
  }

  /**
   * Begins to check an account, and calls `found` with what the platform refuses. Resolves when there is room for the
   * next one. Rejects with CannotStart if the platform refuses the credentials or is unavailable.
   */
  async check(plan: AccountPlan, found: (problems: readonly Problem[]) => void): Promise<void> {
    const check = this.#problemsOf(plan).then(
      (problems) => {
        if (problems.length > 0) found(problems);
      },
      (error: unknown) => {
        if (this.#over.signal.aborted) return;
        this.#failure = error instanceof Error ? error : new Error(String(error));
        this.#over.abort();
      },
    );
    const done = check.finally(() => this.#underWay.delete(done));
    this.#underWay.add(done);
    if (this.#underWay.size >= Math.min(mostAtOnce, this.#config.concurrency))
      await Promise.race(this.#underWay);
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Resolves when every account is checked. Rejects as `check`. */
  async finish(): Promise<void> {
    await Promise.all(this.#underWay);
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Gives up the requests under way. */
  async close(): Promise<void> {
    this.#over.abort();
    await this.#connection.close();
    await Promise.all(this.#underWay);
  }

  async #problemsOf(plan: AccountPlan): Promise<readonly Problem[]> {
    const { random, clock } = this.#environment;
    const { retry } = this.#config;
    const body = stringifyJson(plan.payload);
    const extras = () => extraStepNames.flatMap((step) => plan.extras[step]);
    const about = new SentValues(() => [body, ...extras().map((payload) => stringifyJson(payload))]);
    const { signal } = this.#over;
    const bytes = Buffer.byteLength(body);
    const tooLarge = () => [problemIn(plan, this.#sizes.problem(bytes))];
    if (this.#sizes.forbids('validate', bytes, true)) return tooLarge();
    const own = { count: 0, since: 0 };
    for (let tries = 1; ; tries += 1) {
      await this.#access.pass(signal);
      await this.#turn();
      const answer = await this.#connection.client.post('validate', body, { key: plan.key, about, signal });
      signal.throwIfAborted();
      if (answer.kind === 'ok' || answer.kind === 'refused' || answer.kind === 'not-found') {
        this.#unanswered = 0;
        this.#access.accepted();
        if (!saysTooLarge(answer)) this.#sizes.passed('validate', bytes);
        if (answer.kind === 'ok') return [];
        return (refusedBy(answer).problems ?? []).map((problem) => problemIn(plan, problem));
      }
      if (answer.kind === 'unauthorized') {
        const verdict = await this.#access.refused(answer, own);
        if (verdict === 'believed') throw credentialsRefused(answer.detail);
        if (verdict === 'own') return this.#missed(plan, `http_${answer.status}`, false);
        continue;
      }
      if (saysTooLarge(answer) && this.#sizes.refused('validate', bytes)) return tooLarge();
      const isThrottled = answer.kind === 'throttled';
      const isFinal = answer.kind === 'not-sent' && needsPerson(answer.cause);
      if (isFinal || tries >= (isThrottled ? retry.throttledAttempts : retry.attempts))
        return this.#missed(plan, 'cause' in answer ? answer.cause : answer.kind, answer.kind === 'not-sent');
      const waitMs = waitAfter(isThrottled ? answer.retryAfterMs : undefined, tries, retry, random);
      if (isThrottled) this.#nextAt = Math.max(this.#nextAt, clock.monotonic() + waitMs);
      else await clock.sleep(waitMs, signal);
    }
  }

  /** Waits until a request may leave. */
  async #turn(): Promise<void> {
    const { clock } = this.#environment;
    const { rate } = this.#config;
    const at = Math.max(this.#nextAt, clock.monotonic());
    if (rate !== undefined) this.#nextAt = at + 1000 / rate;
    if (at > clock.monotonic()) await clock.sleep(at - clock.monotonic(), this.#over.signal);
    this.#requests += 1;
  }

  /** While others are answered, what cannot be asked is a problem of the account. */
  #missed(plan: AccountPlan, cause: string, isUnreachable: boolean): readonly Problem[] {
    this.#unanswered += 1;
    if (this.#unanswered >= mostUnanswered || isUnreachable)
      throw new CannotStart(exitCodes.unavailable, inSentence(stopDetail('unavailable', cause)));
    const detail = 'The platform did not validate this account. Run the check again.';
    return [problemIn(plan, { code: cause, path: '', detail, severity: 'error' })];
  }
}

function problemIn(plan: AccountPlan, problem: PayloadProblem): Problem {
  return inAccount(plan.key, 'validate', problem, plan.locate('validate', problem.path));
}

function credentialsRefused(detail: string): CannotStart {
  return new CannotStart(exitCodes.credentialsRefused, inSentence(stopDetail('credentials', detail)));
}
