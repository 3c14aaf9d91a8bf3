import type { Answer } from '../../client/platform-client.ts';
import type { Clock } from '../../domain/clock.ts';
import type { RequestStep } from '../../domain/steps.ts';

/** Equal answers in a row after which a step is suspended, and trials without another answer after which it is held. */
const inARow = 5;
const mostTrials = 4;
/** The wait before the first trial, which doubles from trial to trial; in ms. */
const firstWaitMs = 500;
/** Between two trials of a step that is held. */
const heldWaitMs = 30_000;
/** For as long as a trial is under way, in ms; one that takes longer may have ended without an answer. */
const pollMs = 250;
const longestTrialMs = 60_000;

/** A step whose answers the interface does not define, and their form. */
export interface HeldStep {
  readonly step: RequestStep;
  /** Status and form of the body, without values. */
  readonly looks: string;
}

/** A step since its first answer that nothing explains. */
interface Row {
  looks: string;
  count: number;
  trials: number;
  /** When the next trial may begin; undefined: not suspended. */
  nextAt?: number;
  trialSince?: number | undefined;
  isHeld: boolean;
}

/**
 * Watches for answers that are neither a success nor a refusal of the interface (section 4), and are always the same:
 * the tenancy has its own answer, or a proxy answers instead of the platform. After five in a row the step is suspended
 * for all accounts, so that a book does not become `uncertain` before anybody can say what the answer means. Many requests at
 * once may meet one short moment, so five are a single observation: the step is tried with one account at a time,
 * at growing intervals. An answer of the interface releases it; four more without one hold it, and then it is tried seldom.
 */
export class AnswerWatch {
  /** The accounts in a row that an endpoint denied, while it answered nobody else. */
  readonly #denied = new Map<RequestStep, Set<string>>();
  readonly #rows = new Map<RequestStep, Row>();
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #told: (held: HeldStep) => void;

  constructor(clock: Pick<Clock, 'monotonic'>, told: (held: HeldStep) => void) {
    this.#clock = clock;
    this.#told = told;
  }

  /** The steps that are suspended or held now. */
  get held(): readonly HeldStep[] {
    return [...this.#rows].flatMap(([step, { looks, nextAt }]) =>
      nextAt === undefined ? [] : { step, looks },
    );
  }

  /** Whether an account has to leave the step out. */
  isHeld(step: RequestStep): boolean {
    const row = this.#rows.get(step);
    return row?.isHeld === true && !this.#isDue(row);
  }

  /** Waits, by `wait`, until the step may be sent; false if it is held, or the wait is ended. */
  async admits(step: RequestStep, wait: (ms: number) => Promise<boolean>): Promise<boolean> {
    for (;;) {
      const row = this.#rows.get(step);
      if (row?.nextAt === undefined) return true;
      if (this.#isDue(row)) {
        row.trialSince = this.#clock.monotonic();
        return true;
      }
      if (row.isHeld) return false;
      if (!(await wait(Math.max(pollMs, row.nextAt - this.#clock.monotonic())))) return false;
    }
  }

  /**
   * The answers to POST requests; undefined: none came. process is never held, because account-transfer-status gives its outcome.
   */
  see(step: RequestStep, answer: Answer<unknown> | undefined): void {
    const kind = answer?.kind;
    if (kind === 'ok') this.#denied.delete(step);
    if (step === 'process') return;
    if (kind === 'ok' || kind === 'refused' || kind === 'not-found') {
      this.#rows.delete(step);
      return;
    }
    const row = this.#rows.get(step);
    if (answer?.kind !== 'unknown' || answer.looks === undefined) {
      if (row?.trialSince !== undefined) this.#tryAgain(row);
      return;
    }
    const { looks } = answer;
    if (row === undefined) this.#rows.set(step, { looks, count: 1, trials: 0, isHeld: false });
    else if (row.nextAt === undefined) {
      row.count = row.looks === looks ? row.count + 1 : 1;
      row.looks = looks;
      if (row.count >= inARow) this.#tryAgain(row);
    } else if (row.trialSince !== undefined) this.#failTrial(step, row, looks);
  }

  /** The endpoint of a step denied an account access, with this status, while the same credentials are accepted elsewhere. */
  denied(step: RequestStep, account: string, status: number): void {
    if (this.#rows.get(step)?.isHeld === true) return;
    const accounts = this.#denied.get(step) ?? new Set<string>();
    this.#denied.set(step, accounts.add(account));
    if (accounts.size < inARow) return;
    const looks = `${status} from its endpoint alone: the credentials lack a permission`;
    const row = { looks, count: accounts.size, trials: mostTrials, isHeld: true };
    this.#rows.set(step, row);
    this.#tryAgain(row);
    this.#told({ step, looks });
  }

  #failTrial(step: RequestStep, row: Row, looks: string): void {
    row.looks = looks;
    row.trials += 1;
    const isNew = row.trials >= mostTrials && !row.isHeld;
    row.isHeld ||= isNew;
    this.#tryAgain(row);
    if (isNew) this.#told({ step, looks });
  }

  #tryAgain(row: Row): void {
    row.trialSince = undefined;
    row.nextAt = this.#clock.monotonic() + (row.isHeld ? heldWaitMs : firstWaitMs * 2 ** row.trials);
  }

  #isDue({ nextAt = 0, trialSince }: Row): boolean {
    const now = this.#clock.monotonic();
    return now >= nextAt && (trialSince === undefined || now - trialSince >= longestTrialMs);
  }
}
