import type { AccountEntry, Journal, RowsNote } from '../../journal/journal.ts';
import type { ReadyPlan } from '../account/ready-plan.ts';
import type { AccountEnded, RunEvent } from './run-events.ts';

type OpenedEntry = Pick<AccountEntry, 'id' | 'sentFrom' | 'hasRows'>;

/** Notes that are written together. */
const perWrite = 500;
/** Unchanged accounts that are reported together. */
const perEvent = 200;

/**
 * Records the rows that accounts were read from, when an account has ended, and reports which of them changed. A crash loses
 * some: those accounts are mapped again by the next run.
 */
export class RowNotes {
  changed = 0;
  /** Left alone. */
  unchanged = 0;
  /** Unchanged too, but checked again. */
  same = 0;
  readonly #journal: Journal;
  readonly #run: number;
  readonly #emit: (event: RunEvent) => void;
  readonly #entries = new Map<ReadyPlan, OpenedEntry>();
  #notes: RowsNote[] = [];
  #untold = 0;

  constructor(journal: Journal, run: number, emit: (event: RunEvent) => void) {
    this.#journal = journal;
    this.#run = run;
    this.#emit = emit;
  }

  opened(plan: ReadyPlan, { id, sentFrom, hasRows }: OpenedEntry): void {
    if (plan.rows === undefined) return;
    this.#entries.set(plan, { id, sentFrom, hasRows });
    if (plan.rows.found === 'same') this.same += 1;
    if (!isChanged(plan.rows, { hasRows })) return;
    this.changed += 1;
    this.#emit({ type: 'changed', ...plan.key });
  }

  async ended(plan: ReadyPlan, { isRefused, isSuperseded, changedBy }: AccountEnded): Promise<void> {
    const { rows, print, ignoredRows } = plan;
    const entry = this.#entries.get(plan);
    this.#entries.delete(plan);
    if (rows === undefined || entry === undefined) return;
    const { id: accountId, sentFrom } = entry;
    const { print: ofRows, found } = rows;
    // A later run must know as well that only the mapping changed.
    const isSentFrom = changedBy !== undefined && changedBy.by !== 'export';
    const mapping = (isSentFrom ? sentFrom?.mapping : undefined) ?? rows.mapping;
    const read = { print: ofRows, mapping, ignoredRows, isSentFrom };
    // Data that does not count, although the account is completed, is mapped again by every run.
    const doesCount = isRefused !== true && isSuperseded !== true;
    if (found === 'same' && doesCount) return;
    this.#notes.push({
      accountId,
      rows: doesCount ? { ...read, planHash: print.planHash } : read,
      ...(isChanged(rows, entry) ? { changedIn: this.#run } : {}),
    });
    if (this.#notes.length >= perWrite) await this.#write();
  }

  /** An account that nothing is done about. */
  leftAlone(): void {
    this.unchanged += 1;
    this.#untold += 1;
    if (this.#untold >= perEvent) this.#tell();
  }

  /** Resolves when every note is durable. */
  async flush(): Promise<void> {
    this.#tell();
    await this.#write();
  }

  #tell(): void {
    if (this.#untold > 0) this.#emit({ type: 'unchanged', accounts: this.#untold });
    this.#untold = 0;
  }

  async #write(): Promise<void> {
    const notes = this.#notes;
    this.#notes = [];
    if (notes.length > 0) await this.#journal.noteRows(notes);
  }
}

/** Rows are looked up by their number before their supplier is known: those of another supplier's account are no earlier ones. */
function isChanged(
  { found }: NonNullable<ReadyPlan['rows']>,
  { hasRows }: Pick<AccountEntry, 'hasRows'>,
): boolean {
  return found === 'changed' && hasRows === true;
}
