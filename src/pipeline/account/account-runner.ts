import { accountPayload } from '../../contract/schemas/account.ts';
import type { AccountState } from '../../domain/account-state.ts';
import { isJsonObject, parseJson } from '../../domain/json.ts';
import {
  changedAfterImport,
  journalContradicted,
  numberOfAnotherAccount,
} from '../../domain/shared-codes.ts';
import { extraStepNames, type StepName } from '../../domain/steps.ts';
import type { AccountChange, AccountEntry } from '../../journal/journal.ts';
import { localRefusal } from '../hash.ts';
import type { Lacking } from '../added/needed-items.ts';
import type { RunContext } from '../run/context.ts';
import type { AccountEnded } from '../run/run-events.ts';
import { changedPaths, changedSince } from '../steps/recorded-parts.ts';
import { uncertainCells } from '../steps/sent-cells.ts';
import type { StepResult } from '../steps/step-result.ts';
import { AccountProgress } from './account-progress.ts';
import { accountResult } from './account-result.ts';
import { sentAbout, type AccountRun } from './account-run.ts';
import { addSteps, type Hear } from './add-steps.ts';
import { askByReading } from './ask-by-reading.ts';
import { changeCause } from './change-cause.ts';
import { createOrConfirm } from './create-or-confirm.ts';
import { dispositionOfCurrent, isChanged, type Today } from './disposition.ts';
import { Findings } from './findings.ts';
import { holdBack } from './hold-back.ts';
import type { ReadyPlan } from './ready-plan.ts';
import { rehearse } from './rehearse.ts';
import { ReplacedData } from './replaced-data.ts';
import { takeForSent } from './restore-recovery.ts';
import { stepsInLine } from './standing.ts';
import type { SupersededData } from './superseded-data.ts';

/** How an account ends in this run. Its state is durable in the journal when this is returned. */
type Ending = Pick<
  AccountEnded,
  'state' | 'code' | 'driven' | 'wouldImport' | 'isRefused' | 'isSuperseded'
> & {
  krakenAccountNumber?: string;
};

/** Runs one account as far as possible, from its state in the journal. */
export async function runAccount(context: RunContext, plan: ReadyPlan): Promise<AccountEnded> {
  const findings = new Findings(context, plan);
  const ending = await new AccountRunner(context, plan, findings).toItsEnd();
  const why = ending.code === changedAfterImport ? { changedBy: findings.changedBy } : {};
  const event: AccountEnded = { type: 'account', ...plan.key, ...ending, ...why };
  context.emit(event);
  return event;
}

/** Does with an account what its disposition says: a method for each kind. */
class AccountRunner {
  readonly #context: RunContext;
  readonly #plan: ReadyPlan;
  readonly #findings: Findings;
  readonly #replaced: ReplacedData;
  /** The account in the export. */
  readonly #today: Today;
  /** The code of the first error that the local checks found. */
  readonly #refusal: string | undefined;
  /** Why the steps of this run are not done. */
  readonly #codes = new Map<StepName, string>();
  /** Whether a run has seen the current plan. */
  #isKnown = false;

  constructor(context: RunContext, plan: ReadyPlan, findings: Findings) {
    this.#context = context;
    this.#plan = plan;
    this.#findings = findings;
    this.#replaced = new ReplacedData(context, plan);
    this.#refusal = plan.problems.find((problem) => problem.severity === 'error')?.code;
    const { planHash, payloadHash } = plan.print;
    const isSound = this.#refusal === undefined;
    // A plan that was refused here counts as changed when it passes, even if only a rule changed.
    const recorded = isSound ? planHash : `${planHash}${localRefusal}`;
    this.#today = { planHash: recorded, payloadHash, isSound, rows: plan.rows?.found };
  }

