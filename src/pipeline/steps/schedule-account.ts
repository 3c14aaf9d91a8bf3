import type { TaskStatusBody } from '../../client/platform-client.ts';
import { failedValidationCode } from '../../contract/scheduled-import.ts';
import type { AccountRun } from '../account/account-run.ts';
import { refusedBy, wordsOf } from '../request/part.ts';
import { atRest } from '../request/quiet-period.ts';
import type { Said } from '../request/send-with-retry.ts';
import type { RunContext } from '../run/context.ts';
import { endedBy, existsAlready } from './existing-account.ts';
import { ProcessPart } from './process-part.ts';
import { notDone, type ProcessResult } from './process-result.ts';
import { saysAlreadyImported, supplierNotOngoing } from './stage.ts';
import { judged, stopped, type StepResult } from './step-result.ts';
import { askTask } from './ask-task.ts';
import { taskProblems } from './task-problems.ts';
import { taskMeaning, type TaskMeaning } from './task-meaning.ts';
import { scheduleBody } from './schedule-body.ts';
import { validate } from './validate.ts';

/**
 * Creates the account by a task of the platform (import v2): submits it, and waits until it was processed. An attempt of unknown
 * outcome is settled by the task's status before anything is sent again. The run may end meanwhile: the account is
 * `scheduled` then, and the next run asks. `restoredAt`: the journal was restored then, and may lack a submission.
 */
export function scheduleAccount(
  context: RunContext,
  run: AccountRun,
  restoredAt?: number,
): Promise<ProcessResult> {
  return new Scheduling(context, run, restoredAt).toItsEnd();
}

type Next = 'ask' | 'submit';

/** A method for each thing that is to be done; it says what comes after it, or how it ended. */
class Scheduling {
  readonly #context: RunContext;
  readonly #run: AccountRun;
  readonly #part: ProcessPart;
  readonly #restoredAt: number | undefined;
  /** Since when this run waits, and since when the task exists as far as it knows; on the monotonic clock. */
  readonly #since: number;
  #submissions = 0;
  #questions = 0;
  /** Whether the account is counted among those that are scheduled. */
  #isCounted: boolean;
  /** Since when the platform knows of no task that it acknowledged. */
  #missingSince: number | undefined;
  /** The word that was told last. */
  #told: string | undefined;

