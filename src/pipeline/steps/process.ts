import type { AccountRun } from '../account/account-run.ts';
import type { RunContext } from '../run/context.ts';
import { isJsonObject, type JsonValue } from '../../domain/json.ts';
import { writeMoney } from '../../domain/money.ts';
import { isProcessOpen, isStaged } from '../account/standing.ts';
import type { Intent, PartEntry, Settlement } from '../../journal/journal.ts';
import { saysAbsent } from '../account/contradiction.ts';
import { sendWithRetry } from '../request/send-with-retry.ts';
import { adoptedOutcome, restoredOutcome } from '../account/open-attempts.ts';
import { missedSettlement, refusedBy, wordsOf } from '../request/part.ts';
import { atRest } from '../request/quiet-period.ts';
import { createdMeanwhile, createdUnrecorded, numberOfAnotherAccount } from '../../domain/shared-codes.ts';
import { settleNumber } from '../numbers/settle-number.ts';
import { askTransferStatus, type SettledStatus } from './transfer-status.ts';
import { saysAlreadyImported, stage, supplierNotOngoing } from './stage.ts';
import { judged, stopped, type StepResult } from './step-result.ts';

/**
 * The account exists with this number, made from data with this fingerprint; or the reason why not, and the step at
 * which it ended.
 */
export type ProcessResult =
  | { readonly state: 'done'; readonly krakenAccountNumber: string; readonly createdFrom: string }
  | (StepResult & {
      readonly state: Exclude<StepResult['state'], 'done'>;
      readonly step?: 'validate' | 'stage' | undefined;
    });

/**
 * Creates the account from its staged data (endpoint 3), once. A repeat after a success is a 400, so an attempt of
 * unknown outcome is settled by account-transfer-status before anything is sent again.
 */
export async function createAccount(context: RunContext, run: AccountRun): Promise<ProcessResult> {
  const { progress, payloadHash } = run;
  const { settings } = context;
  const part = new ProcessPart(context, run);
  let restaged = false;
  let isStagedNow = false;
  for (;;) {
    if (part.unknown) {
      const status = await askTransferStatus(context, run, { isLost: true, quietUntil: part.quietUntil });
      const ended = await endedBy(context, run, part, status);
      if (ended !== undefined) return ended;
      if (status.kind === 'missing') await progress.forgetStaged();
    }
    // A dry run or a lost answer may have left other data staged.
    if (!isStaged(progress, payloadHash)) {
      if (!settings.steps.has('stage')) return notDone(stopped);
      const staged = await stage(context, run);
      if (staged.state === 'already-imported')
        return existsAlready(context, run, part, staged.krakenAccountNumber);
      if (staged.state !== 'done') return notDone(staged, 'stage');
      isStagedNow = true;
      // What can be staged was never created.
      if (progress.inDoubtSince !== undefined) await progress.change({ isSettled: true });
    }
    if (!settings.steps.has('process')) return notDone(stopped);
    // Every answer was lost: the next run asks first.
    if (part.lost >= settings.retry.attempts) return { state: 'failed', code: 'lost_answer', problems: [] };
    const outcome = await part.send(isStagedNow);
    if (outcome.kind === 'stopped') return notDone(stopped);
    if (outcome.kind === 'gave-up') return { state: 'failed', code: outcome.cause, problems: [] };
    if (outcome.kind === 'lost') continue;
    const { answer } = outcome;
    if (answer.kind === 'ok') {
      const number = numberIn(answer.body);
      if (await context.numbers.claim(run, number)) return part.created(number, answer.status);
      // The answer is about another account, or the other account got this one's: the status decides.
      part.doubt(answer.status);
      continue;
    }
    const verdict = refusedBy(answer);
    const isCreatedMeanwhile = isStagedNow && saysAlreadyImported(answer.refusal) && !settings.adopt;
    if (isCreatedMeanwhile && !(await part.isOurs())) {
      context.contradictions.add(progress.id, run.plan.key, { is: 'created', isOfThisRun: true });
      return part.uncertain(createdMeanwhile);
    }
    // A server that does not know the staged data may not know either that an earlier attempt created the account.
    part.settle(saysAbsent(answer) ? 'sent' : 'refused', answer.kind, {
      status: answer.status,
      code: verdict.code,
      words: wordsOf(context, answer, run.sent),
    });
    if (saysAbsent(answer) && !restaged) {
      restaged = true;
      await progress.forgetStaged();
      continue;
    }
    if (saysAlreadyImported(answer.refusal))
      return existsAlready(context, run, part, answer.refusal.krakenAccountNumber);
    if (supplierNotOngoing(context, run, verdict)) return notDone(stopped);
    return notDone(judged(verdict));
  }
}

