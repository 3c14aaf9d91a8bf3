import type { AccountRun } from '../account-run.ts';
import type { RunContext } from '../context.ts';
import { exchange } from '../exchange.ts';
import { pause } from '../retry.ts';

/**
 * What account-transfer-status (endpoint 4) says of a process attempt whose outcome is unknown.
 *
 * - `completed`: the account exists, under this number
 * - `absent`: no account came of it (UNKNOWN, believed after the quiet period)
 * - `missing`: not even staged data (404)
 * - `uncertain`: IN_PROGRESS for longer than patience lasts
 */
export type SettledStatus =
  | { readonly kind: 'completed'; readonly krakenAccountNumber: string }
  | { readonly kind: 'absent' | 'missing' | 'stopped' }
  | { readonly kind: 'uncertain' | 'failed'; readonly code: string };

/** Asks until the answer can be believed. `lostAt`: when the attempt's answer was given up, in ms since the epoch. */
export async function askTransferStatus(
  context: RunContext,
  run: AccountRun,
  lostAt: number,
): Promise<SettledStatus> {
  const { clock, settings, stop } = context;
  const { quietPeriodMs, statusPollMs, inProgressMs } = settings.patience;
  const giveUpAt = clock.now() + inProgressMs;
  for (;;) {
    const outcome = await exchange(context, {
      account: run.plan.key.account,
      step: 'process',
      send: (signal) => context.client.transferStatus(run.plan.key, signal),
    });
    if (outcome.kind === 'stopped') return { kind: 'stopped' };
    if (outcome.kind !== 'said') return { kind: 'failed', code: outcome.cause };
    const { answer } = outcome;
    if (answer.kind === 'not-found') return { kind: 'missing' };
    if (answer.kind === 'refused') return { kind: 'failed', code: `status_http_${answer.status}` };
    const { status, krakenAccountNumber } = answer.body;
    const now = clock.now();
    let waitMs: number;
    if (status === 'COMPLETED') {
      if (krakenAccountNumber !== undefined) return { kind: 'completed', krakenAccountNumber };
      return { kind: 'uncertain', code: 'completed_without_number' };
    } else if (status === 'IN_PROGRESS') {
      if (now >= giveUpAt) return { kind: 'uncertain', code: 'still_in_progress' };
      waitMs = statusPollMs;
    } else {
      // The lost request may still be under way to the platform: UNKNOWN is believed only after a while.
      waitMs = lostAt + quietPeriodMs - now;
      if (waitMs <= 0) return { kind: 'absent' };
    }
    if (!(await pause(clock, waitMs, stop.draining))) return { kind: 'stopped' };
  }
}
