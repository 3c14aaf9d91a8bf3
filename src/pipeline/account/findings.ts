import type { ChangeCause } from '../../domain/change-cause.ts';
import type { Problem } from '../../domain/problem.ts';
import type { StepName } from '../../domain/steps.ts';
import type { AccountEntry, RecordedProblem } from '../../journal/journal.ts';
import { inAccount } from '../check/in-account.ts';
import type { RunContext } from '../run/context.ts';
import type { StepResult } from '../steps/step-result.ts';
import type { AccountProgress } from './account-progress.ts';
import { namingCause } from './change-cause.ts';
import type { ReadyPlan } from './ready-plan.ts';

/** The problems of one account in this run: told when they are found, and recorded with its end. */
export class Findings {
  readonly #context: RunContext;
  readonly #plan: ReadyPlan;
  readonly #problems: Problem[] = [];
  /** Why the account's data differs from what was sent, if that is certain. */
  changedBy: ChangeCause | undefined;

  constructor(context: RunContext, plan: ReadyPlan) {
    this.#context = context;
    this.#plan = plan;
  }

  /** Those of the local checks. */
  addLocal(): void {
    for (const problem of this.#plan.problems) this.add(problem);
  }

  /** Those that the platform told, each with the cell of its path. */
  async addAnswered(step: StepName, problems: StepResult['problems']): Promise<void> {
    const { key } = this.#plan;
    for (const { request, ...told } of problems) {
      const problem = namingCause(told, this.changedBy);
      this.add(inAccount(key, step, problem, await this.#plan.locate(step, problem.path, request)));
    }
  }

  /** The result of a step that has had one, without the problems that are told already. */
  newIn(step: StepName, result: StepResult): StepResult {
    const isTold = (code: string) => this.#problems.some((told) => told.step === step && told.code === code);
    return { ...result, problems: result.problems.filter(({ code }) => !isTold(code)) };
  }

  add(problem: Problem): void {
    this.#problems.push(problem);
    this.#context.emit({ type: 'problem', problem });
  }

  /** Replaces the recorded problems of the account, with the write of its end. */
  recordAll(progress: AccountProgress): void {
    const recorded = this.#recorded();
    // An account with recorded problems is no longer new, wherever a crash happens.
    if (recorded.length > 0) void progress.keep();
    if (recorded.length > 0 || !progress.isNew)
      this.#context.record(this.#context.journal.setProblems(progress.id, recorded));
  }

  /** Records why the current data of a completed account is refused, or, with no code, that it no longer is. */
  async recordBeside(
    progress: AccountProgress,
    { id, code: before }: AccountEntry,
    code: string,
  ): Promise<void> {
    const { journal, record, settings } = this.#context;
    if (settings.dryRun) return;
    const now = this.#recorded();
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

  #recorded(): RecordedProblem[] {
    return this.#problems.map(({ step, code, path, cell, severity }) => ({
      step,
      code,
      path,
      cell,
      isWarning: severity === 'warning' || undefined,
    }));
  }
}
