import type { AccountState } from '../domain/account-state.ts';
import { stringifyJson } from '../domain/json.ts';
import type { Problem } from '../domain/problem.ts';
import type { StepState } from '../domain/step-state.ts';
import { extraStepNames, stepNames, type ExtraStepName, type StepName } from '../domain/steps.ts';
import type { AccountEntry } from '../journal/journal.ts';
import type { AccountPlan } from '../mapping/plan.ts';
import { AccountProgress } from './account-progress.ts';
import type { AccountRun } from './account-run.ts';
import type { RunContext } from './context.ts';
import { fingerprint } from './hash.ts';
import { preflight, traced } from './preflight.ts';
import type { AccountEnded } from './run-events.ts';
import { agreements } from './steps/agreements.ts';
import { billingDocuments } from './steps/billing-documents.ts';
import { dryRun } from './steps/dry-run.ts';
import { notes } from './steps/notes.ts';
import { paymentInstruction } from './steps/payment-instruction.ts';
import { createAccount, type ProcessResult } from './steps/process.ts';
import { stage } from './steps/stage.ts';
import { statements } from './steps/statements.ts';
import type { StepResult } from './steps/step-result.ts';
import { transactions } from './steps/transactions.ts';
import { validate } from './steps/validate.ts';

const extraSteps: Record<ExtraStepName, (context: RunContext, run: AccountRun) => Promise<StepResult>> = {
  notes,
  transactions,
  agreements,
  'billing-documents': billingDocuments,
  statements,
  'payment-instruction': paymentInstruction,
};

/** How an account ends in this run. Its state is durable in the journal when this is given. */
type Ending = Pick<AccountEnded, 'state' | 'code' | 'driven' | 'wouldImport'> & {
  krakenAccountNumber?: string;
};

/** Drives one account as far as it goes, from where the journal has it. */
export async function driveAccount(context: RunContext, plan: AccountPlan): Promise<AccountEnded> {
  const drive = new AccountDrive(context, plan);
  const ending = await drive.toItsEnd();
  const event: AccountEnded = { type: 'account', ...plan.key, ...ending };
  context.emit(event);
  return event;
}

class AccountDrive {
  readonly #context: RunContext;
  readonly #plan: AccountPlan;
  readonly #problems: Problem[] = [];
  readonly #payloadBody: string;
  readonly #payloadHash: string;
  readonly #planHash: string;

