import type { Spelling } from '../../domain/account-key.ts';
import type { Actor } from '../../domain/actor.ts';

/** That the journal was brought to a newer schema, or its accounts to newer rules. */
export interface UpgradeEntry {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly by?: Actor | undefined;
  readonly fromSchema: number;
  /** The same as `fromSchema` where only accounts were brought to newer rules. */
  readonly toSchema: number;
  /** The version of the tool that wrote the journal before, if it is known. */
  readonly fromVersion?: string | undefined;
  /** Where the journal as it was before was kept. */
  readonly backup?: string | undefined;
  /** How many accounts newer rules put into another state. */
  readonly accounts: number;
}

/** What a journal says of its upgrades, and of accounts that earlier versions wrote. */
export interface UpgradeRecords {
  /** Newest first. */
  all(): Promise<readonly UpgradeEntry[]>;
  /** The accounts of a platform, of any supplier, that were sent in another form than NFC, in pages. Usually none. */
  spellings(platform: string): AsyncIterable<readonly Spelling[]>;
  /** The number of the rules that the states of all accounts follow; 0 for those of before they were numbered. */
  rules(): Promise<number>;
  /** Records that they follow these rules. `accounts`: how many went into another state. */
  concluded(rules: number, by: Pick<UpgradeEntry, 'at' | 'by' | 'accounts'>): Promise<void>;
}
