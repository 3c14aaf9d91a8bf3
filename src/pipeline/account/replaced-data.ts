import { relative } from 'node:path';
import type { Cell } from '../../domain/cell.ts';
import { isCorrected } from '../../domain/corrected.ts';
import { extraStepNames } from '../../domain/steps.ts';
import type { AccountEntry } from '../../journal/journal.ts';
import { localRefusal } from '../hash.ts';
import type { RunContext } from '../run/context.ts';
import { outstandingOf } from '../steps/extra-steps.ts';
import type { ReadyPlan } from './ready-plan.ts';
import { wasCreatedFrom } from './standing.ts';
import { replacedBy, supersededData, supersededWarning, type SupersededData } from './superseded-data.ts';
import type { Findings } from './findings.ts';

/** Which data of an account replaces which: a fix the data of its export, and no export the data of a fix. */
export class ReplacedData {
  readonly #context: RunContext;
  readonly #plan: ReadyPlan;

  constructor(context: RunContext, plan: ReadyPlan) {
    this.#context = context;
    this.#plan = plan;
  }

  /** The location of the plan's data. */
  get place(): string {
    return this.#plan.fix?.place ?? this.#context.place;
  }

  /**
   * The record that a fix replaced this data. The data of an account that names no supplier belongs to one for which a fix was
   * sent. `planHash`: as the journal would have it.
   */
  async bySomeFix(entry: AccountEntry, planHash: string): Promise<SupersededData | undefined> {
    const recorded = await supersededData(this.#context.journal, entry, this.#plan.print, this.place);
    if (recorded !== undefined || this.#plan.isUnnamed !== true) return recorded;
    return { isTold: false, hash: planHash, isInferred: true };
  }

  /** Warns that it was replaced: once if the account is completed, because the person who did not change the row then knows it. */
  async warn(entry: AccountEntry, superseded: SupersededData, findings: Findings): Promise<void> {
    if (superseded.isTold && entry.state === 'completed') return;
    const own = (await this.#ownCell()) ?? this.#plan.problems[0]?.cell;
    findings.add(supersededWarning(entry, superseded, own));
    const { journal, record, settings } = this.#context;
    if (settings.dryRun) return;
    if (superseded.isInferred === true) record(journal.supersede(entry.id, superseded.hash, undefined));
    record(journal.noteSupersededTold(entry.id, superseded.hash));
  }

  /**
   * Records which data of the export this data, of a `--with` directory, replaces: a later run without the directory ignores
   * that data.
   */
  async recordReplaced({ id }: AccountEntry): Promise<void> {
    const { journal, record, settings } = this.#context;
    if (settings.dryRun) return;
    for (const replaced of this.#plan.fix?.replaces ?? []) {
      if (replaced === this.#plan.print.planHash) continue;
      // Whether a run accepts the replaced data depends on its rules.
      for (const hash of [replaced, `${replaced}${localRefusal}`])
        if ((await journal.superseded(id, hash)) === undefined)
          record(journal.supersede(id, hash, await this.#cellOfFix()));
    }
  }

  /** Records that this data, of another export, replaces what was refused of the account. */
  async recordRefused(entry: AccountEntry): Promise<void> {
    const replaced = replacedBy(entry, this.place);
    // After a crash here, the old data is the account's own, not replaced by a fix.
    if (replaced !== undefined && !this.#wasSent(entry))
      this.#context.record(this.#context.journal.supersede(entry.id, replaced, await this.#cellOfFix()));
  }

  /** Whether it stands for other data of a completed account. */
  standsFor({ dataFrom }: AccountEntry): boolean {
    const isFix = this.#plan.fix?.replaces.some((replaced) => replaced !== this.#plan.print.planHash);
    return isFix === true && dataFrom !== this.place;
  }

  /** Whether all of it was sent before: then it is no fix, but what was there before the data that is refused. */
  #wasSent(entry: AccountEntry): boolean {
    const { steps, parts } = entry;
    const { planHash, payloadHash } = this.#plan.print;
    if (isCorrected(entry, planHash)) return true;
    return (
      steps.process === 'done' &&
      wasCreatedFrom({ parts }, payloadHash) &&
      extraStepNames.every(
        (step) => outstandingOf(step, this.#plan, parts, this.#context.settings).requests.length === 0,
      )
    );
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
}
