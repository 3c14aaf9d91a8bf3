import type { AccountKey } from '../../domain/account-key.ts';
import type { AccountPlan } from '../../mapping/plan.ts';
import {
  checkAccount,
  sharedValues,
  type AccountRules,
  type CheckedAccount,
  type SharedValuesOf,
} from './check-account.ts';
import { exportedAccount, type ExportedAccount } from './exported-account.ts';
import { plannedAccount, type PlannedAccount } from './planned-account.ts';
import { readiedAccount, type ReadiedAccount } from './readied-account.ts';

/** What a command learns of an account from its plan, in a form that another thread can be given. */
export interface Found {
  readonly key: AccountKey;
  /** Absent if its rows were not fingerprinted, or one has a fault. */
  readonly rows?: AccountPlan['rows'];
}

/** What is done with accounts. */
interface Findings extends Readonly<Record<string, Found>> {
  /** `validate`. */
  readonly check: CheckedAccount;
  /** `plan`, where rules refuse what two accounts share. */
  readonly share: SharedValuesOf;
  /** `run`. */
  readonly ready: ReadiedAccount;
  /** `plan`. */
  readonly plan: PlannedAccount;
  /** `reconcile`. */
  readonly export: ExportedAccount;
}

export type Job = 'check' | 'share' | 'ready' | 'plan' | 'export';

/** What a job finds of an account. */
export type FoundBy<Of extends Job> = Findings[Of];

export const jobs: {
  readonly [Of in Job]: (plan: AccountPlan, how: AccountRules) => FoundBy<Of>;
} = {
  check: checkAccount,
  share: sharedValues,
  ready: readiedAccount,
  plan: plannedAccount,
  export: exportedAccount,
};
