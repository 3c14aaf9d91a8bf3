import { JournalGone } from '../../journal/journal.ts';
import { runAccount } from '../account/account-runner.ts';
import type { ReadyPlan } from '../account/ready-plan.ts';
import type { AccountSlot } from '../flow/account-slot.ts';
import type { Flow } from '../flow/flow.ts';
import type { AccountLimit } from './account-limit.ts';
import type { BookCounts } from './book-counts.ts';
import type { BreakOff } from './broken-run.ts';
import type { RunContext } from './context.ts';
import type { FailureWatch } from './failure-watch.ts';
import type { FailuresApart } from './failures-apart.ts';
import type { HeldSuppliers } from './held-suppliers.ts';
import type { NextPlans } from './next-plans.ts';
import type { RowNotes } from './row-notes.ts';
import type { RunInput, RunPorts } from './run-input.ts';
import type { SharedBook } from './shared-book.ts';
import { Workers } from './workers.ts';

/** What the accounts of a run are driven with. */
export interface DrivenWith extends Pick<RunInput, 'settings'>, Pick<RunPorts, 'stop'> {
  readonly context: RunContext;
  readonly flow: Flow;
  readonly limit: AccountLimit;
  readonly broken: BreakOff;
  readonly plans: NextPlans;
  readonly suppliers: HeldSuppliers;
  /** Absent if this run alone drives the export. */
  readonly shared: SharedBook | undefined;
  readonly counts: BookCounts;
  readonly rows: RowNotes;
  readonly failures: FailureWatch;
  readonly apart: FailuresApart;
}

/** Drives the accounts of a run, one after another by each of its workers, until none is left or none may be started. */
export class AccountDriver {
  readonly #with: DrivenWith;
  readonly #workers = new Workers(() => this.#work());

  constructor(drivenWith: DrivenWith) {
    this.#with = drivenWith;
  }

  /** Drives the accounts of the export, or of its partitions that are due. */
  async pass(): Promise<void> {
    await this.#workers.run(this.#with.settings.concurrency);
    if (!this.#with.broken.isBroken) await this.#with.rows.flush();
  }

  /** While an account stands aside, another one is driven. */
  stoodAside(isAside: boolean): void {
    this.#workers.stoodAside(isAside);
  }

  /** Leaves an account alone that is as the journal has it, without a place and without a wait. */
  passesOver(plan: ReadyPlan): boolean {
    const { supplier } = plan.key;
    const isOpen = plan.unchanged !== undefined && this.#with.suppliers.has(supplier);
    if (!isOpen || this.#with.stop.reason !== undefined || !this.#with.counts.passOver(plan)) return false;
    this.#with.rows.leftAlone();
    plan.close();
    return true;
  }

  /** Accounts that a stopped run did not reach are counted by their state in the journal. */
  async countTheRest(): Promise<void> {
    for (;;) {
      if (this.#with.stop.aborting.aborted) return;
      const plan = await this.#next();
      if (plan === undefined) return;
      await this.#countUntouched(plan);
    }
  }

  /** Runs one account after another, each as soon as there is room for it. */
  async #work(): Promise<void> {
    try {
      while (!this.#with.limit.isFull && !this.#workers.isSurplus()) {
        const place = await this.#with.flow.accounts.begin();
        if (place === undefined) return;
        try {
          if (!(await this.#driveNext(place))) return;
        } finally {
          this.#with.flow.left(place);
        }
      }
    } catch (error) {
      this.#with.broken.by(error);
    }
  }

  /** False if there is none left, or none may be started. */
  async #driveNext(place: AccountSlot): Promise<boolean> {
    if (this.#with.limit.isFull) return false;
    const plan = await this.#next();
    if (plan === undefined) return false;
    const waits = this.#with.flow.accounts.hasPlan(place);
    if (waits !== undefined) await waits;
    const { supplier, account } = plan.key;
    if (this.#with.shared?.begin(account) === false) {
      plan.close();
      return true;
    }
    try {
      return await this.#driveHeld(place, plan, supplier);
    } finally {
      this.#with.shared?.end(account);
    }
  }

  async #driveHeld(place: AccountSlot, plan: ReadyPlan, supplier: string): Promise<boolean> {
    // The thread that prepares plans may have stopped when the run began to drain.
    const isStopped = this.#with.stop.reason !== undefined;
    if (isStopped || (supplier !== '' && !(await this.#with.suppliers.take(supplier)))) {
      await this.#countUntouched(plan);
      return !isStopped;
    }
    if (plan.unchanged !== undefined) {
      this.#with.rows.leftAlone();
      await this.#countUntouched(plan);
      return true;
    }
    this.#with.flow.accounts.drives(place, plan.key, plan.bytes);
    try {
      const ended = await runAccount(this.#with.context, plan);
      this.#with.counts.count(ended);
      if (!this.#with.settings.dryRun) await this.#with.rows.ended(plan, ended);
      this.#with.apart.see(ended, plan);
      this.#with.failures.see(ended, place.hasAsked);
    } catch (error) {
      if (!(error instanceof JournalGone)) throw error;
      this.#with.broken.by(error);
      await this.#with.counts.countAsRecorded(plan.key);
    } finally {
      plan.close();
    }
    return true;
  }

  async #next(): Promise<ReadyPlan | undefined> {
    const plan = await this.#with.plans.next();
    if (plan === undefined) this.#with.counts.isAllCounted = true;
    return plan;
  }

  async #countUntouched(plan: ReadyPlan): Promise<void> {
    plan.close();
    await this.#with.counts.countUntouched(plan);
  }
}
