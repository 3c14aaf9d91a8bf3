import type { Config } from '../../config/load-config.ts';
import type { Cutting } from '../../pipeline/settings.ts';
import type { AccountRange } from '../../source/account-range.ts';
import type { PackedRows } from '../../source/packed-rows.ts';
import type { SortedFiles } from '../../source/sorted-files.ts';
import type { ContractSettings } from '../effective-rules.ts';
import type { Binding } from '../reading/bind-mapping.ts';
import type { SentError } from '../worker/messages.ts';
import type { CheckedAccount } from './check-account.ts';

/** How a thread checks accounts. */
export interface CheckSettings {
  readonly config: Pick<Config, 'rules' | 'supplier' | 'bytesPerRequest'> & ContractSettings;
  readonly documents: string | undefined;
  readonly cutting: Cutting;
  readonly cwd: string;
  /** Milliseconds since the epoch: the current day for the rules. */
  readonly now: number;
}

/** What a thread that checks accounts is asked; it answers each with one message, in their order. */
export type CheckMessage =
  | { readonly kind: 'open'; readonly settings: CheckSettings }
  /** What follows is mapped by this; `sorted`: the files of ranges. */
  | { readonly kind: 'bind'; readonly binding: Binding; readonly sorted: SortedFiles | undefined }
  | { readonly kind: 'check'; readonly rows: PackedRows }
  | { readonly kind: 'check-range'; readonly range: AccountRange };

export type CheckAnswer =
  | { readonly kind: 'ready' }
  | { readonly kind: 'checked'; readonly accounts: readonly CheckedAccount[] }
  /** The rows of a range are not where they were found. */
  | { readonly kind: 'misplaced' }
  | { readonly kind: 'failed'; readonly failure: SentError };