  async toItsEnd(): Promise<Ending> {
    // Without a supplier no record of the account is possible.
    if (this.#plan.key.supplier === '') return this.#endStray();
    const entry = await this.#context.open(this.#plan);
    this.#findings.changedBy = changeCause(entry, this.#plan, this.#context.mapping);
    this.#isKnown = !isChanged(entry, this.#today);
    const progress = new AccountProgress(this.#context, entry);
    const superseded = await this.#replaced.bySomeFix(entry, this.#today.planHash);
    if (superseded !== undefined) return this.#leaveSuperseded(progress, entry, superseded);
    this.#findings.addLocal();
    if (this.#plan.fix !== undefined && this.#today.isSound) await this.#replaced.recordReplaced(entry);
    const disposition = dispositionOfCurrent({
      standing: entry,
      today: this.#today,
      isContested: await this.#sharesNumber(entry),
      lacking: () => this.#lacking,
      settings: this.#context.settings,
    });
    switch (disposition) {
      case 'kept':
        return this.#keep(progress, entry);
      case 'refused':
        return this.#refuse(progress, entry);
      case 'corrected':
        return entry.state === 'completed'
          ? this.#leaveCompleted(progress, entry)
          : this.#completeCorrected(progress, entry);
      case 'complete':
        return this.#leaveCompleted(progress, entry);
      case 'not-ours':
      case 'unclear':
      case 'outside':
      case 'waiting':
      case 'awaiting-item':
        return ending(progress, entry.state, entry.code, false);
      case 'without-item':
        return this.#refuseWithout(progress, entry);
      case 'contested':
      case 'new':
      case 'changed':
      case 'unfinished':
        return this.#drive(progress, entry);
    }
  }

  #endStray(): Ending {
    this.#findings.addLocal();
    return { state: 'rejected', code: this.#refusal ?? '', driven: false, wouldImport: false };
  }

  async #leaveSuperseded(
    progress: AccountProgress,
    entry: AccountEntry,
    superseded: SupersededData,
  ): Promise<Ending> {
    await this.#replaced.warn(entry, superseded, this.#findings);
    const ended = { ...ending(progress, entry.state, entry.code, false), isSuperseded: true } as const;
    // This data cannot complete it: somebody must run the fix again.
    return entry.state === 'completed' ? ended : { ...ended, isRefused: true };
  }

  async #keep(progress: AccountProgress, entry: AccountEntry): Promise<Ending> {
    const code = this.#refusal ?? '';
    await this.#findings.recordBeside(progress, entry, code);
    return { ...ending(progress, entry.state, code, false), isRefused: true };
  }

  async #refuse(progress: AccountProgress, entry: AccountEntry): Promise<Ending> {
    if (!this.#isKnown && !this.#context.settings.dryRun) await this.#registerPlan(entry, progress);
    return this.#end(progress, 'rejected', this.#refusal ?? '');
  }

  /** What it lacks of the items that accounts name. */
  get #lacking(): Lacking {
    return this.#context.needed.of(this.#plan);
  }

