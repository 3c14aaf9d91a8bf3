import type { AccountRange } from '../../source/sorted/account-range.ts';
import type { PackedRows } from '../../source/packed-rows.ts';
import type { SortedFiles } from '../../source/sorted/sorted-files.ts';
import type { Binding } from '../reading/bind-mapping.ts';
import type { SentError } from '../worker/messages.ts';
import type { AccountSettings } from './account-settings.ts';
import type { FoundBy, Job } from './jobs.ts';

/** What a thread is asked; it answers each with one message, in their order. */
export type ThreadMessage =
  /** `isPrinted`: the rows of each account are fingerprinted. */
  | {
      readonly kind: 'open';
      readonly job: Job;
      readonly settings: AccountSettings;
      readonly isPrinted: boolean;
    }
  /** What follows is mapped by this; `sorted`: the files of ranges. */
  | { readonly kind: 'bind'; readonly binding: Binding; readonly sorted: SortedFiles | undefined }
  | { readonly kind: 'rows'; readonly rows: PackedRows }
  | { readonly kind: 'range'; readonly range: AccountRange };

export type ThreadAnswer<Of extends Job = Job> =
  | { readonly kind: 'ready' }
  | { readonly kind: 'found'; readonly accounts: readonly FoundBy<Of>[] }
  /** The rows of a range are not where they were found. */
  | { readonly kind: 'misplaced' }
  | { readonly kind: 'failed'; readonly failure: SentError };