  constructor(context: RunContext, plan: AccountPlan) {
    this.#context = context;
    this.#plan = plan;
    this.#payloadBody = stringifyJson(plan.payload);
    this.#payloadHash = fingerprint(this.#payloadBody);
    this.#planHash = fingerprint(
      this.#payloadHash + extraStepNames.map((step) => stringifyJson([...plan.extras[step]])).join('\n'),
    );
  }

  async toItsEnd(): Promise<Ending> {
    const { journal, platform, settings } = this.#context;
    for (const problem of preflight(this.#plan, settings.rules)) this.#report(problem);
    const firstError = this.#problems.find((problem) => problem.severity === 'error');
    // Without a supplier there is no account to keep a record of.
    if (this.#plan.key.supplier === '')
      return { state: 'rejected', code: firstError?.code ?? '', driven: false, wouldImport: false };

    const entry = await journal.open(platform, this.#plan.key);
    const progress = new AccountProgress(this.#context, entry);
    // What is not known of the platform stays so, whatever is wrong with the files now.
    if (firstError !== undefined && entry.state !== 'uncertain')
      return this.#end(progress, 'rejected', firstError.code);
    if (firstError !== undefined) return ending(progress, entry.state, entry.code, false);
    if (!this.#hasWork(entry) || !this.#context.admit())
      return ending(progress, entry.state, entry.code, false);

    const run = {
      plan: this.#plan,
      progress,
      payloadBody: this.#payloadBody,
      payloadHash: this.#payloadHash,
    };
    if (settings.dryRun) return this.#rehearse(run);
    this.#registerSteps(progress);
    return this.#drive(run, entry.planHash === this.#planHash);
  }

  #hasWork(entry: AccountEntry): boolean {
    if (entry.state === 'skipped') return this.#context.settings.adopt;
    if (['pending', 'staged', 'imported', 'failed'].includes(entry.state)) return true;
    if (entry.planHash !== this.#planHash) return true;
    const steps = Object.values(entry.steps);
    // Refused locally, and the rule that refused it is kept now, or turned off.
    if (entry.state === 'rejected') return !steps.includes('refused') && entry.code !== changedAfterImport;
    return entry.state === 'uncertain' && steps.some((state) => state === 'pending' || state === 'failed');
  }

  /** The first record of what the account's plan holds, so that status can say what is waiting. */
  #registerSteps(progress: AccountProgress): void {
    const steps: Partial<Record<StepName, StepState>> = {};
    for (const step of stepNames)
      if (progress.steps[step] === 'none' && this.#isPlanned(step)) steps[step] = 'pending';
    if (Object.keys(steps).length > 0) void progress.change({ steps });
  }

  #isPlanned(step: StepName): boolean {
    return isExtra(step) ? this.#plan.extras[step].length > 0 : true;
  }

  async #drive(run: AccountRun, unchanged: boolean): Promise<Ending> {
    const { progress } = run;
    const { settings } = this.#context;
    const created = await this.#create(run);
    if (created.state === 'stopped') return ending(progress, progress.state, '');
    if (created.state !== 'done') {
      this.#finishStep(progress, created.step ?? 'process', created);
      return this.#end(progress, endState(created), created.code);
    }

    const results: StepResult[] = [];
    const imported = progress.prior('process');
    if (imported?.state === 'done' && imported.hash !== this.#payloadHash)
      results.push({ state: 'refused', code: changedAfterImport, problems: [] });
    let unfinished = false;
    for (const step of extraStepNames) {
      if (!this.#isPlanned(step) || (unchanged && progress.steps[step] === 'done')) continue;
      if (!settings.steps.has(step)) {
        unfinished ||= progress.steps[step] !== 'done';
        continue;
      }
      const result = await extraSteps[step](this.#context, run);
      this.#finishStep(progress, step, result);
      if (result.state === 'stopped') return ending(progress, progress.state, '');
      results.push(result);
      if (result.state === 'failed') break;
    }
    for (const state of ['uncertain', 'failed', 'refused'] as const) {
      const bad = results.find((result) => result.state === state);
      if (bad !== undefined) return this.#end(progress, endState(bad), bad.code);
    }
    return this.#end(progress, unfinished ? 'imported' : 'completed', '');
  }

  /** Validate, stage and process, as far as they are not done. */
  async #create(run: AccountRun): Promise<ProcessResult | (StepResult & { step: 'validate' })> {
    const { progress } = run;
    const { krakenAccountNumber } = progress;
    if (progress.steps.process === 'done' && krakenAccountNumber !== undefined)
      return { state: 'done', krakenAccountNumber };
    const prior = progress.prior('process');
    if (prior?.state === 'uncertain') return { state: 'uncertain', code: prior.code ?? '', problems: [] };

    // An attempt of unknown outcome is settled before anything is sent again, so validating has to wait for it.
    const isValid =
      progress.steps.validate === 'done' && progress.prior('validate')?.hash === this.#payloadHash;
    if (prior?.state !== 'sent' && !isValid && this.#context.settings.steps.has('validate')) {
      const validated = await validate(this.#context, run);
      if (validated.state !== 'done') return { ...validated, step: 'validate' };
    }
    const created = await createAccount(this.#context, run);
    if (created.state === 'done')
      void progress.change({
        state: 'imported',
        code: '',
        krakenAccountNumber: created.krakenAccountNumber,
        steps: { process: 'done' },
      });
    return created;
  }

  async #rehearse(run: AccountRun): Promise<Ending> {
    const { progress } = run;
    const asBefore = ending(progress, progress.state, '', false);
    const process = progress.prior('process');
    // An account that exists, or may exist, has nothing to rehearse.
    if (progress.steps.process === 'done' || process?.state === 'sent' || process?.state === 'uncertain')
      return asBefore;
    for (const step of [validate, stage, dryRun]) {
      const result = await step(this.#context, run);
      if (result.state === 'done') continue;
      if (result.state === 'stopped') return { ...asBefore, driven: true };
      if (result.state === 'already-imported')
        return { ...asBefore, state: 'skipped', code: 'already_imported' };
      for (const problem of result.problems) this.#report(traced(this.#plan, 'process', problem));
      return { ...asBefore, driven: true, state: endState(result), code: result.code };
    }
    return { ...asBefore, driven: true, wouldImport: true };
  }

  #finishStep(progress: AccountProgress, step: StepName, result: StepResult): void {
    for (const { request, ...problem } of result.problems)
      this.#report(traced(this.#plan, step, problem, request));
    if (result.state === 'stopped' || result.state === 'skipped') return;
    void progress.change({ steps: { [step]: result.state } });
  }

  #report(problem: Problem): void {
    this.#problems.push(problem);
    this.#context.emit({ type: 'problem', problem });
  }

  /** Writes how the account ends and waits until it is durable, and with it all that was written before. */
  async #end(progress: AccountProgress, state: AccountState, code: string): Promise<Ending> {
    const rejectedAsBefore = state === 'rejected' && progress.state === 'rejected';
    if (!this.#context.settings.dryRun) {
      const recorded = this.#problems.map(({ step, code: problemCode, path, cell }) => ({
        code: problemCode,
        path,
        ...(step === undefined ? {} : { step }),
        ...(cell === undefined ? {} : { cell }),
      }));
      this.#context.record(this.#context.journal.setProblems(progress.id, recorded));
      await progress.change({ state, code, planHash: this.#planHash });
    }
    return { ...ending(progress, state, code), driven: !rejectedAsBefore };
  }
}

const changedAfterImport = 'changed_after_import';

function isExtra(step: StepName): step is ExtraStepName {
  return (extraStepNames as readonly StepName[]).includes(step);
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

function ending(progress: AccountProgress, state: AccountState, code: string, driven = true): Ending {
  const { krakenAccountNumber } = progress;
  return {
    state,
    code,
    driven,
    wouldImport: false,
    ...(krakenAccountNumber === undefined ? {} : { krakenAccountNumber }),
  };
}
