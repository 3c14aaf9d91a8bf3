import type { AccountKey } from '../../domain/account-key.ts';
import type { AddedStep } from '../../domain/added-step.ts';
import type { Cell } from '../../domain/cell.ts';
import type { Problem } from '../../domain/problem.ts';

/** An item of a step that a profile adds, ready to be sent. */
export interface AddedItem {
  /** What identifies it in the journal: its value of the step's field, after its import supplier if it names one. */
  readonly name: string;
  /** The value of the step's field. */
  readonly value: string;
  /** The names by which accounts refer to it; none where every account needs it. */
  readonly names: readonly string[];
  /** The accounts that have to be completed before it; their import supplier is '' where neither the item nor the run names one. */
  readonly accounts: readonly AccountKey[];
  /** Serialised JSON, as the contract wants it. */
  readonly body: string;
  /** What the local checks found; an item with an error is not sent. */
  readonly problems: readonly Problem[];
  /** Where a value of it was read, by its dotted path. */
  locate(path: string): Cell | undefined;
}

/** The items of a step, which are read when they are sent. */
export interface AddedItems {
  readonly step: AddedStep;
  /** Errors of its files, such as a row of no item: with any, none of its items is sent. */
  readonly faults: readonly Problem[];
  readonly items: () => AsyncIterable<AddedItem>;
}
