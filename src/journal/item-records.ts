import type { PartState } from '../domain/step-state.ts';
import type { Intent, Settlement } from './account-entry.ts';

/** An item of a step that a profile adds: one that belongs to a whole book, and to no account. */
export interface ItemRef {
  readonly platform: string;
  /** The step's name in the profile. */
  readonly step: string;
  /** What identifies the item among those of its step. */
  readonly item: string;
}

/** The last attempt at an item. */
export interface ItemEntry extends ItemRef {
  readonly state: PartState;
  /** Hash of the body that was sent. */
  readonly hash: string;
  /** How often it was sent. */
  readonly attempt: number;
  /** How many of these attempts may have had their effect, and nobody has ruled on since. */
  readonly lost: number;
  readonly run: number;
  /** Milliseconds since the epoch. */
  readonly sentAt: number;
  readonly answeredAt?: number | undefined;
  readonly outcome?: string | undefined;
  readonly status?: number | undefined;
  readonly code?: string | undefined;
  readonly words?: string | undefined;
}

/** What the journal knows of an item. */
export interface ItemStanding {
  /** Absent if it was never sent. */
  readonly entry?: ItemEntry | undefined;
  /** Whether the journal was restored since, so that more may have been sent than it says. */
  readonly isInDoubt: boolean;
}

/** The items of a step by their state. */
export interface ItemCounts {
  readonly platform: string;
  readonly step: string;
  readonly items: Readonly<Record<PartState, number>>;
}

/** The record of items: as for the parts of accounts, the intent is durable before its request leaves. */
export interface ItemRecords {
  find(ref: ItemRef): Promise<ItemStanding>;
  /** Fenced and placed, as `Journal.intend`. */
  intend(ref: ItemRef, intent: Pick<Intent, 'hash' | 'run' | 'at'>): Promise<void>;
  /** Fenced, as `Journal.settle`. */
  settle(ref: ItemRef, settlement: Omit<Settlement, 'money'>): Promise<void>;
  /** A person's ruling on an item that is not done; false if there is none. */
  rule(ref: ItemRef, as: 'done' | 'failed', at: number): Promise<boolean>;
  /** In the order of platforms and steps. */
  counts(platform?: string): Promise<readonly ItemCounts[]>;
  /** The items of a step that are not done, by what identifies them. */
  unfinished(platform: string, step: string): AsyncGenerator<ItemEntry>;
}
