import { zeroCounts, type AccountState } from '../../domain/account-state.ts';
import { stepNames, type StepName } from '../../domain/steps.ts';
import { accountStates, stepStateIn, steps, stepStates } from './codes.ts';
import type { PartlyRead, StepCounts, SupplierOverview } from '../journal.ts';
import { readingOf, type ReadFrom } from './reading-of.ts';

/** The step under which accounts are counted by their own state. */
export const ownState = 0;

/** A change of a count: `by` more accounts of a supplier have this state. */
export interface TallyChange {
  readonly supplier: number;
  readonly step: number;
  readonly state: number;
  readonly by: number;
}

/**
 * Gathers how one transaction changes the counts of accounts by state, which an engine keeps beside the rows so that an
 * overview reads no account.
 */
export class Tally {
  /** Keys hold supplier, step (four bits) and state (four bits). */
  readonly #changes = new Map<number, number>();

  #count(supplier: number, step: number, state: number, by: number): void {
    const key = (supplier * 16 + step) * 16 + state;
    this.#changes.set(key, (this.#changes.get(key) ?? 0) + by);
  }

  opened(supplier: number, state: AccountState): void {
    this.#count(supplier, ownState, accountStates.of[state], 1);
  }

  /** An account went from one state to another; `from` and `to` are codes. */
  moved(supplier: number, from: number, to: number): void {
    if (from === to) return;
    this.#count(supplier, ownState, from, -1);
    this.#count(supplier, ownState, to, 1);
  }

  /** An account's packed step states changed. */
  stepsMoved(supplier: number, from: number, to: number): void {
    if (from === to) return;
    for (const step of stepNames) {
      const before = stepStateIn(from, step);
      const after = stepStateIn(to, step);
      if (before === after) continue;
      if (before !== stepStates.of.none) this.#count(supplier, steps.of[step], before, -1);
      if (after !== stepStates.of.none) this.#count(supplier, steps.of[step], after, 1);
    }
  }

  /** What was counted since the last call. */
  take(): TallyChange[] {
    const counted: TallyChange[] = [];
    for (const [key, by] of this.#changes)
      if (by !== 0)
        counted.push({
          supplier: Math.floor(key / 256),
          step: Math.floor(key / 16) % 16,
          state: key % 16,
          by,
        });
    this.#changes.clear();
    return counted;
  }
}

export interface TallyRow {
  /** The supplier's number. */
  readonly id: number;
  readonly platform: string;
  readonly label: string;
  readonly supplier: string;
  readonly step: number;
  readonly state: number;
  readonly accounts: number;
}

/** Accounts of a supplier, by its number, that an overview counts apart. */
export interface Apart {
  readonly supplier: number;
  readonly accounts: number;
}

/** An export that was not read to its end. */
export interface ReadingRow {
  readonly supplier: number;
  readonly source: number;
  readonly place: string;
  /** The number of its accounts, if it is known. */
  readonly accounts: number | null;
}

/** All that an overview counts, in the order of platforms and suppliers. */
export interface Counts {
  readonly tally: readonly TallyRow[];
  readonly absent: readonly (Apart & { readonly state: number })[];
  readonly staged: readonly Apart[];
  readonly changed: readonly Apart[];
  readonly held: readonly Apart[];
  readonly refused: readonly Apart[];
  readonly doubted: readonly Apart[];
  readonly readings: readonly ReadingRow[];
  /** The accounts that were read from the exports of `readings`. */
  readonly read: readonly ReadFrom[];
}

/** The overview from stored counts, in their order. */
export function overviewOf({
  tally,
  absent,
  staged,
  changed,
  held,
  refused,
  doubted,
  readings,
  read,
}: Counts): SupplierOverview[] {
  const suppliers = new Map<number, Mutable>();
  for (const row of tally) {
    let overview = suppliers.get(row.id);
    if (overview === undefined) {
      overview = {
        platform: row.platform,
        platformLabel: row.label,
        supplier: row.supplier,
        accounts: zeroCounts(),
        absent: 0,
        stagedByDryRun: 0,
        changedAfterImport: 0,
        alreadyHeld: 0,
        refusedData: 0,
        inDoubt: 0,
        partlyRead: [],
        steps: zeroSteps(),
      };
      suppliers.set(row.id, overview);
    }
    if (row.step === ownState) overview.accounts[accountStates.name(row.state)] = row.accounts;
    else overview.steps[steps.name(row.step)][stepCountOf(row.state)] += row.accounts;
  }
  for (const { supplier, state, accounts } of absent) {
    const overview = suppliers.get(supplier);
    if (overview === undefined) continue;
    const name = accountStates.name(state);
    overview.accounts[name] -= accounts;
    // Nobody waits for what was skipped.
    if (name !== 'skipped') overview.absent += accounts;
  }
  const put = (field: CountedApart, counts: readonly Apart[]): void => {
    for (const { supplier, accounts } of counts) {
      const overview = suppliers.get(supplier);
      if (overview !== undefined) overview[field] = accounts;
    }
  };
  put('stagedByDryRun', staged);
  put('changedAfterImport', changed);
  put('alreadyHeld', held);
  put('refusedData', refused);
  put('inDoubt', doubted);
  for (const reading of readings) {
    const overview = suppliers.get(reading.supplier);
    if (overview === undefined) continue;
    const held = Object.values(overview.accounts).reduce((sum, count) => sum + count, 0);
    overview.partlyRead.push(readingOf(reading.place, { ...reading, held }, read));
  }
  return [...suppliers.values()];
}

type CountedApart = 'stagedByDryRun' | 'changedAfterImport' | 'alreadyHeld' | 'refusedData' | 'inDoubt';

type Mutable = Omit<SupplierOverview, CountedApart | 'absent' | 'partlyRead'> & {
  [Field in CountedApart | 'absent']: number;
} & { readonly partlyRead: PartlyRead[] };

function zeroSteps(): Record<StepName, StepCounts> {
  const counts = stepNames.map((step) => [step, { done: 0, failed: 0, uncertain: 0, pending: 0 }]);
  return Object.fromEntries(counts) as Record<StepName, StepCounts>;
}

function stepCountOf(code: number): keyof StepCounts {
  const state = stepStates.name(code);
  if (state === 'none') throw new Error('The journal counts steps that no plan has.');
  return state === 'refused' ? 'failed' : state;
}
