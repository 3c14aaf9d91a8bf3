import type { Problem } from '../../domain/problem.ts';
import type { AccountPlan } from '../../mapping/plan.ts';
import { checkedProblems, readProblems } from '../../pipeline/check/preflight.ts';
import type { PackedAccount } from '../worker/messages.ts';
import { Packing } from '../worker/packing.ts';
import { sharedValues, type AccountRules, type SharedValuesOf } from './check-account.ts';

/** An account that is ready for its first request, in a form that another thread can be given. */
export interface ReadiedAccount extends SharedValuesOf, Pick<AccountPlan, 'ignoredRows' | 'rows'> {
  /** The problems of reading and mapping it, and those of its payloads. */
  readonly problems: { readonly read: readonly Problem[]; readonly checked: readonly Problem[] };
  /** With no other problem than that it is too large. */
  readonly packed: PackedAccount;
  readonly bytes: Uint8Array;
}

export function readiedAccount(plan: AccountPlan, how: AccountRules): ReadiedAccount {
  const { rules, cutting, mostBytes = Infinity } = how;
  const packing = new Packing();
  packing.add(0, plan, [], { cutting, mostBytes });
  const { accounts, bytes } = packing.take();
  const [packed] = accounts;
  if (packed === undefined) throw new Error('an account that was packed is not there');
  const { ignoredRows, rows } = plan;
  return {
    ...sharedValues(plan, how),
    ignoredRows,
    ...(rows === undefined ? {} : { rows }),
    problems: { read: readProblems(plan, rules), checked: checkedProblems(plan, rules) },
    packed,
    bytes: new Uint8Array(bytes),
  };
}
