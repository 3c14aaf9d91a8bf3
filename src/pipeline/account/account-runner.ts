import { relative } from 'node:path';
import type { AccountState } from '../../domain/account-state.ts';
import type { Cell } from '../../domain/cell.ts';
import { isCorrected } from '../../domain/corrected.ts';
import type { Problem } from '../../domain/problem.ts';
import { extraStepNames, isExtraStep, type StepName } from '../../domain/steps.ts';
import type { AccountChange, AccountEntry, RecordedProblem, Superseded } from '../../journal/journal.ts';
import { AccountProgress } from './account-progress.ts';
import { addSteps, type Hear } from './add-steps.ts';
import { sentAbout, type AccountRun } from './account-run.ts';
import { takeForSent } from './restore-recovery.ts';
import type { RunContext } from '../run/context.ts';
import { decide, isChanged, isProcessOpen, isValidated, stepsInLine, wasCreatedFrom } from './decision.ts';
import { localRefusal, type PlanPrint } from '../hash.ts';
import { holdBack } from './hold-back.ts';
import { inAccount } from '../check/in-account.ts';
import type { ReadyPlan } from './ready-plan.ts';
import type { AccountEnded } from '../run/run-events.ts';
import { dryRun } from '../steps/dry-run.ts';
import { outstandingOf } from '../steps/extra-steps.ts';
import {
  confirmNumber,
  contested,
  createAccount,
  createdSinceBackup,
  type ProcessResult,
} from '../steps/process.ts';
import {
  changedAfterImport,
  journalContradicted,
  numberOfAnotherAccount,
} from '../../domain/shared-codes.ts';
import { uncertainCells } from '../steps/sent-cells.ts';
import type { ChangeCause } from '../../domain/change-cause.ts';
import { changeCause, namingCause } from './change-cause.ts';
import { changedSince } from '../steps/recorded-parts.ts';
import { stage } from '../steps/stage.ts';
import type { StepResult } from '../steps/step-result.ts';
import { validate } from '../steps/validate.ts';
import { replacedBy, supersededData, supersededWarning } from './superseded-data.ts';
import { accountResult } from './account-result.ts';

/** How an account ends in this run. Its state is durable in the journal when this is returned. */
type Ending = Pick<
  AccountEnded,
  'state' | 'code' | 'driven' | 'wouldImport' | 'isRefused' | 'isSuperseded'
> & {
  krakenAccountNumber?: string;
};

/** Runs one account as far as possible, from its state in the journal. */
export async function runAccount(context: RunContext, plan: ReadyPlan): Promise<AccountEnded> {
  const drive = new AccountRunner(context, plan);
  const ending = await drive.toItsEnd();
  const { changedBy } = drive;
  const why = ending.code === changedAfterImport ? { changedBy } : {};
  const event: AccountEnded = { type: 'account', ...plan.key, ...ending, ...why };
  context.emit(event);
  return event;
}

class AccountRunner {
  readonly #context: RunContext;
  readonly #plan: ReadyPlan;
  readonly #problems: Problem[] = [];
  /** Why the steps of this run are not done. */
  readonly #codes = new Map<StepName, string>();
  readonly #print: PlanPrint;
  /** Why its data differs from what was sent, if that is certain. */
  #changedBy: ChangeCause | undefined;
  /** Whether a run has seen the current plan. */
  #isKnown = false;
  /** Whether an earlier run sent its process request, and none has completed it. */
  #isHalfWay = false;

  constructor(context: RunContext, plan: ReadyPlan) {
    this.#context = context;
    this.#plan = plan;
    this.#print = plan.print;
  }

  get changedBy(): ChangeCause | undefined {
    return this.#changedBy;
  }

