import type { AccountRun } from '../account/account-run.ts';
import type { RunContext } from '../run/context.ts';
import { isJsonObject, type JsonValue } from '../../domain/json.ts';
import { createdMeanwhile } from '../../domain/shared-codes.ts';
import { saysAbsent } from '../account/contradiction.ts';
import { isStaged } from '../account/standing.ts';
import { refusedBy, wordsOf } from '../request/part.ts';
import type { Said } from '../request/send-with-retry.ts';
import { endedBy, existsAlready } from './existing-account.ts';
import { ProcessPart } from './process-part.ts';
import { notDone, type ProcessResult } from './process-result.ts';
import { saysAlreadyImported, stage, supplierNotOngoing } from './stage.ts';
import { judged, stopped } from './step-result.ts';
import { askTransferStatus } from './transfer-status.ts';

/**
 * Creates the account from its staged data (endpoint 3), once. A repeat after a success is a 400, so an attempt of
 * unknown outcome is settled by account-transfer-status before anything is sent again.
 */
export function createAccount(context: RunContext, run: AccountRun): Promise<ProcessResult> {
  return new Creation(context, run).toItsEnd();
}

/**
 * What is to be done next: ask what became of an attempt of unknown outcome, stage the data, or have the account created
 * from it.
 */
type Next = 'ask' | 'stage' | 'process';

/** A method for each thing that is to be done; it says what comes after it, or how the creation ended. */
class Creation {
  readonly #context: RunContext;
  readonly #run: AccountRun;
  readonly #part: ProcessPart;
  /** Whether the platform acknowledged the staged data in this run. */
  #isStagedNow = false;
  /** Whether the data was staged again because the platform did not know it. */
  #isRestaged = false;

  constructor(context: RunContext, run: AccountRun) {
    this.#context = context;
    this.#run = run;
    this.#part = new ProcessPart(context, run);
  }

  async toItsEnd(): Promise<ProcessResult> {
    let next: Next | ProcessResult = this.#next();
    while (typeof next === 'string') next = await this.#do(next);
    return next;
  }

  #do(next: Next): Promise<Next | ProcessResult> {
    switch (next) {
      case 'ask':
        return this.#ask();
      case 'stage':
        return this.#stage();
      case 'process':
        return this.#process();
    }
  }

  #next(): Next {
    return this.#part.unknown ? 'ask' : this.#nextToSend();
  }

  /** A dry run or a lost answer may have left other data staged. */
  #nextToSend(): Next {
    return isStaged(this.#run.progress, this.#run.payloadHash) ? 'process' : 'stage';
  }

  async #ask(): Promise<Next | ProcessResult> {
    const { quietUntil } = this.#part;
    const status = await askTransferStatus(this.#context, this.#run, { isLost: true, quietUntil });
    const ended = await endedBy(this.#context, this.#run, this.#part, status);
    if (ended !== undefined) return ended;
    if (status.kind === 'missing') await this.#run.progress.forgetStaged();
    return this.#nextToSend();
  }

  async #stage(): Promise<Next | ProcessResult> {
    const { progress } = this.#run;
    if (!this.#context.settings.steps.has('stage')) return notDone(stopped);
    const staged = await stage(this.#context, this.#run);
    if (staged.state === 'already-imported')
      return existsAlready(this.#context, this.#run, this.#part, staged.krakenAccountNumber);
    if (staged.state !== 'done') return notDone(staged, 'stage');
    this.#isStagedNow = true;
    // What can be staged was never created.
    // Stryker disable next-line ConditionalExpression: without a doubt there is none to end
    if (progress.inDoubtSince !== undefined) await progress.change({ isSettled: true });
    return 'process';
  }

  async #process(): Promise<Next | ProcessResult> {
    const { settings, numbers } = this.#context;
    if (!settings.steps.has('process')) return notDone(stopped);
    // Every answer was lost: the next run asks first.
    if (this.#part.lost >= settings.retry.attempts)
      return { state: 'failed', code: 'lost_answer', problems: [] };
    const outcome = await this.#part.send(this.#isStagedNow);
    switch (outcome.kind) {
      case 'stopped':
        return notDone(stopped);
      case 'gave-up':
        return { state: 'failed', code: outcome.cause, problems: [] };
      case 'lost':
        return this.#next();
      case 'said': {
        const { answer } = outcome;
        if (answer.kind !== 'ok') return this.#refused(answer);
        const number = numberIn(answer.body);
        if (await numbers.claim(this.#run, number)) return this.#part.created(number, answer.status);
        // The answer is about another account, or the other account got this one's: the status decides.
        this.#part.doubt(answer.status);
        return this.#next();
      }
    }
  }

  async #refused(answer: Exclude<Said<unknown>, { kind: 'ok' }>): Promise<Next | ProcessResult> {
    const verdict = refusedBy(answer);
    const { refusal, status, kind } = answer;
    if (saysAlreadyImported(refusal) && (await this.#isCreatedMeanwhile())) {
      const { progress, plan } = this.#run;
      this.#context.contradictions.add(progress.id, plan.key, { is: 'created', isOfThisRun: true });
      return this.#part.uncertain(createdMeanwhile);
    }
    // A server that does not know the staged data may not know either that an earlier attempt created the account.
    const words = wordsOf(this.#context, answer, this.#run.sent);
    this.#part.settle(saysAbsent(answer) ? 'sent' : 'refused', kind, { status, code: verdict.code, words });
    if (saysAbsent(answer) && !this.#isRestaged) {
      // Stryker disable next-line BooleanLiteral: of data staged in this run, send takes no denial
      this.#isRestaged = true;
      await this.#run.progress.forgetStaged();
      return this.#next();
    }
    if (saysAlreadyImported(refusal))
      return existsAlready(this.#context, this.#run, this.#part, refusal.krakenAccountNumber);
    return notDone(supplierNotOngoing(this.#context, this.#run, verdict) ? stopped : judged(verdict));
  }

  /** The account was not there when its data was staged, and no attempt of this journal can have created it since. */
  async #isCreatedMeanwhile(): Promise<boolean> {
    return this.#isStagedNow && !this.#context.settings.adopt && !(await this.#part.isOurs());
  }
}

function numberIn(body: JsonValue | undefined): string {
  const answer = isJsonObject(body) ? body : {};
  for (const number of [answer['kraken_account_number'], answer['account_number']])
    if (typeof number === 'string' && number.trim() !== '') return number.trim();
  // Stryker disable next-line StringLiteral: the client lets none pass
  throw new Error('the client let an answer without an account number pass');
}