/**
 * Whether an account in doubt was created since the backup from which the journal was restored; nothing is sent
 * before that is known. undefined: its status says that it was not, so none of its history can have been sent either. The
 * status does not name its account: the doubt lasts until the platform stages it.
 */
export async function createdSinceBackup(
  context: RunContext,
  run: AccountRun,
  restoredAt: number,
): Promise<ProcessResult | undefined> {
  const part = new ProcessPart(context, run);
  const status = await askTransferStatus(context, run, {
    isLost: part.unknown,
    quietUntil: Math.max(part.quietUntil, context.quiet.ofRecorded({ run: context.run, sentAt: restoredAt })),
  });
  const ended = await endedBy(context, run, part, status);
  // It is not known what is staged now either.
  if (ended === undefined) await run.progress.forgetStaged();
  return ended;
}

/** What the account's status says about attempts of unknown outcome; undefined: they created no account. */
async function endedBy(
  context: RunContext,
  run: AccountRun,
  part: ProcessPart,
  status: SettledStatus,
): Promise<ProcessResult | undefined> {
  switch (status.kind) {
    case 'completed':
      return adopted(context, run, part, status.krakenAccountNumber);
    case 'uncertain':
      return part.uncertain(status.code);
    case 'failed':
      return { state: 'failed', code: status.code, problems: [] };
    case 'stopped':
      return notDone(stopped);
    case 'absent':
    case 'missing':
      return undefined;
  }
}