  async toItsEnd(): Promise<Ending> {
    const { settings } = this.#context;
    const firstError = this.#plan.problems.find((problem) => problem.severity === 'error');
    // Without a supplier no record of the account is possible.
    if (this.#plan.key.supplier === '') {
      this.#reportAll();
      return { state: 'rejected', code: firstError?.code ?? '', driven: false, wouldImport: false };
    }

    const entry = await this.#context.open(this.#plan);
    this.#changedBy = changeCause(entry, this.#plan, this.#context.mapping);
    const progress = new AccountProgress(this.#context, entry);
    this.#isHalfWay = entry.parts.some(({ step }) => step === 'process') && entry.state !== 'completed';
    const { payloadBody, payloadHash } = this.#print;
    const isSound = firstError === undefined;
    // A plan that was refused here counts as changed when it passes, even if only a rule changed.
    const planHash = isSound ? this.#print.planHash : `${this.#print.planHash}${localRefusal}`;
    const { journal } = this.#context;
    const recorded = await supersededData(journal, entry, planHash, this.#place);
    if (recorded === undefined && this.#plan.isUnnamed === true && !settings.dryRun)
      this.#context.record(journal.supersede(entry.id, planHash, undefined));
    const superseded = recorded ?? (this.#plan.isUnnamed === true ? { isTold: false } : undefined);
    if (superseded !== undefined) {
      await this.#warnSuperseded(entry, superseded, planHash);
      const ended = { ...ending(progress, entry.state, entry.code, false), isSuperseded: true } as const;
      // This data cannot complete it: somebody must run the fix again.
      return entry.state === 'completed' ? ended : { ...ended, isRefused: true };
    }
    this.#reportAll();
    if (this.#plan.fix !== undefined && isSound && !settings.dryRun) await this.#supersedeReplaced(entry);
    const today = { planHash, payloadHash, isSound, rows: this.#plan.rows?.found };
    const isNew = isChanged(entry, today);
    this.#isKnown = !isNew;
    const decision = decide(entry, today, settings);
    if (decision === 'keep') {
      await this.#noteRefused(progress, entry, firstError?.code ?? '');
      return { ...ending(progress, entry.state, firstError?.code ?? '', false), isRefused: true };
    }
    if (decision === 'refuse') {
      if (isNew && !settings.dryRun) await this.#registerPlan(entry, progress, planHash);
      return this.#end(progress, 'rejected', firstError?.code ?? '');
    }
    const isLeft = decision === 'leave' && !(await this.#sharesNumber(progress));
    if (isLeft && entry.state === 'completed' && (this.#plan.fix !== undefined || entry.code !== '')) {
      await this.#noteSound(progress, entry);
      return ending(progress, entry.state, '', false);
    }
    if (isLeft || !this.#context.admit()) return ending(progress, entry.state, entry.code, false);

    const sent = sentAbout(this.#plan);
    const driven = { plan: this.#plan, progress, payloadBody, payloadHash, sent };
    const run = { ...driven, holdBack: () => holdBack(this.#context, driven) };
    if (settings.dryRun && isCorrected(entry, planHash)) return ending(progress, 'completed', '', false);
    if (settings.dryRun) return this.#rehearse(run);
    if (isNew) await this.#registerPlan(entry, progress, planHash);
    if (isCorrected(entry, planHash)) return this.#endCorrected(progress);
    const { numbers } = this.#context;
    numbers.begin(run);
    const ended = await this.#drive(run);
    numbers.end(run);
    this.#context.contradictions.release(progress.id);
    return this.#restated(progress, ended);
  }

  /** The platform has the data, because a person put it there: nothing is sent. */
  #endCorrected(progress: AccountProgress): Promise<Ending> {
    const steps = { ...progress.steps };
    for (const step of extraStepNames) if (steps[step] !== 'none') steps[step] = 'done';
    return this.#end(progress, 'completed', '', steps);
  }

  /** The findings about its number between its last write and now. */
  #restated(progress: AccountProgress, ended: Ending): Ending | Promise<Ending> {
    const { krakenAccountNumber: told, ...rest } = ended;
    const { krakenAccountNumber, steps } = progress;
    if (steps.process === 'uncertain' && ended.state !== 'uncertain')
      return this.#end(progress, 'uncertain', numberOfAnotherAccount);
    return told === undefined || krakenAccountNumber === undefined ? ended : { ...rest, krakenAccountNumber };
  }

  /** A created account has the number of another one, which nobody has examined. */
  async #sharesNumber({ id, steps, krakenAccountNumber }: AccountProgress): Promise<boolean> {
    const { numbers } = this.#context;
    if (!numbers.areShared || steps.process !== 'done' || krakenAccountNumber === undefined) return false;
    return (await numbers.holders(krakenAccountNumber)).some((holder) => holder.id !== id);
  }

  /** Makes a new or changed plan pending. */
  async #registerPlan(entry: AccountEntry, progress: AccountProgress, planHash: string): Promise<void> {
    const { journal, platform, record } = this.#context;
    const replaced = replacedBy(entry, this.#place);
    // After a crash here, the old data is the account's own, not replaced by a fix.
    if (replaced !== undefined && !this.#isThere(entry))
      record(journal.supersede(entry.id, replaced, await this.#cellOfFix()));
    const state = progress.state === 'completed' ? { state: 'imported' as const } : {};
    progress.carry({
      ...state,
      steps: stepsInLine(this.#plan.isPlanned, progress.steps),
      planHash,
      dataFrom: { platform, place: this.#place },
    });
    // If a plan replaced another, the journal must say so before anything of it is sent.
    if (!progress.isNew) void progress.keep();
  }

  /** Whether all of the plan was sent before: then it is no fix, but what was there before the data that is refused. */
  #isThere(entry: AccountEntry): boolean {
    const { settings } = this.#context;
    const { steps, parts } = entry;
    if (isCorrected(entry, this.#print.planHash)) return true;
    return (
      steps.process === 'done' &&
      wasCreatedFrom({ parts }, this.#print.payloadHash) &&
      extraStepNames.every((step) => outstandingOf(step, this.#plan, parts, settings).requests.length === 0)
    );
  }

  async #drive(run: AccountRun): Promise<Ending> {
    const { progress } = run;
    const created = await this.#create(run);
    if (created.state === 'stopped') return leaving(progress);
    if (created.state !== 'done') {
      const step = created.step ?? 'process';
      await this.#hear(step, created);
      // In one write: an account with a refused step that is not itself marked would never be run again.
      const steps = created.state === 'skipped' ? {} : { [step]: created.state };
      return this.#end(progress, endState(created), created.code, steps);
    }

    const isResumed = this.#isHalfWay && !progress.isCreatedNow && progress.inDoubtSince === undefined;
    if (progress.inDoubtSince !== undefined) await takeForSent(this.#context, run, progress.inDoubtSince);
    const due = extraStepNames.filter((step) => this.#isDue(step, progress));
    // The record that it exists precedes everything that is added to it.
    if (due.length > 0) void progress.keep();
    const hear: Hear = (step, result) => this.#hear(step, result);
    if ((await addSteps(this.#context, run, due, { isResumed, hear })) === 'stopped')
      return this.#leave(progress);
    const { steps, parts } = progress;
    const isAsCreated = created.createdFrom === this.#print.payloadHash;
    if (!isAsCreated) await this.#trace('stage', changedSince('').problems);
    return this.#end(progress, ...accountResult({ steps, parts, codes: this.#codes, isAsCreated }));
  }

  /** The run drains: the account stays as it is, unless something of it was held back. */
  #leave(progress: AccountProgress): Promise<Ending> {
    const held = progress.parts.filter(({ state }) => state === 'uncertain').map(({ step }) => step);
    if (!this.#context.contradictions.holds(progress.id) || held.length === 0) return leaving(progress);
    const steps = Object.fromEntries(held.map((step) => [step, 'uncertain'] as const));
    return this.#end(progress, 'uncertain', journalContradicted, steps);
  }

  #isDue(step: StepName, { steps }: AccountProgress): boolean {
    return this.#context.settings.steps.has(step) && steps[step] !== 'none' && steps[step] !== 'done';
  }

  /** Runs those of validate, stage and process that are not done. */
  async #create(run: AccountRun): Promise<ProcessResult> {
    const { progress } = run;
    const { krakenAccountNumber } = progress;
    const prior = progress.prior('process');
    if (progress.steps.process === 'done' && krakenAccountNumber !== undefined)
      return this.#confirm(run, krakenAccountNumber);
    const isAsked = isProcessOpen(progress) && this.#context.settings.steps.has('process');
    if (prior?.state === 'uncertain' && !isAsked)
      return { state: 'uncertain', code: prior.code ?? '', problems: [] };

    const created = (await this.#createdSinceBackup(run)) ?? (await this.#createNow(run));
    if (created.state !== 'done') return created;
    const { numbers } = this.#context;
    progress.carry({
      state: 'imported',
      code: '',
      krakenAccountNumber: numbers.numberOf(run) ?? created.krakenAccountNumber,
      steps: { ...this.#doneBefore(progress, created.createdFrom), process: 'done' },
    });
    return numbers.isContested(run) ? contested(this.#context, run) : created;
  }

  /** Created in an earlier run, with this number. */
  async #confirm(run: AccountRun, krakenAccountNumber: string): Promise<ProcessResult> {
    const createdFrom = run.progress.prior('process')?.hash ?? this.#print.payloadHash;
    const created = { state: 'done', krakenAccountNumber, createdFrom } as const;
    const confirmed = await confirmNumber(this.#context, run, created);
    if (confirmed.state === 'done' && confirmed.krakenAccountNumber !== krakenAccountNumber)
      run.progress.carry({ krakenAccountNumber: confirmed.krakenAccountNumber });
    return confirmed;
  }

  /**
   * Steps that earlier runs did with the data that the account was created from: a crash may have prevented the
   * record in its row.
   */
  #doneBefore({ parts }: AccountProgress, hash: string): AccountChange['steps'] {
    const done = parts.filter(
      (part) => part.state === 'done' && part.hash === hash && !isExtraStep(part.step),
    );
    return Object.fromEntries(done.map(({ step }) => [step, 'done']));
  }

  async #createdSinceBackup(run: AccountRun): Promise<ProcessResult | undefined> {
    const { inDoubtSince } = run.progress;
    return inDoubtSince === undefined ? undefined : createdSinceBackup(this.#context, run, inDoubtSince);
  }

  async #createNow(run: AccountRun): Promise<ProcessResult> {
    const { progress } = run;
    // An attempt of unknown outcome is settled before anything is sent again, so validating has to wait for it.
    const isUnknown = isProcessOpen(progress);
    const isValid = isValidated(progress, this.#print.payloadHash);
    if (!isUnknown && !isValid && this.#context.settings.steps.has('validate')) {
      const validated = await validate(this.#context, run);
      if (validated.state !== 'done') return { ...validated, state: validated.state, step: 'validate' };
    }
    return createAccount(this.#context, run);
  }

  async #rehearse(run: AccountRun): Promise<Ending> {
    const { progress } = run;
    const asBefore = ending(progress, progress.state, '', false);
    const process = progress.prior('process');
    // An account that exists, or may exist, cannot be rehearsed.
    if (progress.steps.process === 'done' || isProcessOpen(progress) || process?.state === 'uncertain')
      return asBefore;
    for (const [name, step] of [
      ['validate', validate],
      ['stage', stage],
      ['process', dryRun],
    ] as const) {
      if (!this.#context.settings.steps.has(name)) return { ...asBefore, driven: true };
      const result = await step(this.#context, run);
      if (result.state === 'done') continue;
      if (result.state === 'stopped') return { ...asBefore, driven: true };
      if (result.state === 'already-imported')
        return { ...asBefore, state: 'skipped', code: 'already_imported' };
      await this.#trace(name, result.problems);
      return { ...asBefore, driven: true, state: endState(result), code: result.code };
    }
    return { ...asBefore, driven: true, wouldImport: true };
  }

  /** So that the person who rules on it has the cells, even if the export is gone by then. */
  async #recordCells(accountId: number): Promise<void> {
    const { journal, platform, settings, record } = this.#context;
    const entry = await journal.find(platform, this.#plan.key);
    if (entry === undefined) return;
    record(journal.setPartCells(accountId, await uncertainCells(this.#plan, entry, settings)));
  }

  async #hear(step: StepName, result: StepResult): Promise<void> {
    const { problems, code } = result;
    this.#context.failingSteps.see(step, result, this.#plan);
    this.#codes.set(step, code);
    if (problems.length > 0) await this.#trace(step, problems);
  }

  /** Reports the platform's problems, each with the cell of its path. */
  async #trace(step: StepName, problems: StepResult['problems']): Promise<void> {
    const { key } = this.#plan;
    for (const { request, ...told } of problems) {
      const problem = namingCause(told, this.#changedBy);
      this.#report(inAccount(key, step, problem, await this.#plan.locate(step, problem.path, request)));
    }
  }

  /** The location of its data. */
  get #place(): string {
    return this.#plan.fix?.place ?? this.#context.place;
  }

  /**
   * Records which data of the export a `--with` directory replaces: a later run without the directory ignores that
   * data.
   */
  async #supersedeReplaced({ id }: AccountEntry): Promise<void> {
    const { journal, record } = this.#context;
    for (const replaced of this.#plan.fix?.replaces ?? []) {
      if (replaced === this.#print.planHash) continue;
      // Whether a run accepts the replaced data depends on its rules.
      for (const hash of [replaced, `${replaced}${localRefusal}`])
        if ((await journal.superseded(id, hash)) === undefined)
          record(journal.supersede(id, hash, await this.#cellOfFix()));
    }
  }

  /** The place where the files name the account. */
  #ownCell(): Promise<Cell | undefined> {
    return this.#plan.locate('stage', 'external_account_number');
  }

  /** The same, with the file relative to its directory: the journal records the directory separately. */
  async #cellOfFix(): Promise<Cell | undefined> {
    const cell = await this.#ownCell();
    const { fix } = this.#plan;
    return fix === undefined || cell === undefined ? cell : { ...cell, file: relative(fix.name, cell.file) };
  }

  /** Once if the account is completed, because the person who did not change the row then knows it. */
  async #warnSuperseded(entry: AccountEntry, superseded: Superseded, planHash: string): Promise<void> {
    if (superseded.isTold && entry.state === 'completed') return;
    const own = (await this.#ownCell()) ?? this.#plan.problems[0]?.cell;
    this.#report(supersededWarning(entry, superseded, own));
    const { journal, record, settings } = this.#context;
    if (!settings.dryRun) record(journal.noteSupersededTold(entry.id, planHash));
  }

  #reportAll(): void {
    for (const problem of this.#plan.problems) this.#report(problem);
  }

  #report(problem: Problem): void {
    this.#problems.push(problem);
    this.#context.emit({ type: 'problem', problem });
  }

  /** Nothing is to be sent of a completed account: its data is no longer refused, and a fix stands for what it replaces. */
  async #noteSound(progress: AccountProgress, entry: AccountEntry): Promise<void> {
    const { platform, settings } = this.#context;
    if (settings.dryRun) return;
    const isReplacing = this.#plan.fix?.replaces.some((replaced) => replaced !== this.#print.planHash);
    if (isReplacing === true && entry.dataFrom !== this.#place)
      progress.carry({ dataFrom: { platform, place: this.#place } });
    if (entry.code !== '') await this.#noteRefused(progress, entry, '');
    await progress.keep();
  }

  /** Records why the current data of a completed account is refused, or, with no code, that it no longer is. */
  async #noteRefused(
    progress: AccountProgress,
    { id, code: before }: AccountEntry,
    code: string,
  ): Promise<void> {
    const { journal, record, settings } = this.#context;
    if (settings.dryRun) return;
    const now = this.#problems.map(recordedProblem);
    const isTold = (known: RecordedProblem): boolean =>
      now.some(
        ({ step, code: told, path }) => step === known.step && told === known.code && path === known.path,
      );
    // What the platform said of it when it was sent stays.
    const kept: RecordedProblem[] = [];
    for await (const known of journal.problems(id))
      if (known.isWarning === true && !isTold(known)) kept.push(known);
    record(journal.setProblems(id, [...kept, ...now]));
    if (code !== before) await progress.change({ code });
  }

  /** Writes how the account ends and waits until that, and everything written before, is durable. */
  async #end(
    progress: AccountProgress,
    state: AccountState,
    code: string,
    steps: AccountChange['steps'] = {},
  ): Promise<Ending> {
    if (progress.steps.process === 'uncertain' && state !== 'uncertain')
      return this.#end(progress, 'uncertain', numberOfAnotherAccount);
    const rejectedAsBefore = state === 'rejected' && progress.state === 'rejected' && this.#isKnown;
    if (!this.#context.settings.dryRun) {
      const recorded = this.#problems.map(recordedProblem);
      // An account with recorded problems is no longer new, wherever a crash happens.
      if (recorded.length > 0) void progress.keep();
      if (recorded.length > 0 || !progress.isNew)
        this.#context.record(this.#context.journal.setProblems(progress.id, recorded));
      if (state === 'uncertain') await this.#recordCells(progress.id);
      await progress.change({ state, code, steps });
      // During that write, another account was found to have its number.
      if (progress.state === 'uncertain' && state !== 'uncertain')
        return this.#end(progress, 'uncertain', numberOfAnotherAccount);
    }
    return { ...ending(progress, state, code), driven: !rejectedAsBefore };
  }
}

function endState(result: StepResult): AccountState {
  switch (result.state) {
    case 'refused':
      return 'rejected';
    case 'failed':
    case 'uncertain':
    case 'skipped':
      return result.state;
    case 'done':
    case 'stopped':
      throw new Error(`a step that is ${result.state} does not end its account`);
  }
}

function recordedProblem({ step, code, path, cell, severity }: Problem): RecordedProblem {
  return { step, code, path, cell, isWarning: severity === 'warning' || undefined };
}

/** The result of an account that a drain leaves in its state. */
async function leaving(progress: AccountProgress): Promise<Ending> {
  await progress.keep();
  return ending(progress, progress.state, '');
}

function ending(progress: AccountProgress, state: AccountState, code: string, driven = true): Ending {
  // A number in doubt is not reported.
  const krakenAccountNumber = progress.steps.process === 'done' ? progress.krakenAccountNumber : undefined;
  return {
    state,
    code,
    driven,
    wouldImport: false,
    ...(krakenAccountNumber === undefined ? {} : { krakenAccountNumber }),
  };
}
