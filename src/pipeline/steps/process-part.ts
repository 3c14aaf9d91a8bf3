import type { AccountRun } from '../account/account-run.ts';
import type { RunContext } from '../run/context.ts';
import { writeMoney } from '../../domain/money.ts';
import { isProcessOpen, isTaskOpen, scheduledOutcome } from '../account/standing.ts';
import type { Intent, PartEntry, Settlement } from '../../journal/journal.ts';
import { saysAbsent, type ContradictingAnswer } from '../account/contradiction.ts';
import { sendWithRetry } from '../request/send-with-retry.ts';
import { adoptedOutcome, restoredOutcome } from '../account/open-attempts.ts';
import { missedSettlement } from '../request/part.ts';
import { atRest } from '../request/quiet-period.ts';
import { numberOfAnotherAccount } from '../../domain/shared-codes.ts';
import type { ProcessResult } from './process-result.ts';

/** The process attempts of one account: what was sent, and what is recorded. */
export class ProcessPart {
  /** Whether an attempt left, in this run or another, with an unknown outcome. */
  unknown: boolean;
  /** Until when an attempt may be under way; ms on the monotonic clock. */
  quietUntil: number;
  /** Answers lost in this run. */
  lost = 0;
  /** Fingerprint of the data from which the last attempt was to create the account. */
  #hash: string;
  #recorded: boolean;
  #isScheduled: boolean;
  /** When the last attempt of this run left, in ms on the monotonic clock. */
  #sentAt = atRest;
  readonly #context: RunContext;
  readonly #run: AccountRun;

  /** `isRecorded`: an attempt was recorded in this run. */
  constructor(context: RunContext, run: AccountRun, isRecorded = false) {
    const prior = run.progress.prior('process');
    this.#context = context;
    this.#run = run;
    this.unknown = isProcessOpen(run.progress);
    this.quietUntil = prior === undefined ? atRest : context.quiet.ofRecorded(prior);
    this.#hash = prior?.hash ?? run.payloadHash;
    this.#recorded = isRecorded || prior !== undefined;
    this.#isScheduled = isTaskOpen(prior);
  }

  /**
   * Sends until the platform has answered; what certainly had no effect is repeated, a lost answer is `lost`.
   * `isStagedNow`: the platform acknowledged the staged data in this run.
   */
  async send(isStagedNow: boolean) {
    const { settings } = this.#context;
    const { supplier, account } = this.#run.plan.key;
    const body = JSON.stringify({
      external_account_number: account,
      import_supplier_code: supplier,
      // A tenancy may allocate teams itself.
      operations_team_name: settings.team === '' ? undefined : settings.team,
    });
    return this.#post('process', body, (answer) => isStagedNow && saysAbsent(answer));
  }

  /** Submits the account as a task (import v2), in the same way. */
  submit(body: Buffer) {
    // Stryker disable next-line ArrowFunction: nothing is as false
    return this.#post('schedule', body, () => false);
  }