  constructor(context: RunContext, run: AccountRun, restoredAt: number | undefined) {
    this.#context = context;
    this.#run = run;
    this.#part = new ProcessPart(context, run);
    this.#restoredAt = restoredAt;
    this.#since = context.clock.monotonic();
    this.#isCounted = run.progress.state === 'scheduled';
    if (this.#isCounted) context.tasks.resume();
  }

  async toItsEnd(): Promise<ProcessResult> {
    // A crash may have kept its row from saying what is known of its submission.
    // Stryker disable next-line ConditionalExpression,StringLiteral: what is scheduled may be recorded so again
    if (this.#part.isScheduled && this.#run.progress.state !== 'scheduled') this.#enter();
    // Stryker disable next-line StringLiteral: what is not asked is submitted
    let next: Next | ProcessResult = this.#part.unknown || this.#restoredAt !== undefined ? 'ask' : 'submit';
    while (typeof next === 'string') next = await (next === 'ask' ? this.#ask() : this.#submit());
    if (this.#isCounted) this.#context.tasks.leaveToNext();
    return next;
  }

  async #submit(): Promise<Next | ProcessResult> {
    const { settings } = this.#context;
    const { progress } = this.#run;
    if (!settings.steps.has('process')) return notDone(stopped);
    // Every answer was lost, or nothing that was acknowledged stayed: the next run asks first.
    if (this.#submissions >= settings.retry.attempts)
      return { state: 'failed', code: 'lost_answer', problems: [] };
    // Stryker disable next-line ConditionalExpression: without a doubt there is none to end
    if (progress.inDoubtSince !== undefined) await progress.change({ isSettled: true });
    if (!(await this.#roomForOne())) return notDone(stopped);
    this.#submissions += 1;
    const outcome = await this.#part.submit(scheduleBody(this.#context, this.#run));
    switch (outcome.kind) {
      case 'stopped':
      case 'gave-up':
        if (!outcome.unknown) this.#uncount();
        return outcome.kind === 'stopped'
          ? notDone(stopped)
          : { state: 'failed', code: outcome.cause, problems: [] };
      case 'lost':
        return 'ask';
      case 'said': {
        const { answer } = outcome;
        if (answer.kind !== 'ok') return this.#refused(answer);
        this.#part.scheduled(answer.status);
        this.#questions = 0;
        this.#record();
        return 'ask';
      }
    }
  }

  /** Its submission is acknowledged, and it was not recorded as scheduled. */
  #enter(): void {
    this.#isCounted = this.#isCounted || this.#context.tasks.take();
    this.#record();
  }

  #record(): void {
    void this.#run.progress.change({ state: 'scheduled', code: '', steps: { process: 'pending' } });
  }

  #uncount(): void {
    if (this.#isCounted) this.#context.tasks.leave();
    this.#isCounted = false;
  }

  /** Waits until the platform has fewer tasks than are allowed; false if the run ends first. */
  async #roomForOne(): Promise<boolean> {
    const { tasks, settings, flow } = this.#context;
    const place = { account: this.#run.plan.key.account, step: 'process' } as const;
    // In its place, so that no other account starts meanwhile.
    while (!this.#isCounted && !tasks.take()) {
      if (!tasks.hasRoom) {
        tasks.passOver();
        return false;
      }
      // Stryker disable next-line BooleanLiteral: a run that has ended submits nothing
      if (!(await flow.waitInPlace(place, settings.patience.statusPollMs))) return false;
    }
    this.#isCounted = true;
    return true;
  }

  async #refused(answer: Exclude<Said<unknown>, { kind: 'ok' }>): Promise<ProcessResult> {
    const verdict = refusedBy(answer);
    const { refusal, status, kind } = answer;
    const words = wordsOf(this.#context, answer, this.#run.sent);
    this.#uncount();
    this.#part.settle('refused', kind, { status, code: verdict.code, words });
    if (saysAlreadyImported(refusal))
      return existsAlready(this.#context, this.#run, this.#part, refusal.krakenAccountNumber);
    if (supplierNotOngoing(this.#context, this.#run, verdict)) return notDone(stopped);
    const particulars = verdict.code === failedValidationCode ? await this.#particulars() : undefined;
    return notDone(particulars ?? judged(verdict));
  }

  /** What validate says of the data, if it refuses it. */
  async #particulars(): Promise<StepResult | undefined> {
    const validated = await validate(this.#context, this.#run);
    return validated.state === 'refused' ? validated : undefined;
  }

  async #ask(): Promise<Next | ProcessResult> {
    if (this.#part.isScheduled && !(await this.#untilUseful())) return this.#leave();
    const asked = await askTask(this.#context, this.#run, this.#part.unknown);
    if (asked.kind === 'stopped') return this.#leave();
    if (asked.kind === 'failed') return { state: 'failed', code: asked.code, problems: [] };
    this.#questions += 1;
    const { task } = asked;
    return this.#follow(await this.#meaningOf(task), task);
  }

  async #meaningOf(task: TaskStatusBody | undefined): Promise<TaskMeaning> {
    const { clock, settings, quiet, run } = this.#context;
    const now = clock.monotonic();
    this.#missingSince = task === undefined ? (this.#missingSince ?? now) : undefined;
    const restored =
      this.#restoredAt === undefined ? atRest : quiet.ofRecorded({ run, sentAt: this.#restoredAt });
    return taskMeaning(task, {
      isOpen: this.#part.unknown,
      isAcknowledged: this.#part.isScheduled,
      hadTask: await this.#part.hadTask(),
      isQuiet: now >= Math.max(this.#part.quietUntil, restored),
      isCaughtUp: now >= (this.#missingSince ?? now) + settings.patience.laggingMs,
    });
  }

  async #follow(meaning: TaskMeaning, task: TaskStatusBody | undefined): Promise<Next | ProcessResult> {
    const { settings } = this.#context;
    switch (meaning.is) {
      case 'created':
        return this.#created(meaning.krakenAccountNumber);
      case 'waits':
        this.#tell(meaning.word);
        return this.#awaits();
      case 'unsettled': {
        const restMs = this.#part.quietUntil - this.#context.clock.monotonic();
        const waitMs = Math.min(Math.max(restMs, settings.patience.statusPollMs), settings.schedule.pollMs);
        return (await this.#wait(waitMs)) ? 'ask' : this.#leave();
      }
      case 'none':
        // Stryker disable next-line StringLiteral: what is not asked is submitted
        return 'submit';
      case 'uncertain':
        this.#uncount();
        return this.#part.uncertain(meaning.code);
      case 'cancelled':
        this.#uncount();
        this.#part.settle('failed', 'cancelled', { code: 'import_cancelled' });
        return { state: 'failed', code: 'import_cancelled', problems: [] };
      case 'errored':
        this.#uncount();
        return this.#errored(task);
    }
  }

  /** The task is there: the account is scheduled, whatever was known of its submission. */
  #awaits(): Next {
    if (!this.#part.isScheduled) {
      this.#part.scheduled(undefined);
      this.#enter();
    }
    return 'ask';
  }

  async #created(krakenAccountNumber: string): Promise<ProcessResult> {
    const { tasks, clock } = this.#context;
    const { progress } = this.#run;
    this.#uncount();
    if (this.#submissions > 0) {
      tasks.tookMs(clock.monotonic() - this.#since);
      progress.isCreatedNow = true;
    }
    const status = { kind: 'completed', krakenAccountNumber } as const;
    return (await endedBy(this.#context, this.#run, this.#part, status)) ?? notDone(stopped);
  }

  async #errored(task: TaskStatusBody | undefined): Promise<ProcessResult> {
    // Stryker disable next-line OptionalChaining: a task has ended
    const { code = '', detail = '' } = task?.error ?? {};
    const named = taskProblems(this.#run, code, detail);
    const own = code === '' ? 'import_errored' : code;
    this.#part.settle('refused', 'errored', { code: own, words: named.words });
    const problems = named.path === '' ? ((await this.#particulars())?.problems ?? []) : [];
    // Stryker disable next-line OptionalChaining: there is a first one
    if (problems.length > 0) return { state: 'refused', code: problems[0]?.code ?? own, problems };
    const problem = { code: own, path: named.path, detail, severity: 'error', request: 0 } as const;
    return { state: 'refused', code: own, problems: [problem] };
  }

  /** Waits until asking is useful; false if the run ends first, or has waited for long enough. */
  async #untilUseful(): Promise<boolean> {
    const { schedule } = this.#context.settings;
    const { tasks, clock } = this.#context;
    // A run that finds a scheduled account asks at once.
    if (this.#questions === 0 && this.#submissions === 0) return true;
    const untilStart = (schedule.startAt ?? 0) - clock.now();
    const ageMs = clock.monotonic() - this.#since;
    const waitMs = Math.max(tasks.waitBefore(this.#questions, ageMs), untilStart);
    if (ageMs + waitMs > schedule.waitMs && this.#questions > 0) return false;
    if (untilStart > schedule.waitMs) return false;
    return this.#mayWait() && this.#wait(waitMs);
  }

  #mayWait(): boolean {
    const { clock, settings } = this.#context;
    return clock.monotonic() - this.#since < settings.schedule.waitMs;
  }

  #wait(ms: number): Promise<boolean> {
    return this.#context.flow.waitAside({ account: this.#run.plan.key.account, step: 'process' }, ms);
  }

  /** The next run asks. */
  #leave(): ProcessResult {
    return notDone(stopped);
  }

  #tell(word: string | undefined): void {
    if (word === undefined || word === this.#told) return;
    this.#told = word;
    this.#context.emit({ type: 'unknown-status', account: this.#run.plan.key.account, status: word });
  }
}
