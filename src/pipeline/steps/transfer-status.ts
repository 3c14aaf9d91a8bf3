import type { AccountKey } from '../../domain/account-key.ts';
import type { AccountRun } from '../account/account-run.ts';
import type { RunContext } from '../run/context.ts';
import { sendWithRetry } from '../request/send-with-retry.ts';
import { stillInProgress } from '../../domain/shared-codes.ts';
import { isWordless } from '../request/liveness.ts';

/**
 * The result of account-transfer-status (endpoint 4) for a process attempt of unknown outcome.
 *
 * - `completed`: the account exists, with this number
 * - `absent`: no account was created (UNKNOWN, believed after the quiet period)
 * - `missing`: not even staged data (404, also believed after the quiet period)
 * - `uncertain`: IN_PROGRESS for longer than the configured patience
 */
export type SettledStatus =
  | { readonly kind: 'completed'; readonly krakenAccountNumber: string }
  | { readonly kind: 'absent' | 'missing' | 'stopped' }
  | { readonly kind: 'uncertain' | 'failed'; readonly code: string };

/** An attempt of ours, or from the time since a backup. */
interface Attempt {
  /** Whether an answer of ours is known to be lost. */
  readonly isLost: boolean;
  /** Until when it may be under way, in ms on the monotonic clock. */
  readonly quietUntil: number;
  /** Whether it is about another account than the one that is running. */
  readonly key?: AccountKey;
}

/** Asks until the answer can be believed. */
export async function askTransferStatus(
  context: RunContext,
  run: AccountRun,
  { isLost, quietUntil, key = run.plan.key }: Attempt,
): Promise<SettledStatus> {
  const { clock, settings, flow } = context;
  const { account, supplier } = run.plan.key;
  const { statusPollMs, inProgressMs } = settings.patience;
  // The lost request may still be on its way to the platform: the absence of an account is believed only later.
  const quietFor = () => quietUntil - clock.monotonic();
  let inProgressSince: number | undefined;
  let wordlessSince: number | undefined;
  for (;;) {
    const outcome = await sendWithRetry(context, {
      account,
      supplier,
      step: 'process',
      isQuestion: true,
      // The answer does not identify its request, and what is sent next cannot be undone.
      send: (signal) => context.client.transferStatus(key, { signal, fresh: true, about: run.sent }),
    });
    if (outcome.kind === 'stopped') return { kind: 'stopped' };
    if (outcome.kind !== 'said') return { kind: 'failed', code: outcome.cause };
    const { answer } = outcome;
    if (answer.kind === 'refused') return { kind: 'failed', code: `status_http_${answer.status}` };
    let waitMs = quietFor();
    if (answer.kind === 'not-found') {
      // A proxy may have sent it, even during a process request: it counts only if no other answer comes for
      // a long time.
      wordlessSince = isWordless(answer) ? (wordlessSince ?? clock.monotonic()) : undefined;
      const doubtMs = isLost ? inProgressMs : statusPollMs;
      if (wordlessSince !== undefined && clock.monotonic() < wordlessSince + doubtMs)
        waitMs = Math.max(waitMs, statusPollMs);
      else if (waitMs <= 0) return { kind: 'missing' };
    } else {
      wordlessSince = undefined;
      const { status, krakenAccountNumber } = answer.body;
      if (krakenAccountNumber !== undefined) return { kind: 'completed', krakenAccountNumber };
      if (status === 'COMPLETED') return { kind: 'uncertain', code: 'completed_without_number' };
      if (status === 'IN_PROGRESS') {
        inProgressSince ??= clock.monotonic();
        if (clock.monotonic() >= inProgressSince + inProgressMs)
          return { kind: 'uncertain', code: stillInProgress };
        waitMs = statusPollMs;
      } else if (waitMs <= 0) return { kind: 'absent' };
    }
    if (!(await flow.waitAside({ account, step: 'process' }, waitMs))) return { kind: 'stopped' };
  }
}