  async #post(
    endpoint: 'process' | 'schedule',
    body: string | Buffer,
    contradicts: (answer: ContradictingAnswer) => boolean,
  ) {
    const { journal, clock, client } = this.#context;
    this.#isScheduled = false;
    const outcome = await sendWithRetry(this.#context, {
      ...this.#run.plan.key,
      step: 'process',
      isProcess: true,
      contradicts,
      afterUnknown: this.unknown,
      lostRepeats: () => 0,
      before: () => this.#intend(),
      send: (signal) =>
        client.post(endpoint, body, { signal, key: this.#run.plan.key, about: this.#run.sent }),
      missed: (answer, unknown) =>
        this.#context.record(journal.settle(this.#ref, missedSettlement(answer, unknown, clock.now()))),
    });
    if (outcome.kind === 'lost') {
      this.unknown = true;
      this.lost += 1;
      this.quietUntil = outcome.quietUntil;
    }
    return outcome;
  }

  /** The account exists, and an attempt of this journal may have created it. */
  async isOurs(): Promise<boolean> {
    return this.unknown || (await this.#wasLostBefore());
  }

  /** Whether some attempt of this journal had an unknown outcome, even if a later one was refused. */
  async #wasLostBefore(): Promise<boolean> {
    let newest: PartEntry | undefined;
    for await (const attempt of this.#context.journal.attempts(this.#run.progress.id)) {
      if (attempt.step !== 'process') continue;
      if (newest?.state === 'sent') return true;
      newest = attempt;
    }
    // The newest may be the one whose answer is being read.
    return newest?.state === 'sent' && newest.outcome !== undefined;
  }

  /** Whether the platform has acknowledged the submission that is open (import v2). */
  get isScheduled(): boolean {
    return this.#isScheduled;
  }

  /** The platform has a task that will create the account. `status`: of the answer that says so. */
  scheduled(status: number | undefined): void {
    this.unknown = true;
    this.#isScheduled = true;
    this.quietUntil = Math.max(this.quietUntil, this.#context.quiet.afterLoss(this.#sentAt));
    this.settle('sent', scheduledOutcome, { status });
  }

  /** Whether an earlier task of the account has ended without creating it. */
  async hadTask(): Promise<boolean> {
    for await (const { step, outcome } of this.#context.journal.attempts(this.#run.progress.id))
      // Stryker disable next-line ConditionalExpression: no other step has a task
      if (step === 'process' && (outcome === 'errored' || outcome === 'cancelled')) return true;
    return false;
  }

  created(krakenAccountNumber: string, status: number): ProcessResult {
    this.#run.progress.isCreatedNow = true;
    this.settle('done', 'ok', { status });
    return { state: 'done', krakenAccountNumber, createdFrom: this.#hash };
  }

  /** The answer has the number of another account: it is not known whether this one was created. */
  doubt(status: number): void {
    this.unknown = true;
    this.lost += 1;
    this.quietUntil = this.#context.quiet.afterLoss(this.#sentAt);
    this.settle('sent', 'unknown', { status, code: numberOfAnotherAccount });
  }

  /** `isKnown`: a recorded attempt created it; the data of an account that another journal or others created is not known. */
  adopted(krakenAccountNumber: string, isKnown: boolean): ProcessResult {
    const isInDoubt = this.#run.progress.inDoubtSince !== undefined;
    if (isKnown) this.settle('done', 'confirmed');
    else this.settle('done', isInDoubt ? restoredOutcome : adoptedOutcome, { money: writeMoney(undefined) });
    return { state: 'done', krakenAccountNumber, createdFrom: this.#hash };
  }

  uncertain(code: string): ProcessResult {
    this.settle('uncertain', 'unknown', { code });
    return { state: 'uncertain', code, problems: [] };
  }

  settle(
    state: 'done' | 'refused' | 'uncertain' | 'failed' | 'sent',
    outcome: string,
    more: Omit<Settlement, 'state' | 'outcome' | 'at'> = {},
  ): void {
    const { journal, clock, record } = this.#context;
    const settlement = { ...more, state, outcome, at: clock.now() };
    // An account that was found on the platform has no attempt of ours to settle. One write: if the journal is gone,
    // an intent is refused, and there would be nothing to settle.
    record(
      this.#recorded
        ? journal.settle(this.#ref, settlement)
        : journal.recordSent(this.#ref, this.#intent(this.#run.progress.stagedHash), settlement),
    );
  }

  #intend(): Promise<void> {
    return this.#context.journal.intend(this.#ref, this.#intent());
  }

  #intent(hash = this.#run.payloadHash): Intent {
    this.#recorded = true;
    this.#sentAt = this.#context.clock.monotonic();
    this.#hash = hash;
    const { payloadHash, plan } = this.#run;
    const own =
      hash === payloadHash
        ? { money: plan.money, prints: plan.fields }
        : { money: writeMoney(undefined), prints: undefined };
    return { hash, run: this.#context.run, at: this.#context.clock.now(), ...own };
  }

  get #ref() {
    return { accountId: this.#run.progress.id, step: 'process', part: 0 } as const;
  }
}
