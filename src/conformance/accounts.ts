import type { KnownEndpointName } from '../contract/endpoints.ts';
import { readRefusal } from '../contract/refusal.ts';
import type { TenancyContract } from '../contract/tenancy/contract.ts';
import type { ConformanceCheck } from './check.ts';
import { isScheduled } from './offered.ts';
import type { Payloads } from './payloads.ts';
import { CannotAsk, type Answered, type Sandbox } from './sandbox.ts';
import { fieldOf } from './trial.ts';

type AccountState = ConformanceCheck['account'];

/** The endpoints that bring an account into a state: v1's, or v2's where the contract has only that. */
export function accountNeeds(
  state: AccountState,
  contract: TenancyContract | undefined,
): readonly KnownEndpointName[] {
  if (state === 'new') return [];
  if (state === 'staged') return ['stage'];
  return isScheduled(contract) ? ['schedule', 'scheduleStatus'] : ['stage', 'process'];
}

/** The supplier's migration is not Ongoing: nothing can be checked. */
const notOngoing = 'import_supplier_migration_not_ongoing';

/** How long a task is waited for, and between two looks at it, in ms. */
const taskPatienceMs = 600_000;
const lookMs = 1_000;

/** Statuses of a task that creates no account. */
const failedTasks: readonly unknown[] = ['ERRORED', 'CANCELLED'];

/** The accounts that the checks begin with. */
export class Accounts {
  readonly #platform: Sandbox;
  readonly #payloads: Payloads;
  #shared: string | Answered | undefined;

  constructor(platform: Sandbox, payloads: Payloads) {
    this.#platform = platform;
    this.#payloads = payloads;
  }

  /** An account in this state, or the answer that refused it. */
  async get(state: AccountState): Promise<string | Answered> {
    if (state === 'shared') return (this.#shared ??= await this.#made('imported'));
    return this.#made(state);
  }

  async #made(state: Exclude<AccountState, 'shared'>): Promise<string | Answered> {
    const account = this.#platform.newAccount();
    if (state === 'new') return account;
    if (isScheduled(this.#payloads.contract)) return this.#scheduled(account);
    const staged = await this.#platform.post('stage', this.#payloads.account(account));
    if (isRefused(staged)) return staged;
    if (state === 'staged') return account;
    const created = await this.#platform.post('process', this.#payloads.process(account));
    return isRefused(created) ? created : account;
  }

  async #scheduled(account: string): Promise<string | Answered> {
    const platform = this.#platform;
    const until = platform.monotonic + taskPatienceMs;
    const payload = this.#payloads.account(account);
    const submitted = await platform.post('schedule', { payload, task_params: { is_dry_run: false } });
    if (isRefused(submitted)) return submitted;
    for (;;) {
      const answered = await platform.taskStatus(account);
      const status = fieldOf(answered.body, 'status');
      if (status === 'PROCESSED') return account;
      if (failedTasks.includes(status) || platform.monotonic >= until) return answered;
      await platform.pause(lookMs);
    }
  }
}

function isRefused({ status, body }: Answered): boolean {
  const refusal = readRefusal(body);
  if ([refusal?.code, ...(refusal?.problems ?? []).map(({ code }) => code)].includes(notOngoing))
    throw new CannotAsk('unavailable', 'the migration of the import supplier is not Ongoing');
  return status >= 300 || status === 0;
}
