import type { Answer } from '../client/platform-client.ts';
import type { StepName } from '../domain/steps.ts';

/** Equal answers in a row after which a step is held. */
const inARow = 5;

/** A step whose answers the interface does not define, and their form. */
export interface HeldStep {
  readonly step: StepName;
  /** Status and form of the body, without values. */
  readonly looks: string;
}

/**
 * Watches for answers that are neither a success nor a refusal of the interface (section 4), and are always the same:
 * the tenancy has its own answer, or a proxy answers instead of the platform. After five in a row the step is held
 * for all accounts, so that a book does not become `uncertain` before anybody can say what the answer means.
 */
export class AnswerWatch {
  readonly held: HeldStep[] = [];
  /** The accounts in a row that an endpoint denied, while it answered nobody else. */
  readonly #denied = new Map<StepName, Set<string>>();
  readonly #rows = new Map<StepName, { readonly looks: string; readonly count: number }>();
  readonly #told: (held: HeldStep) => void;

  constructor(told: (held: HeldStep) => void) {
    this.#told = told;
  }

  isHeld(step: StepName): boolean {
    return this.held.some((one) => one.step === step);
  }

  /**
   * The answers to POST requests. process is never held, because account-transfer-status gives its outcome.
   */
  see(step: StepName, answer: Answer<unknown>): void {
    if (answer.kind === 'ok') this.#denied.delete(step);
    if (step === 'process' || this.isHeld(step)) return;
    if (answer.kind === 'ok' || answer.kind === 'refused' || answer.kind === 'not-found')
      this.#rows.delete(step);
    if (answer.kind !== 'unknown' || answer.looks === undefined) return;
    const { looks } = answer;
    const row = this.#rows.get(step);
    const count = row?.looks === looks ? row.count + 1 : 1;
    this.#rows.set(step, { looks, count });
    if (count >= inARow) this.#hold({ step, looks });
  }

  /** The endpoint of a step denied an account access, with this status, while the same credentials are accepted elsewhere. */
  denied(step: StepName, account: string, status: number): void {
    if (this.isHeld(step)) return;
    const accounts = this.#denied.get(step) ?? new Set<string>();
    this.#denied.set(step, accounts.add(account));
    if (accounts.size >= inARow)
      this.#hold({ step, looks: `${status} from its endpoint alone: the credentials lack a permission` });
  }

  #hold(held: HeldStep): void {
    this.held.push(held);
    this.#told(held);
  }
}
