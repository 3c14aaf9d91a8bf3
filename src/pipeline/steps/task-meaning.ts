import type { TaskStatusBody } from '../../client/platform-client.ts';

/** What is known of the submission of an account, beside what the platform says of its latest task. */
export interface SubmissionFacts {
  /** An attempt is open: it was sent, and no end of it is known. */
  readonly isOpen: boolean;
  /** The platform has acknowledged it. */
  readonly isAcknowledged: boolean;
  /** An earlier task of the account has ended, so that the latest one may be that. */
  readonly hadTask: boolean;
  /** No request of ours can be under way any more. */
  readonly isQuiet: boolean;
  /** A server that is behind the others has had the time to catch up. */
  readonly isCaughtUp: boolean;
}

/**
 * What a task's status means for its account.
 *
 * - `created`: the account exists, with this number
 * - `waits`: the task will create it; `word`: a status that no contract names, and that is not guessed
 * - `errored`, `cancelled`: the submission ended without an account
 * - `none`: nothing can create the account: it may be submitted
 * - `unsettled`: not known yet; ask again
 * - `uncertain`: it needs a person
 */
export type TaskMeaning =
  | { readonly is: 'created'; readonly krakenAccountNumber: string }
  | { readonly is: 'waits'; readonly word?: string }
  | { readonly is: 'errored' | 'cancelled' | 'none' | 'unsettled' }
  | { readonly is: 'uncertain'; readonly code: string };

/** The platform has forgotten a task that it acknowledged. */
export const taskMissing = 'scheduled_import_missing';

/**
 * The only decision about a status of scheduled import (v2). undefined: the platform knows of no task. A submission leaves only
 * after `none`, which is said when no earlier one can still create the account.
 */
export function taskMeaning(task: TaskStatusBody | undefined, facts: SubmissionFacts): TaskMeaning {
  if (task === undefined) return meaningOfNone(facts);
  const { status, krakenAccountNumber } = task;
  switch (status) {
    case 'PROCESSED':
      return krakenAccountNumber === undefined
        ? { is: 'uncertain', code: 'processed_without_number' }
        : { is: 'created', krakenAccountNumber };
    case 'PENDING':
    case 'IN_PROGRESS':
      return { is: 'waits' };
    case 'ERRORED':
    case 'CANCELLED':
      return meaningOfEnd(status === 'ERRORED' ? 'errored' : 'cancelled', facts);
    case 'DRY_RUN_SUCCEEDED':
    case 'DRY_RUN_ERRORED':
      return facts.isQuiet ? { is: 'none' } : { is: 'unsettled' };
    default:
      return { is: 'waits', word: status };
  }
}

/** 404: nothing of this name was ever scheduled. */
function meaningOfNone({ isAcknowledged, isQuiet, isCaughtUp }: SubmissionFacts): TaskMeaning {
  if (!isQuiet) return { is: 'unsettled' };
  if (!isAcknowledged) return { is: 'none' };
  return isCaughtUp ? { is: 'uncertain', code: taskMissing } : { is: 'unsettled' };
}

/** The latest task has ended without an account; it may be an earlier one than that of the open attempt. */
function meaningOfEnd(
  end: 'errored' | 'cancelled',
  { isOpen, isAcknowledged, hadTask, isQuiet }: SubmissionFacts,
): TaskMeaning {
  if (isOpen && !hadTask) return { is: end };
  if (!isQuiet) return { is: 'unsettled' };
  return isOpen && isAcknowledged ? { is: end } : { is: 'none' };
}