  /** An item that the account names was refused. */
  async #refuseWithout(progress: AccountProgress, entry: AccountEntry): Promise<Ending> {
    const lacking = this.#lacking;
    if (typeof lacking === 'string') throw new Error('an account that lacks nothing');
    await this.#findings.addAnswered('validate', [{ ...lacking, request: 0 }]);
    if (this.#context.settings.dryRun)
      return { ...ending(progress, entry.state, '', true), state: 'rejected', code: lacking.code };
    if (!this.#isKnown) await this.#registerPlan(entry, progress);
    return this.#end(progress, 'rejected', lacking.code, { validate: 'refused' });
  }

  /** Nothing is to be sent: its data is no longer refused, and a fix stands for what it replaces. */
  async #leaveCompleted(progress: AccountProgress, entry: AccountEntry): Promise<Ending> {
    const { platform, settings } = this.#context;
    const left = ending(progress, entry.state, '', false);
    const isNews = this.#plan.fix !== undefined || entry.code !== '';
    if (settings.dryRun || !isNews) return left;
    if (this.#replaced.standsFor(entry))
      progress.carry({ dataFrom: { platform, place: this.#replaced.place } });
    if (entry.code !== '') await this.#findings.recordBeside(progress, entry, '');
    await progress.keep();
    return left;
  }

  /** The platform has the data, because a person put it there: nothing is sent. */
  async #completeCorrected(progress: AccountProgress, entry: AccountEntry): Promise<Ending> {
    if (!this.#context.admit()) return ending(progress, entry.state, entry.code, false);
    if (this.#context.settings.dryRun) return ending(progress, 'completed', '', false);
    if (!this.#isKnown) await this.#registerPlan(entry, progress);
    const steps = { ...progress.steps };
    for (const step of extraStepNames) if (steps[step] !== 'none') steps[step] = 'done';
    return this.#end(progress, 'completed', '', steps);
  }

  async #drive(progress: AccountProgress, entry: AccountEntry): Promise<Ending> {
    if (!this.#context.admit()) return ending(progress, entry.state, entry.code, false);
    const { payloadBody, payloadHash } = this.#plan.print;
    const driven = { plan: this.#plan, progress, payloadBody, payloadHash, sent: sentAbout(this.#plan) };
    const holding: AccountRun['holdBack'] = (isAtRisk) => holdBack(this.#context, driven, isAtRisk);
    const run = { ...driven, holdBack: holding };
    if (this.#context.settings.dryRun) return this.#rehearse(run);
    if (!this.#isKnown) await this.#registerPlan(entry, progress);
    const { numbers } = this.#context;
    numbers.begin(run);
    const ended = await this.#send(run, isHalfWay(entry));
    numbers.end(run);
    this.#context.contradictions.release(progress.id);
    return this.#restated(progress, ended);
  }

  async #rehearse(run: AccountRun): Promise<Ending> {
    const { progress } = run;
    const asBefore = ending(progress, progress.state, '', false);
    const rehearsed = await rehearse(this.#context, run);
    switch (rehearsed.is) {
      case 'untouched':
        return asBefore;
      case 'cut-short':
        return { ...asBefore, driven: true };
      case 'there':
        return { ...asBefore, state: 'skipped', code: 'already_imported' };
      case 'would-import':
        return { ...asBefore, driven: true, wouldImport: true };
      case 'ended': {
        const { step, result } = rehearsed;
        await this.#findings.addAnswered(step, result.problems);
        return { ...asBefore, driven: true, state: endState(result), code: result.code };
      }
    }
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
  async #sharesNumber({ id, steps, krakenAccountNumber }: AccountEntry): Promise<boolean> {
    const { numbers } = this.#context;
    if (!numbers.areShared || steps.process !== 'done' || krakenAccountNumber === undefined) return false;
    return (await numbers.holders(krakenAccountNumber)).some((holder) => holder.id !== id);
  }

  /** Makes a new or changed plan pending. */
  async #registerPlan(entry: AccountEntry, progress: AccountProgress): Promise<void> {
    await this.#replaced.recordRefused(entry);
    const state = progress.state === 'completed' ? { state: 'imported' as const } : {};
    progress.carry({
      ...state,
      steps: stepsInLine(this.#plan.isPlanned, progress.steps, this.#context.settings.importKind),
      planHash: this.#today.planHash,
      dataFrom: { platform: this.#context.platform, place: this.#replaced.place },
    });
    // If a plan replaced another, the journal must say so before anything of it is sent.
    if (!progress.isNew) void progress.keep();
  }

  async #send(run: AccountRun, wasHalfWay: boolean): Promise<Ending> {
    const { progress } = run;
    const created = await createOrConfirm(this.#context, run);
    if (created.state === 'stopped') return leaving(progress);
    if (created.state !== 'done') {
      const step = created.step ?? 'process';
      await this.#hear(step, created);
      // In one write: an account with a refused step that is not itself marked would never be run again.
      const steps = created.state === 'skipped' ? {} : { [step]: created.state };
      return this.#end(progress, endState(created), created.code, steps);
    }

    const isResumed = wasHalfWay && !progress.isCreatedNow && progress.inDoubtSince === undefined;
    if (progress.inDoubtSince !== undefined) await takeForSent(this.#context, run, progress.inDoubtSince);
    const due = extraStepNames.filter((step) => this.#isDue(step, progress));
    // The record that it exists precedes everything that is added to it.
    if (due.length > 0) void progress.keep();
    const hear: Hear = (step, result) => this.#hear(step, result);
    if ((await addSteps(this.#context, run, due, { isResumed, hear })) === 'stopped')
      return this.#drain(progress);
    const hearOnce: Hear = (step, result) => this.#hear(step, this.#findings.newIn(step, result));
    if (!(await askByReading(this.#context, run, hearOnce))) return this.#drain(progress);
    const { steps, parts } = progress;
    const isAsCreated = created.createdFrom === this.#today.payloadHash;
    if (!isAsCreated) await this.#findings.addAnswered('stage', this.#changedPayload(parts).problems);
    return this.#end(progress, ...accountResult({ steps, parts, codes: this.#codes, isAsCreated }));
  }

  /** Where the account payload is not as the account was created from it. */
  #changedPayload(parts: AccountEntry['parts']): StepResult {
    const created = parts.filter(({ step }) => step === 'process');
    const payload = parseJson(this.#plan.print.payloadBody.toString());
    return changedSince(isJsonObject(payload) ? changedPaths(created, payload, accountPayload) : ['']);
  }

  /** The run drains: the account stays as it is, unless something of it was held back. */
  #drain(progress: AccountProgress): Promise<Ending> {
    const held = progress.parts.filter(({ state }) => state === 'uncertain').map(({ step }) => step);
    if (!this.#context.contradictions.holds(progress.id) || held.length === 0) return leaving(progress);
    const steps = Object.fromEntries(held.map((step) => [step, 'uncertain'] as const));
    return this.#end(progress, 'uncertain', journalContradicted, steps);
  }

  #isDue(step: StepName, { steps }: AccountProgress): boolean {
    return this.#context.settings.steps.has(step) && steps[step] !== 'none' && steps[step] !== 'done';
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
    if (problems.length > 0) await this.#findings.addAnswered(step, problems);
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
      this.#findings.recordAll(progress);
      if (state === 'uncertain') await this.#recordCells(progress.id);
      await progress.change({ state, code, steps });
      // During that write, another account was found to have its number.
      if (progress.state === 'uncertain' && state !== 'uncertain')
        return this.#end(progress, 'uncertain', numberOfAnotherAccount);
    }
    return { ...ending(progress, state, code), driven: !rejectedAsBefore };
  }
}

/** Whether an earlier run sent its process request, and none has completed it. */
function isHalfWay({ parts, state }: AccountEntry): boolean {
  return state !== 'completed' && parts.some(({ step }) => step === 'process');
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
