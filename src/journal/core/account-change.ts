import { mayBecome, type AccountState } from '../../domain/account-state.ts';
import { stepNames } from '../../domain/steps.ts';
import { accountStates, stepStates, withStepState } from './codes.ts';
import type { AccountChange } from '../journal.ts';
import { Misuse } from './misuse.ts';
import type { Tally } from './tally.ts';

/** The columns of an account that a change may replace, as an engine stores them. */
export interface ChangedColumns {
  readonly supplier: number;
  readonly state: number;
  readonly steps: number;
  readonly code: string;
  readonly kraken_account_number: string | null;
  readonly staged_hash: string | null;
  readonly plan_hash: string | null;
  /** The last restore since which the account was settled. */
  readonly restore: number;
  /** The number of the export that its data come from. */
  readonly data: number | null;
}

/** What a changed account gets that the change itself does not say. */
export interface ChangeContext {
  /** The number of the last restore. */
  readonly restore: number;
  /** The number of an export. */
  source(platform: string, place: string): number;
}

/**
 * The columns after a change, which is counted. Throws Misuse if there is no such account, or it may not enter the state
 * from its own.
 */
export function changedAccount(
  accountId: number,
  stored: ChangedColumns | undefined,
  change: AccountChange,
  context: ChangeContext,
  tally: Tally,
): ChangedColumns {
  if (stored === undefined) throw new Misuse(`There is no account ${accountId} in the journal to change.`);
  const from = accountStates.name(stored.state);
  const to: AccountState = change.state ?? from;
  if (!mayBecome(from, to)) throw new Misuse(`Account ${accountId} cannot go from ${from} to ${to}.`);
  const state = accountStates.of[to];
  const steps = changedSteps(stored.steps, change.steps);
  tally.moved(stored.supplier, stored.state, state);
  tally.stepsMoved(stored.supplier, stored.steps, steps);
  return {
    supplier: stored.supplier,
    state,
    steps,
    code: change.code ?? stored.code,
    kraken_account_number:
      change.krakenAccountNumber === undefined ? stored.kraken_account_number : change.krakenAccountNumber,
    staged_hash: change.stagedHash === undefined ? stored.staged_hash : change.stagedHash,
    plan_hash: change.planHash === undefined ? stored.plan_hash : change.planHash,
    restore: change.isSettled === true ? context.restore : stored.restore,
    data:
      change.dataFrom === undefined
        ? stored.data
        : context.source(change.dataFrom.platform, change.dataFrom.place),
  };
}

/** Whether the journal already has the account from this export. */
export function isSameSource(
  row: { readonly source: number | null; readonly absent: number },
  source: number,
): boolean {
  return row.source === source && row.absent !== 1;
}

function changedSteps(packed: number, changes: AccountChange['steps']): number {
  if (changes === undefined) return packed;
  let changed = packed;
  for (const step of stepNames) {
    const state = changes[step];
    if (state !== undefined) changed = withStepState(changed, step, stepStates.of[state]);
  }
  return changed;
}
