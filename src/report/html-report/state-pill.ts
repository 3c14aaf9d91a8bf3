import type { AccountState } from '../../domain/account-state.ts';
import { keyOf, type Fill } from './charts.ts';
import { html, type Html } from './markup.ts';

/** How each state is filled in bars and keys. */
export const stateFills: Readonly<Record<AccountState, Fill>> = {
  completed: 'completed',
  imported: 'imported',
  staged: 'staged',
  scheduled: 'staged',
  pending: 'pending',
  rejected: 'rejected',
  failed: 'failed',
  uncertain: 'uncertain',
  skipped: 'skipped',
};

/** A state with the sample of its bars. */
export function statePill(state: AccountState): Html {
  return html`<span class="pill">${keyOf(stateFills[state])}${state}</span>`;
}