/** The process attempts of one account: what was sent, and what is recorded. */
class ProcessPart {
  /** Whether an attempt left, in this run or another, with an unknown outcome. */
  unknown: boolean;
  /** Until when an attempt may be under way; ms on the monotonic clock. */
  quietUntil: number;
  /** Answers lost in this run. */
  lost = 0;
  /** Fingerprint of the data from which the last attempt was to create the account. */
  #hash: string;
  #recorded: boolean;
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
  }

  /**
   * Sends until the platform has answered; what certainly had no effect is repeated, a lost answer is `lost`.
   * `isStagedNow`: the platform acknowledged the staged data in this run.
   */
  async send(isStagedNow: boolean) {
    const { journal, clock, client, settings } = this.#context;
    const { supplier, account } = this.#run.plan.key;
    const body = JSON.stringify({
      external_account_number: account,
      import_supplier_code: supplier,
      // A tenancy may allocate teams itself.
      operations_team_name: settings.team === '' ? undefined : settings.team,
    });
    const outcome = await sendWithRetry(this.#context, {
      account,
      supplier,
      step: 'process',
      isProcess: true,
      contradicts: (answer) => isStagedNow && saysAbsent(answer),
      afterUnknown: this.unknown,
      lostRepeats: () => 0,
      before: () => this.#intend(),
      send: (signal) =>
        client.post('process', body, { signal, key: this.#run.plan.key, about: this.#run.sent }),
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
    state: 'done' | 'refused' | 'uncertain' | 'sent',
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
    const money = hash === payloadHash ? plan.money : writeMoney(undefined);
    return { hash, run: this.#context.run, at: this.#context.clock.now(), money };
  }

  get #ref() {
    return { accountId: this.#run.progress.id, step: 'process', part: 0 } as const;
  }
}

/**
 * The platform has the account: ours if an attempt was lost or may have been sent since the backup, adopted if the user
 * allows it, otherwise skipped.
 */
async function existsAlready(
  context: RunContext,
  run: AccountRun,
  part: ProcessPart,
  number: string | undefined,
): Promise<ProcessResult> {
  const isKnown = await part.isOurs();
  // A run that a restored journal does not contain may have created it.
  const isOurs = isKnown || run.progress.inDoubtSince !== undefined;
  if (!isOurs && !context.settings.adopt) {
    if (await isUnrecorded(context, run)) return part.uncertain(createdUnrecorded);
    return { state: 'skipped', code: 'already_imported', problems: [] };
  }
  if (number !== undefined && (await context.numbers.claim(run, number)))
    return part.adopted(number, isKnown);
  const status = await askTransferStatus(context, run, { isLost: part.unknown, quietUntil: atRest });
  if (status.kind === 'completed') return adopted(context, run, part, status.krakenAccountNumber, isKnown);
  if (status.kind === 'stopped') return notDone(stopped);
  if (status.kind === 'failed') return { state: 'failed', code: status.code, problems: [] };
  return part.uncertain(number === undefined ? 'already_imported_without_number' : numberOfAnotherAccount);
}

/**
 * Whether the account was created since the journal last recorded something: by a run that it does not contain, or by another
 * journal. What can be staged was not there before. What of it cannot be repeated is held back.
 */
async function isUnrecorded(context: RunContext, run: AccountRun): Promise<boolean> {
  const { contradictions } = context;
  const { plan, progress } = run;
  const createdAt = await contradictions.createdSince(plan.key);
  const wasStaged = progress.parts.some(({ step, state }) => step === 'stage' && state === 'done');
  if (createdAt === undefined && !wasStaged) return false;
  contradictions.add(progress.id, plan.key, { is: 'created', isOfThisRun: false, createdAt });
  await run.holdBack();
  return true;
}

/** The status says that the platform has the account with this number: accepted unless another account has it too. */
async function adopted(
  context: RunContext,
  run: AccountRun,
  part: ProcessPart,
  number: string,
  // A refused attempt did not create it.
  isKnown = part.unknown,
): Promise<ProcessResult> {
  if (await context.numbers.claim(run, number)) return part.adopted(number, isKnown);
  const settled = await settleNumber(context, run, number);
  switch (settled.kind) {
    case 'ours':
      return part.adopted(settled.krakenAccountNumber, isKnown);
    case 'contested':
      // So that the next account that gets it is found to share it.
      run.progress.carry({ krakenAccountNumber: number });
      return part.uncertain(numberOfAnotherAccount);
    case 'failed':
      return { state: 'failed', code: settled.code, problems: [] };
    case 'stopped':
      return notDone(stopped);
  }
}

/** A created account was found to share its number with another one. */
export function contested(context: RunContext, run: AccountRun): ProcessResult {
  return new ProcessPart(context, run, true).uncertain(numberOfAnotherAccount);
}

/**
 * For an account that was created in an earlier run: its number, or the findings if another account has it. If
 * nothing can be found out now, no problem is known, and it stays unchanged.
 */
export async function confirmNumber(
  context: RunContext,
  run: AccountRun,
  created: Extract<ProcessResult, { state: 'done' }>,
): Promise<ProcessResult> {
  if (await context.numbers.claim(run, created.krakenAccountNumber)) return created;
  const part = new ProcessPart(context, run);
  const status = await askTransferStatus(context, run, { isLost: false, quietUntil: atRest });
  if (status.kind === 'failed' || status.kind === 'stopped') return notDone(stopped);
  if (status.kind !== 'completed') return part.uncertain(numberOfAnotherAccount);
  const number = status.krakenAccountNumber;
  if (await context.numbers.claim(run, number)) return { ...created, krakenAccountNumber: number };
  const settled = await settleNumber(context, run, number);
  if (settled.kind === 'ours') return { ...created, krakenAccountNumber: settled.krakenAccountNumber };
  return settled.kind === 'contested' ? part.uncertain(numberOfAnotherAccount) : notDone(stopped);
}

function notDone(result: StepResult, step?: 'stage'): ProcessResult {
  if (result.state === 'done') throw new Error('a step that is done has a number');
  return { ...result, state: result.state, step };
}

function numberIn(body: JsonValue | undefined): string {
  const answer = isJsonObject(body) ? body : {};
  for (const number of [answer['kraken_account_number'], answer['account_number']])
    if (typeof number === 'string' && number.trim() !== '') return number.trim();
  throw new Error('the client let an answer without an account number pass');
}
